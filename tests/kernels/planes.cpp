// The kernels of examples/ on matrices, against double precision: full tiles, edges, strides.
#include "../backends.hpp"

#include <array>
#include <cmath>
#include <string>

#include "../../examples/kernels/matmul.hpp"
#include "../../examples/kernels/stencil.hpp"
#include "../../examples/kernels/transpose.hpp"
#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;
using testing::place;
using testing::random_values;

namespace {

constexpr struct {
  index_t rows, columns;
} shapes[] = {{0, 5},   {5, 0},   {1, 1},    {1, 100},  {100, 1},   {8, 32},  {31, 33},
              {32, 32}, {64, 96}, {33, 257}, {255, 40}, {70, 1023}, {1025, 3}};

template <class T, class B, template <class> class Kernel>
void check_product(typename B::stream const& s) {
  double const eps = std::numeric_limits<T>::epsilon();
  for (auto [m, n, k] : {std::array<index_t, 3>{1, 1, 1},
                         {0, 3, 3},
                         {3, 0, 3},
                         {4, 4, 0},
                         {32, 32, 32},
                         {33, 31, 65},
                         {100, 7, 50},
                         {7, 100, 1},
                         {64, 96, testing::size_of(128, 32)}})
    for (place where : {place{}, {1, 3}, {0, 1, true}}) {
      std::string const sizes = std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k);
      CAPTURE(sizes);
      auto const x = random_values<T>(m * k, 1), y = random_values<T>(k * n, 2);
      guarded<T, B, 2> a(s, {{m, k}}, x, where), b(s, {{k, n}}, y, where), c(s, {{m, n}}, where);
      launch(s, Kernel<T>::blocks(m, n), Kernel<T>{a.view(), b.view(), c.view()});
      auto const z = c.values();
      for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) {
          double sum = 0, magnitude = 0;
          for (index_t l = 0; l < k; ++l) {
            double const product = double(x[std::size_t(i * k + l)]) * double(y[std::size_t(l * n + j)]);
            sum += product;
            magnitude += std::fabs(product);
          }
          REQUIRE(std::fabs(double(z[std::size_t(i * n + j)]) - sum) <= eps * double(k + 1) * magnitude);
        }
      REQUIRE(c.intact());
      REQUIRE(a.unchanged());
      REQUIRE(b.unchanged());
    }
}

}  // namespace

TEST_CASE_TEMPLATE("matmul: naive and tiled, any M, N, K", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_product<float, B, kernels::naive_matmul>(s);
  check_product<double, B, kernels::naive_matmul>(s);
  check_product<float, B, kernels::tiled_matmul>(s);
  check_product<double, B, kernels::tiled_matmul>(s);
}

TEST_CASE_TEMPLATE("transpose: any shape and strides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto [rows, columns] : shapes)
    for (place where : {place{}, {1, 3}, {0, 1, true}}) {
      auto const values = random_values<float>(rows * columns);
      guarded<float, B, 2> in(s, {{rows, columns}}, values, where), out(s, {{columns, rows}}, where);
      launch(s, kernels::tiled_transpose::blocks(rows, columns), kernels::tiled_transpose{in.view(), out.view()});
      auto const turned = out.values();
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) REQUIRE(turned[std::size_t(j * rows + i)] == values[std::size_t(i * columns + j)]);
      REQUIRE(out.intact());
      REQUIRE(in.unchanged());
    }
}

TEST_CASE_TEMPLATE("stencil5: the mean of four neighbours, zero outside", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto [rows, columns] : shapes)
    for (place where : {place{}, {1, 3}, {0, 1, true}}) {
      auto const values = random_values<float>(rows * columns);
      guarded<float, B, 2> in(s, {{rows, columns}}, values, where), out(s, {{rows, columns}}, where);
      launch(s, kernels::stencil5::blocks(rows, columns), kernels::stencil5{in.view(), out.view()});
      auto const at = [&, rows = rows, columns = columns](index_t y, index_t x) {
        return y < 0 || x < 0 || y >= rows || x >= columns ? 0.0 : double(values[std::size_t(y * columns + x)]);
      };
      auto const mean = out.values();
      for (index_t y = 0; y < rows; ++y)
        for (index_t x = 0; x < columns; ++x) {
          double const expected = 0.25 * (at(y, x - 1) + at(y, x + 1) + at(y - 1, x) + at(y + 1, x));
          REQUIRE(std::fabs(double(mean[std::size_t(y * columns + x)]) - expected) <= 4 * double(std::numeric_limits<float>::epsilon()));
        }
      REQUIRE(out.intact());
      REQUIRE(in.unchanged());
    }
}
