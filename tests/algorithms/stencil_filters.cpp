// Filters of large planes, which on a GPU have kernels of their own.
#include <cmath>

#include "rows.hpp"

using namespace dolmen;

namespace {

/// Elements all over a plane, and all at its corners, against double precision.
template <class T, class B>
void check_filter(typename B::stream const& s, int side) {
  index_t const n = testing::size_of(is_cpu<B> ? 1032 : 4104, 520);
  int const radius = side / 2;
  CAPTURE(side);
  buffer<T, B> in(s, n * n), out(s, n * n);
  fill_uniform(s, in, 5, T(-1.0f), T(1.0f));
  fill(s, out, T(testing::quiet_nan<float>));
  auto const filter = testing::random_values<double>(side * side, 7);
  convolve(s, in.view(n, n), filter, side, side, out.view(n, n), boundary::zero);
  auto const values = download(s, in), got = download(s, out);

  std::vector<index_t> places;
  for (index_t y : {index_t(0), index_t(1), index_t(5), n - 5, n - 1})
    for (index_t x = 0; x < n; x += 1 + x % 37) places.insert(places.end(), {y * n + x, x * n + y});
  for (index_t i = 0; i < 4000; ++i) places.push_back(i * 16127 * 1031 % (n * n));
  index_t wrong = 0;
  for (index_t at : places) {
    index_t const y = at / n, x = at % n;
    double sum = 0, magnitude = 0;
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        index_t const yk = y + radius - j, xk = x + radius - i;
        if (yk < 0 || yk >= n || xk < 0 || xk >= n) continue;
        double const product = filter[std::size_t(j * side + i)] * double(values[std::size_t(yk * n + xk)]);
        sum += product;
        magnitude += std::fabs(product);
      }
    double const room = magnitude * (side * side + 2) * testing::roundoff<testing::computed_in<T>> + std::fabs(sum) * testing::roundoff<T> +
                        testing::least<T>;
    if (!(std::fabs(double(got[std::size_t(at)]) - sum) <= room)) ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("convolve: filters of large planes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_filter<float, B>(s, 5);
  check_filter<float, B>(s, 7);
  check_filter<float, B>(s, 9);
  check_filter<double, B>(s, 5);
  check_filter<half, B>(s, 5);
  check_filter<bfloat16, B>(s, 7);
}
