#include <utility>

#include "calls.hpp"

namespace testing {

template <class B>
world<B>::world(index_t longest)
    : a(s, n),
      b(s, n),
      c(s, n),
      keys(s, n),
      values(s, n),
      flags(s, n),
      index(s, 1),
      one(s, 1),
      bins(s, 4),
      truth(s, 1),
      extremes(s, 1),
      records(s, n),
      row(s, longest),
      host(static_cast<std::size_t>(n)),
      taken(static_cast<std::size_t>(n)) {
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = float(i * 7 % 32) / 4;
  reset();
}

template <class B>
void world<B>::reset() {
  returned = 0;
  taken.assign(taken.size(), 0);
  copy(s, host, a);
  iota(s, b, 1.0f, 0.25f);
  fill(s, c, 0.5f);
  fill_uniform(s, keys, 1, -100, 100);
  iota(s, values);
  fill_uniform(s, flags, 2, 0, 1);
  fill(s, index, -1);
  fill(s, one, -1.0f);
  fill(s, bins, 7u);
  fill(s, truth, false);
  fill(s, extremes, {1.0f, 2.0f});
  fill(s, records, {1.0f, 2});
  iota(s, row, 0.0f, 1.0f / 1024);
}

template <class B>
std::vector<double> world<B>::contents() const {
  std::vector<double> all(taken.begin(), taken.end());
  all.push_back(returned);
  auto const add = [&](auto const& buffer) {
    for (auto const& x : download(s, buffer)) all.push_back(double(x));
  };
  add(a), add(b), add(c), add(keys), add(values), add(flags), add(index), add(one), add(bins);
  double sum = 0;  // the order counts
  auto const long_one = download(s, row);
  for (std::size_t i = 0; i < long_one.size(); ++i) sum += double(i % 977 + 1) * double(long_one[i]);
  all.push_back(sum);
  bool held = false;
  copy(s, truth, std::span<bool>(&held, 1));
  s.synchronize();
  all.push_back(held);
  auto const both = download(s, extremes)[0];
  all.push_back(both.min), all.push_back(both.max);
  for (auto const& r : download(s, records)) all.push_back(r.x), all.push_back(r.n);
  return all;
}

template <class B>
void world<B>::empty_buffer(int number) {
  int next = 0;
  auto const take = [&](auto& buffer) {
    if (next++ == number) auto const taken = std::move(buffer);
  };
  take(a), take(b), take(c), take(keys), take(values), take(flags), take(index), take(one), take(bins), take(truth), take(extremes),
      take(records), take(row);
}

#if DOLMEN_HAS_CPU
template struct world<cpu::backend>;
#endif
#if DOLMEN_HAS_CUDA
template struct world<cuda::backend>;
#endif
#if DOLMEN_HAS_CHECK
template struct world<check::backend>;
#endif

}  // namespace testing
