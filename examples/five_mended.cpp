// Steps from each value to the next, how many of them go down, and their sum: five_mistakes.cpp as docs/check.md
// has mended it.
#include <cstdio>
#include <dolmen/dolmen.hpp>
#include <vector>

struct differences {
  using shape = dolmen::block_shape<128>;
  struct shared {
    dolmen::tile<float, 129> line;
  };
  dolmen::view<float const> in;
  dolmen::view<float> steps;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    block.each_thread([&](dolmen::thread t) {
      mem.line(t.rank) = in(first + t.rank);
      if (t.rank == 127) mem.line(128) = in(dolmen::min(first + 128, in.size() - 1));
    });
    block.sync();
    block.each_thread([&](dolmen::thread t) { steps(first + t.rank) = mem.line.load(t.rank + 1) - mem.line.load(t.rank); });
  }
};

struct summary {
  using shape = dolmen::block_shape<128>;
  struct shared {
    dolmen::tile<int, 2> bins;
  };
  dolmen::view<float const> steps;
  dolmen::view<int> counts;
  dolmen::view<float> rise;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    auto step = block.per_thread(0.0f);
    block.each_thread(2, [&](dolmen::thread t) { mem.bins(t.rank) = 0; });
    block.sync();
    block.each_thread([&](dolmen::thread t) {
      step[t] = steps(first + t.rank);
      mem.bins.atomic(step[t] < 0 ? 1 : 0).fetch_add(1);
    });
    float const sum = block.reduce(step);
    block.sync();
    block.each_thread(2, [&](dolmen::thread t) { counts.atomic(t.rank).fetch_add(mem.bins.load(t.rank)); });
    block.each_thread(1, [&](dolmen::thread) { rise.atomic(0).fetch_add(sum); });
  }
};

int main() {
  std::vector<float> host(1024);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = float(i * 7 % 13);
  dolmen::stream one, two;
  auto const in = dolmen::upload(one, host);
  dolmen::buffer<float> steps(one, 1024), rise(two, 1);
  dolmen::buffer<int> counts(two, 2);
  dolmen::fill(two, counts, 0);
  dolmen::fill(two, rise, 0.0f);
  dolmen::launch(one, dolmen::grid(8), differences{in, steps});
  dolmen::event ready;
  ready.record(one);
  two.wait(ready);
  dolmen::launch(two, dolmen::grid(8), summary{steps, counts, rise});
  auto const n = dolmen::download(two, counts);
  float const sum = dolmen::download(two, rise)[0];
  std::printf("%d steps go down, %d do not; %g in all\n", n[1], n[0], double(sum));
  return n[1] == 550 && n[0] == 474 && sum == host.back() - host.front() ? 0 : 1;
}
