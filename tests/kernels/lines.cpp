// The kernels of examples/ on one-dimensional data, against double precision.
#include <algorithm>
#include <cmath>

#include "../backends.hpp"

#include "../../examples/kernels/axpy.hpp"
#include "../../examples/kernels/block_sum.hpp"
#include "../../examples/kernels/relu.hpp"
#include "../../examples/kernels/vector_add.hpp"
#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;
using testing::place;
using testing::random_values;

namespace {
constexpr index_t sizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 4097, 100003};
}

TEST_CASE_TEMPLATE("vector_add", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : sizes)
    for (place where : {place{}, {1}, {3, 0, true}}) {
      auto const a = random_values<float>(n, 1), b = random_values<float>(n, 2);
      guarded<float, B> left(s, a, where), right(s, b, where), out(s, n, where);
      launch(s, kernels::vector_add::blocks(n), kernels::vector_add{left.view(), right.view(), out.view()});
      auto const c = out.values();
      for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c[i] == float(double(a[i]) + double(b[i])));
      REQUIRE(out.intact());
      REQUIRE(left.unchanged());
      REQUIRE(right.unchanged());
    }
}

TEST_CASE_TEMPLATE("relu: NaN stays NaN", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : sizes) {
    auto a = random_values<float>(n, 1);
    if (n > 30) a[5] = testing::quiet_nan<float>, a[6] = -0.0f, a[7] = std::numeric_limits<float>::infinity(), a[8] = -a[7];
    guarded<float, B> in(s, a, {1}), out(s, n, {2, 0, true});
    launch(s, kernels::relu::blocks(n), kernels::relu{in.view(), out.view()});
    auto const c = out.values();
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (std::isnan(a[i]))
        REQUIRE(std::isnan(c[i]));
      else
        REQUIRE(c[i] == (a[i] > 0 ? a[i] : 0.0f));
    }
    REQUIRE(out.intact());
    REQUIRE(in.unchanged());
  }
}

namespace {

template <class T, class B>
void check_axpy(typename B::stream const& s) {
  for (index_t n : sizes) {
    auto const a = random_values<T>(n, 1), b = random_values<T>(n, 2);
    guarded<T, B> x(s, a, place{1}), y(s, b, place{2, 0, true});
    launch(s, kernels::axpy<T>::blocks(n), kernels::axpy<T>{T(-1.75), x.view(), y.view()});
    auto const c = y.values();
    double const eps = std::numeric_limits<T>::epsilon();
    for (std::size_t i = 0; i < c.size(); ++i) {
      double const expected = -1.75 * double(a[i]) + double(b[i]);
      REQUIRE(std::fabs(double(c[i]) - expected) <= eps * (1.75 * std::fabs(double(a[i])) + std::fabs(expected)));
    }
    REQUIRE(y.intact());
    REQUIRE(x.unchanged());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("axpy: float and double", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_axpy<float, B>(s);
  check_axpy<double, B>(s);
}

TEST_CASE_TEMPLATE("block_sum: one sum per block, the last one partly filled", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : sizes) {
    index_t const blocks = kernels::block_sum::blocks(n).x;
    auto const a = random_values<float>(n, 1), whole = testing::whole_values<float>(n, 2);
    for (auto const* values : {&a, &whole}) {
      guarded<float, B> in(s, *values, {1, 0, true}), out(s, blocks);
      launch(s, kernels::block_sum::blocks(n), kernels::block_sum{in.view(), out.view()});
      auto const c = out.values();
      for (index_t b = 0; b < blocks; ++b) {
        double sum = 0, magnitude = 0;
        for (index_t i = b * 256; i < std::min(n, (b + 1) * 256); ++i) {
          sum += double((*values)[std::size_t(i)]);
          magnitude += std::fabs(double((*values)[std::size_t(i)]));
        }
        // A tree of 8 steps; nothing is rounded where the values are whole.
        double const allowed = values == &whole ? 0 : 8 * double(std::numeric_limits<float>::epsilon()) * magnitude;
        REQUIRE(std::fabs(double(c[std::size_t(b)]) - sum) <= allowed);
      }
      REQUIRE(out.intact());
      REQUIRE(in.unchanged());
    }
  }
}
