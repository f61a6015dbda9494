// fetch_min and fetch_max of floats: signs, zeros, subnormals, infinities and NaN, in the cell and in the argument; and
// compare_exchange, which goes by bits.
#include <cmath>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"
#include "../support/serialisable.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_float_order {

/// Cell (i, j) starts with value i and takes the minimum with value j; in global and in shared memory.
template <class T>
struct all_pairs {
  using shape = block_shape<32>;
  struct shared {
    tile<T, 2, 32> cell;
  };
  view<T const> values;
  view<T, 3> results, found;  // (operation, i, j)

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    constexpr auto release = memory_order::release;
    int const i = block.index.x;
    block.each_thread(values.size(), [&](thread t) {
      int const j = t.rank;
      T const x = values(j);
      for (int operation = 0; operation < 4; ++operation) results(operation, i, j) = values(i);
      found(0, i, j) = results.atomic(0, i, j).fetch_min(x);
      found(1, i, j) = results.atomic(1, i, j).fetch_max(x);
      found(2, i, j) = results.atomic(2, i, j).fetch_min(x, release);  // writes in any case
      found(3, i, j) = results.atomic(3, i, j).fetch_max(x, release);
    });
    block.each_thread(values.size(), [&](thread t) {
      int const j = t.rank;
      T const x = values(j);
      mem.cell(0, j) = values(i);
      mem.cell(1, j) = values(i);
      found(4, i, j) = mem.cell.atomic(0, j).fetch_min(x);
      found(5, i, j) = mem.cell.atomic(1, j).fetch_max(x);
      results(4, i, j) = mem.cell.load(0, j);
      results(5, i, j) = mem.cell.load(1, j);
    });
    block.each_thread(values.size(), [&](thread t) {
      int const j = t.rank;
      results(6, i, j) = values(i);
      mem.cell(0, j) = values(i);
      T expected = values(j), here = values(j);
      bool const done = results.atomic(6, i, j).compare_exchange(expected, T(7));
      bool const done_here = mem.cell.atomic(0, j).compare_exchange(here, T(7));
      found(6, i, j) = done ? T(1) : expected;
      found(7, i, j) = done_here ? T(1) : here;
      results(7, i, j) = mem.cell.load(0, j);
    });
  }
};

template <class T>
T nan_with(bool negative, std::uint64_t payload) {
  std::uint64_t const bits = testing::bits(std::numeric_limits<T>::infinity()) | payload;
  T value;
  std::memcpy(&value, &bits, sizeof(T));  // the low bytes come first
  return negative ? std::copysign(value, T(-1)) : value;
}

/// The smaller of two numbers, written with signbit where the test's subject compares whole numbers.
template <class T>
T smaller(T a, T b) {
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T, class B>
void check_order() {
  using limits = std::numeric_limits<T>;
  std::uint64_t const quiet = sizeof(T) == 4 ? 0x400000 : 0x8000000000000;
  std::vector<T> values{T(0), T(1), T(1.5), limits::min(), limits::denorm_min(), limits::max(), limits::infinity(), T(1e10)};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  for (bool negative : {false, true})
    for (std::uint64_t payload : {quiet, quiet | 5}) values.push_back(nan_with<T>(negative, payload));
  index_t const n = index_t(values.size());
  REQUIRE(n <= 32);
  REQUIRE(std::isnan(values.back()));

  typename B::stream s;
  guarded<T, B> in(s, values);
  guarded<T, B, 3> results(s, {{8, n, n}}), found(s, {{8, n, n}});
  launch(s, grid(n), all_pairs<T>{in.view(), results.view(), found.view()});
  auto const result = results.values(), old = found.values();
  auto const same = [](T a, T b) { return testing::bits(a) == testing::bits(b); };
  for (int operation = 0; operation < 8; ++operation)
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j) {
        CAPTURE(operation);
        CAPTURE(i);
        CAPTURE(j);
        T const cell = values[i], x = values[j];
        std::size_t const at = (std::size_t(operation) * values.size() + i) * values.size() + j;
        if (operation >= 6) {
          REQUIRE(same(result[at], same(cell, x) ? T(7) : cell));
          REQUIRE(same(old[at], same(cell, x) ? T(1) : cell));
          continue;
        }
        REQUIRE(same(old[at], cell));
        if (std::isnan(cell) || std::isnan(x))
          REQUIRE(same(result[at], std::isnan(cell) ? cell : x));
        else
          REQUIRE(same(result[at], operation % 2 == 0 ? smaller(cell, x) : -smaller(-cell, -x)));
      }
  CHECK((in.unchanged() && results.intact() && found.intact()));
}

}  // namespace test_float_order

TEST_CASE_TEMPLATE("atomics: order of floats", B, DOLMEN_TEST_BACKENDS) { test_float_order::check_order<float, B>(); }
TEST_CASE_TEMPLATE("atomics: order of doubles", B, DOLMEN_TEST_BACKENDS) { test_float_order::check_order<double, B>(); }
