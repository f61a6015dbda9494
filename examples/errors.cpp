// The usual mistakes, the texts that come of them, and that the next call works.
#include <dolmen/dolmen.hpp>
#include <vector>

#include "support/backends.hpp"

namespace {

/// Runs `mistake`, prints what it throws, and returns whether it threw an Expected.
template <class Expected, class Mistake>
bool provoke(char const* what, Mistake const& mistake) {
  std::printf("\n%s\n", what);
  try {
    mistake();
  } catch (Expected const& e) {
    std::printf("  %s\n", e.what());
    return true;
  } catch (std::exception const& e) {
    std::printf("  another error than expected: %s\n", e.what());
    return false;
  }
  std::printf("  no error, though one was expected\n");
  return false;
}

struct check_sign {
  using shape = dolmen::block_shape<64>;
  dolmen::view<float const> in;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(in.size() - first, [&](dolmen::thread t) { DOLMEN_ASSERT(t, in(first + t.rank) >= 0); });
  }
};

/// More shared memory than any GPU has; the CPU does not mind.
struct greedy {
  using shape = dolmen::block_shape<32>;
  struct shared {
    dolmen::tile<float, 1024, 128> cache;
  };
  dolmen::view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](dolmen::thread) { mem.cache(0, 0) = 1, out(0) = mem.cache.load(0, 0); });
  }
};

template <class Backend>
bool mistakes() {
  using floats = dolmen::buffer<float, Backend>;
  using dolmen::invalid_argument;
  constexpr bool on_gpu = std::string_view(Backend::name) == "cuda";
  std::printf("\n--- %s\n", Backend::name);

  typename Backend::stream stream;
  floats ten(stream, 10), twelve(stream, 12);
  dolmen::fill(stream, ten, 1.0f);
  std::vector<float> host(11);
  bool right = true;
  auto const expect = [&](bool happened) { right = happened && right; };

  expect(provoke<invalid_argument>("A negative size", [&] { floats(stream, -5); }));
  expect(provoke<invalid_argument>("A shape that is larger than its buffer", [&] { ten.view(3, 4); }));
  expect(provoke<invalid_argument>("A copy between different sizes", [&] { dolmen::copy(stream, ten, twelve); }));
  expect(provoke<invalid_argument>("A download into too little room", [&] { dolmen::copy(stream, twelve, host); }));
  expect(provoke<invalid_argument>("A slice that leaves its view", [&] { ten.view().slice(8, 3); }));
  expect(provoke<invalid_argument>("Matrices that do not multiply",
                                   [&] { dolmen::gemm(stream, 1, ten.view(2, 5), twelve.view(4, 3), 0, floats(stream, 6).view(2, 3)); }));
  expect(provoke<invalid_argument>("A time between events of which one was not recorded", [&] {
    typename Backend::event begin, end;
    begin.record(stream);
    begin.wait();
    elapsed(begin, end);
  }));
  expect(provoke<invalid_argument>("A device that is not there", [&] { typename Backend::device(99); }));
  expect(provoke<dolmen::out_of_memory>("More memory than there is", [&] { floats(stream, dolmen::index_t(1) << 48); }));
  expect(provoke<dolmen::launch_error>("A grid of more blocks than a launch can have",
                                       [&] { dolmen::launch(stream, dolmen::grid(dolmen::index_t(1) << 32), check_sign{ten}); }));
  if constexpr (on_gpu)
    expect(provoke<dolmen::launch_error>("More shared memory than a block can have",
                                         [&] { dolmen::launch(stream, dolmen::grid(1), greedy{twelve}); }));
  else  // on a GPU a failed assertion costs the device: nothing would run after it
    expect(provoke<dolmen::launch_error>("An assertion in a kernel", [&] {
      dolmen::fill(stream, ten.view().slice(7, 1), -1.0f);
      dolmen::launch(stream, dolmen::grid(1), check_sign{ten});
    }));

  dolmen::fill(stream, ten, 1.0f);
  float const total = dolmen::sum(stream, ten);
  std::printf("\nAfter all that, the sum of ten ones is %g.\n", double(total));
  return right && total == 10.0f;
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    std::fprintf(stderr, "errors takes no arguments.\n");
    return 2;
  }
  return example::on_every_backend([](auto backend) { return mistakes<decltype(backend)>(); });
}
