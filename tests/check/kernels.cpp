// Every kernel of examples/ compiles and runs under the check backend, and each access is where it should be.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../../examples/kernels/axpy.hpp"
#include "../../examples/kernels/block_sum.hpp"
#include "../../examples/kernels/matmul.hpp"
#include "../../examples/kernels/relu.hpp"
#include "../../examples/kernels/stencil.hpp"
#include "../../examples/kernels/transpose.hpp"
#include "../../examples/kernels/vector_add.hpp"
#include "../support/data.hpp"
#include "recorder.hpp"

#include <dolmen/check.hpp>

using namespace dolmen;
using detail::access_kind;
using testing::random_values;
using testing::recorder;

namespace {

/// How often each element of an array was read and written; anything else that is not shared memory is wrong.
struct uses {
  std::vector<int> reads, writes;
  template <class T>
  uses(recorder const& r, std::vector<T> const& data) : reads(data.size()), writes(data.size()) {
    for (auto const& e : r.events) {
      auto const at = static_cast<T const*>(e.address) - data.data();
      if (e.address < data.data() || at >= std::ptrdiff_t(data.size())) continue;
      CHECK(e.width == int(sizeof(T)));
      ++(e.kind == access_kind::read ? reads : writes)[std::size_t(at)];
    }
  }
  bool read(int times) const {
    return std::all_of(reads.begin(), reads.end(), [&](int n) { return n == times; });
  }
  bool written(int times) const {
    return std::all_of(writes.begin(), writes.end(), [&](int n) { return n == times; });
  }
};

template <class T>
view<T> of(std::vector<T>& v) {
  return {v.data(), index_t(v.size())};
}

struct waits_for_all {
  using shape = block_shape<32>;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) { out(block.index.x) = 1; });
    block.grid_sync();
    block.each_thread(1, [&](thread) { out(block.index.x) = 2; });
  }
};

}  // namespace

TEST_CASE("check: element-wise kernels touch each element once") {
  for (index_t n : {0, 1, 255, 257, 1000}) {
    auto a = random_values<float>(n, 1), b = random_values<float>(n, 2);
    std::vector<float> c(std::size_t(n), testing::quiet_nan<float>);
    {
      recorder r;
      check::launch(kernels::vector_add::blocks(n), kernels::vector_add{of(a), of(b), of(c)});
      r.stop();
      CHECK(r.events.size() == std::size_t(3 * n));
      CHECK(uses(r, a).read(1));
      CHECK(uses(r, c).written(1));
      CHECK(uses(r, c).read(0));
      for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c[i] == a[i] + b[i]);
    }
    {
      recorder r;
      check::launch(kernels::relu::blocks(n), kernels::relu{of(a), of(c)});
      r.stop();
      CHECK(uses(r, a).read(1));
      CHECK(uses(r, c).written(1));
      for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c[i] == std::max(a[i], 0.0f));
    }
    {
      auto const before = b;
      recorder r;
      check::launch(kernels::axpy<float>::blocks(n), kernels::axpy<float>{2, of(a), of(b)});
      r.stop();
      CHECK(uses(r, b).read(1));
      CHECK(uses(r, b).written(1));
      for (std::size_t i = 0; i < b.size(); ++i) REQUIRE(b[i] == doctest::Approx(2 * a[i] + before[i]));
    }
  }
}

TEST_CASE("check: block_sum reads each element once and writes one result per block") {
  for (index_t n : {0, 1, 255, 256, 257, 1000}) {
    auto a = testing::whole_values<float>(n);
    std::vector<float> out(std::size_t(kernels::block_sum::blocks(n).x));
    recorder r;
    check::launch(kernels::block_sum::blocks(n), kernels::block_sum{of(a), of(out)});
    r.stop();
    CHECK(uses(r, a).read(1));
    CHECK(uses(r, out).written(1));
    float sum = 0, expected = 0;
    for (float x : out) sum += x;
    for (float x : a) expected += x;
    CHECK(sum == expected);
  }
}

TEST_CASE("check: transpose and stencil") {
  for (auto [rows, columns] : {std::pair<index_t, index_t>{0, 5}, {1, 1}, {33, 65}, {64, 32}, {100, 7}}) {
    auto a = random_values<float>(rows * columns);
    std::vector<float> b(a.size());
    view<float, 2> const in(a.data(), rows, columns);
    {
      recorder r;
      check::launch(kernels::tiled_transpose::blocks(rows, columns), kernels::tiled_transpose{in, view<float, 2>(b.data(), columns, rows)});
      r.stop();
      CHECK(uses(r, a).read(1));
      CHECK(uses(r, b).written(1));
      for (index_t y = 0; y < rows; ++y)
        for (index_t x = 0; x < columns; ++x) REQUIRE(b[std::size_t(x * rows + y)] == a[std::size_t(y * columns + x)]);
    }
    recorder r;
    check::launch(kernels::stencil5::blocks(rows, columns), kernels::stencil5{in, view<float, 2>(b.data(), rows, columns)});
    r.stop();
    CHECK(uses(r, b).written(1));
    CHECK(uses(r, b).read(0));
    CHECK(uses(r, a).written(0));
  }
}

TEST_CASE_TEMPLATE("check: matrix products", T, float, double) {
  for (auto [m, n, k] : {std::array<index_t, 3>{1, 1, 1}, {33, 31, 40}, {64, 32, 32}, {5, 70, 0}}) {
    auto a = testing::whole_values<T>(m * k, 1), b = testing::whole_values<T>(k * n, 2);
    std::vector<T> naive(std::size_t(m * n)), tiled(std::size_t(m * n));
    view<T, 2> const x(a.data(), m, k), y(b.data(), k, n);
    recorder r;
    check::launch(kernels::naive_matmul<T>::blocks(m, n), kernels::naive_matmul<T>{x, y, view<T, 2>(naive.data(), m, n)});
    check::launch(kernels::tiled_matmul<T>::blocks(m, n), kernels::tiled_matmul<T>{x, y, view<T, 2>(tiled.data(), m, n)});
    r.stop();
    CHECK(uses(r, naive).written(1));
    CHECK(uses(r, tiled).written(1));
    CHECK(naive == tiled);
    for (index_t i = 0; i < m; ++i)
      for (index_t j = 0; j < n; ++j) {
        T sum = 0;
        for (index_t l = 0; l < k; ++l) sum += a[std::size_t(i * k + l)] * b[std::size_t(l * n + j)];
        REQUIRE(naive[std::size_t(i * n + j)] == sum);
      }
  }
}

namespace {

struct asserts {
  using shape = block_shape<8, 2>;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { DOLMEN_ASSERT(t, t.rank < 13); });
  }
};

}  // namespace

TEST_CASE("check: an assertion names block and thread, and the next launch works") {
  for (int i = 0; i < 2; ++i) try {
      check::launch(grid(2, 3), asserts{});
      FAIL("nothing was thrown");
    } catch (launch_error const& e) {
      std::string const text = e.what();
      CHECK(text.find("t.rank < 13") != std::string::npos);
      CHECK(text.find("block (") != std::string::npos);
      CHECK(text.find("thread 1") != std::string::npos);  // 13, 14 or 15: whichever came first
    }
}

TEST_CASE("check: a plain launch has no barrier of the grid") {
  std::vector<int> out(2, 0);
  CHECK_THROWS_WITH_AS(check::launch(grid(2), waits_for_all{of(out)}), doctest::Contains("it needs launch_cooperative"), launch_error);
}
