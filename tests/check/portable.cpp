// The portable kernels with warps, packs and atomics compile in check mode, and their results are right there.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <dolmen/check.hpp>

#include "../../examples/kernels/block_scan.hpp"
#include "../../examples/kernels/histogram.hpp"
#include "../../examples/kernels/spmv.hpp"
#include "../../examples/kernels/warp_sum.hpp"

using namespace dolmen;

namespace {

// Small whole numbers, whose sums are exact in any order.
std::vector<float> numbers(index_t n) {
  std::vector<float> v(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = float(int(i * 7 % 11) - 4);
  return v;
}

template <class T>
view<T> all(std::vector<T>& v) {
  return {v.data(), index_t(v.size())};
}

}  // namespace

TEST_CASE("check: scan of runs") {
  for (index_t n : {1, 1024, 2500}) {
    CAPTURE(n);
    auto in = numbers(n);
    std::vector<float> out(in.size(), -1), expected(in.size());
    for (index_t first = 0; first < n; first += kernels::block_scan::run) {
      index_t const last = min(first + kernels::block_scan::run, n);
      std::partial_sum(in.begin() + first, in.begin() + last, expected.begin() + first);
    }
    check::launch(kernels::block_scan::blocks(n), kernels::block_scan{all(in), all(out)});
    CHECK(out == expected);
  }
}

TEST_CASE("check: sum with a last block") {
  for (index_t n : {0, 1, 4096, 20011}) {
    CAPTURE(n);
    auto in = numbers(n);
    auto const grid = kernels::warp_sum::blocks(n, 3);
    std::vector<float> partial(std::size_t(grid.blocks()), -1), out(1, -1);
    std::vector<std::uint32_t> ticket(1, 0);
    check::launch(grid, kernels::warp_sum{all(in), all(partial), all(ticket), all(out)});
    CHECK(out[0] == std::accumulate(in.begin(), in.end(), 0.0f));
    CHECK(ticket[0] == 0);
  }
}

TEST_CASE("check: histogram") {
  std::vector<std::uint8_t> keys(13001);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = std::uint8_t(i * i % 251 / 3);
  std::vector<std::uint32_t> counts(256, 5), expected(256, 5);
  for (auto k : keys) ++expected[k];
  check::launch(kernels::histogram::blocks(index_t(keys.size()), 2), kernels::histogram{all(keys), all(counts)});
  CHECK(counts == expected);
}

TEST_CASE("check: sparse product with rows of different lengths") {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<float> values, x = numbers(50), expected;
  for (int row = 0; row < 21; ++row) {
    float sum = 0;
    for (int k = 0; k < row * row % 90; ++k) {
      columns.push_back((row * 3 + k) % 50);
      values.push_back(float(k % 5 - 2));
      sum += values.back() * x[std::size_t(columns.back())];
    }
    offsets.push_back(std::int32_t(columns.size()));
    expected.push_back(sum);
  }
  std::vector<float> y(expected.size(), -1);
  check::launch(kernels::spmv::blocks(index_t(y.size())), kernels::spmv{all(offsets), all(columns), all(values), all(x), all(y)});
  CHECK(y == expected);
}
