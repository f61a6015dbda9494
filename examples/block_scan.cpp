// A scan of the whole array from two kernels: every block scans its run of 1024 and its sum is known; the runs' sums are
// scanned the same way, as often as it takes; then each run gets what came before it.
#include <dolmen/dolmen.hpp>
#include <vector>

#include "kernels/block_scan.hpp"
#include "support/arguments.hpp"
#include "support/backends.hpp"

namespace {

using dolmen::index_t;
using kernel = kernels::block_scan;

/// The last element of each run: its sum.
struct take_ends {
  dolmen::view<float const> scanned;
  dolmen::view<float> ends;
  DOLMEN_FN void operator()(index_t run) const { ends(run) = scanned(dolmen::min((run + 1) * kernel::run, scanned.size()) - 1); }
};

struct add_before {
  dolmen::view<float const> ends;  // scanned
  dolmen::view<float> out;
  DOLMEN_FN void operator()(index_t i) const {
    if (i >= kernel::run) out(i) += ends(i / kernel::run - 1);
  }
};

template <class Backend>
void scan(typename Backend::stream const& stream, dolmen::view<float const> in, dolmen::view<float> out) {
  auto const grid = kernel::blocks(in.size());
  dolmen::launch(stream, grid, kernel{in, out});
  if (grid.blocks() <= 1) return;
  dolmen::buffer<float, Backend> ends(stream, grid.blocks()), scanned(stream, grid.blocks());
  dolmen::for_each_index(stream, grid.blocks(), take_ends{out, ends});
  scan<Backend>(stream, ends, scanned);
  dolmen::for_each_index(stream, out.size(), add_before{scanned, out});
}

template <class Backend>
bool check(index_t n) {
  std::vector<float> in(n);
  for (index_t i = 0; i < n; ++i) in[i] = float((5 * i) % 7 - 3);  // its sums stay small: exact in any order
  typename Backend::stream stream;
  auto const values = dolmen::upload(stream, in);
  dolmen::buffer<float, Backend> sums(stream, n);
  scan<Backend>(stream, values, sums);
  auto const result = dolmen::download(stream, sums);
  index_t wrong = 0;
  double expected = 0;
  for (index_t i = 0; i < n; ++i) wrong += double(result[i]) != (expected += double(in[i]));
  std::printf("%-4s  inclusive scan of %lld elements, the last is %g   wrong: %lld\n", Backend::name, static_cast<long long>(n),
              double(result[n - 1]), static_cast<long long>(wrong));
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = example::size_argument(argc, argv, "elements", example::size_for(3'000'001, 300'001), 1'000'000'000);
  return example::on_every_backend([=](auto backend) { return check<decltype(backend)>(n); });
}
