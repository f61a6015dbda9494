// Fragments, asynchronous copies and packs under the check backend.
#include <doctest/doctest.h>

#include <vector>

#include "../../examples/kernels/transpose_packs.hpp"
#include "../../examples/kernels/wmma_matmul.hpp"
#include "../support/data.hpp"

#include <dolmen/check.hpp>

using namespace dolmen;

namespace {

template <class T>
void check_product(index_t m, index_t n, index_t k) {
  CAPTURE(m);
  auto const a = testing::whole_values<T>(m * k, 1), b = testing::whole_values<T>(k * n, 2);
  std::vector<float> c(std::size_t(m * n), testing::quiet_nan<float>);
  using kernel = kernels::wmma_matmul<T>;
  auto const packs = [](std::vector<T> const& v, index_t rows, index_t columns) {
    return view<T const, 2>(v.data(), rows, columns).template as_packs<8>();
  };
  check::launch(kernel::blocks(m, n), kernel{packs(a, m, k), packs(b, k, n), view<float, 2>(c.data(), m, n)});
  int wrong = 0;
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) {
      float sum = 0;
      for (index_t p = 0; p < k; ++p) sum += float(a[std::size_t(i * k + p)]) * float(b[std::size_t(p * n + j)]);
      wrong += c[std::size_t(i * n + j)] != sum;
    }
  CHECK(wrong == 0);
}

struct loads_a_fragment {
  using shape = block_shape<32>;
  view<float const, 2> in;
  int column;
  template <class Block>
  void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, accumulator<half>> f;
      warp.load(f, in, 0, column);
    });
  }
};

/// A line in three stages, each element checked by another thread than the one that copied it.
struct staged_line {
  using shape = block_shape<32>;
  struct shared {
    tile<float, 32> stage[3];
  };
  view<pack<float, 4> const> in;
  view<float> out;
  template <class Block>
  void operator()(Block& block, shared& mem) const {
    int const steps = int(ceil_div(out.size(), 32));
    auto const fetch = [&](int step) {
      if (step < steps) block.copy_async(mem.stage[step % 3], fixed<32>{}, in, index_t(step) * 32);
      block.commit_copies();
    };
    fetch(0);
    fetch(1);
    for (int step = 0; step < steps; ++step) {
      block.wait_copies(1);
      block.sync();
      fetch(step + 2);
      block.each_thread(out.size() - step * 32, [&](thread t) { out(step * 32 + t.rank) = mem.stage[step % 3].load(t.rank); });
    }
  }
};

}  // namespace

TEST_CASE("check: products by fragments") {
  check_product<half>(128, 128, 64);
  check_product<half>(33, 136, 40);
  check_product<bfloat16>(130, 64, 32);
}

TEST_CASE("check: a fragment that does not fit is a launch_error") {
  alignas(16) float data[16 * 20] = {};
  view<float const, 2> const in(data, 16, 20);
  check::launch(grid(1), loads_a_fragment{in, 4});
  CHECK_THROWS_AS(check::launch(grid(1), loads_a_fragment{in, 2}), launch_error);
}

TEST_CASE("check: copies in stages") {
  auto const values = testing::random_values<float>(1000);
  std::vector<float> out(values.size(), -2);
  check::launch(grid(1), staged_line{view<float const>(values.data(), 1000).as_packs<4>(), view<float>(out.data(), 1000)});
  CHECK(out == values);
}

TEST_CASE("check: transposition by packs") {
  index_t const rows = 68, columns = 200;
  auto const in = testing::random_values<float>(rows * columns);
  std::vector<float> out(in.size());
  using kernel = kernels::transpose_packs;
  check::launch(kernel::blocks(rows, columns), kernel{view<float const, 2>(in.data(), rows, columns).as_packs<4>(),
                                                      view<float, 2>(out.data(), columns, rows).as_packs<4>()});
  int wrong = 0;
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; ++j) wrong += out[std::size_t(j * rows + i)] != in[std::size_t(i * columns + j)];
  CHECK(wrong == 0);
}
