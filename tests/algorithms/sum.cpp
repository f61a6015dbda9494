#include <cmath>

#include "../backends.hpp"

#include "../support/child.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::random_values;

namespace {

template <class T>
struct reference {
  double total = 0, magnitude = 0;
  explicit reference(std::vector<T> const& values) {
    long double t = 0, m = 0;
    for (T v : values) t += static_cast<long double>(v), m += std::fabs(static_cast<long double>(v));
    total = double(t);
    magnitude = double(m);
  }
};

/// A tree of depth log2 n above short runs: the error grows with the logarithm, not with n.
template <class Sum>
double bound(index_t n, double magnitude) {
  return (64 + 2 * std::log2(double(n) + 1)) * double(std::numeric_limits<Sum>::epsilon()) * magnitude;
}

template <class T, class Sum, class B>
void sum_floats(typename B::stream const& s) {
  for (index_t n : {1, 2, 31, 33, 1000, 8191, 8193, 100003, 1 << 21}) {
    if (testing::small_sizes() && n > 10000) continue;
    CAPTURE(n);
    auto const values = random_values<T>(n, std::uint64_t(n));
    guarded<T, B> in(s, values, {1, 0, true});
    guarded<Sum, B> out(s, 1);
    sum(s, in.const_view(), out.view());
    reference<T> const r(values);
    CHECK(std::fabs(double(out.values()[0]) - r.total) <= bound<Sum>(n, r.magnitude));
    CHECK(out.intact());
    CHECK(in.unchanged());
  }
}

template <class T, class B>
void sum_integers(typename B::stream const& s) {
  using total = sum_t<T>;
  CHECK(sizeof(total) == 8);
  for (index_t n : {1, 33, 8193, 100003}) {
    auto const values = random_values<T>(n);
    total expected = 0;
    for (T v : values) expected = total(std::uint64_t(expected) + std::uint64_t(total(v)));  // wraps where 64 bits do
    guarded<T, B> in(s, values, {1, 0, true});
    CHECK(sum(s, in.const_view()) == expected);
    CHECK(in.unchanged());
  }
  // Extremes, more of them than 32 bits can add.
  std::vector<T> const most(5000, std::numeric_limits<T>::max());
  CHECK(sum(s, upload(s, most)) == total(std::uint64_t(5000) * std::uint64_t(std::numeric_limits<T>::max())));
}

}  // namespace

TEST_CASE_TEMPLATE("sum: floats against a wider reference", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  sum_floats<float, float, B>(s);
  sum_floats<float, double, B>(s);
  sum_floats<double, double, B>(s);
}

TEST_CASE_TEMPLATE("sum: integers of every width in 64 bits", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  sum_integers<std::int8_t, B>(s);
  sum_integers<std::int16_t, B>(s);
  sum_integers<std::int32_t, B>(s);
  sum_integers<std::int64_t, B>(s);
  sum_integers<std::uint8_t, B>(s);
  sum_integers<std::uint16_t, B>(s);
  sum_integers<std::uint32_t, B>(s);
  sum_integers<std::uint64_t, B>(s);
  // The same widths under other names.
  sum_integers<long long, B>(s);
  sum_integers<unsigned long, B>(s);
  sum_integers<char, B>(s);
  CHECK(sum(s, upload(s, std::vector<std::int32_t>(4, 1 << 30))) == std::int64_t(1) << 32);
  CHECK(sum(s, upload(s, std::vector<std::int32_t>(4, -(1 << 30)))) == -(std::int64_t(1) << 32));
}

TEST_CASE_TEMPLATE("sum: exact where the arithmetic is", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const values = testing::whole_values<float>(1 << 18);
  float expected = 0;
  for (float v : values) expected += v;
  CHECK(sum(s, upload(s, values)) == expected);
  // One accumulator would stop at 2^24.
  index_t const n = testing::size_of((1 << 24) + 4096, 1 << 16);
  buffer<float, B> ones(s, n);
  fill(s, ones, 1.0f);
  CHECK(sum(s, ones) == float(n));
  CHECK(sum<double>(s, ones) == double(n));
}

TEST_CASE_TEMPLATE("sum: of nothing is 0, also into dirty memory", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  {
    buffer<float, B> dirty(s, 1 << 16);
    fill(s, dirty, testing::quiet_nan<float>);
  }
  guarded<float, B> out(s, 1);
  CHECK(std::isnan(out.values()[0]));
  sum(s, view<float const>(), out.view());
  CHECK(out.values()[0] == 0);
  CHECK(out.intact());
  buffer<int, B> none(s, 0);
  CHECK(sum(s, none) == 0);
  CHECK(sum(s, view<int const, 2>(nullptr, 0, 5)) == 0);
  CHECK(sum(s, view<int const, 3>(nullptr, 4, 5, 0)) == 0);
}

TEST_CASE_TEMPLATE("sum: strides", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{3, 5, 7}}, {{2, 300, 17}}, {{1, 4000, 3}}, {{5, 1, 2049}}, {{40, 100, 1}}}) {
    auto const values = random_values<std::int32_t>(shape.volume());
    std::int64_t expected = 0;
    for (auto v : values) expected += v;
    for (testing::place where : {testing::place{1, 1}, {0, 3, true}}) {
      guarded<std::int32_t, B, 3> g(s, shape, values, where);
      CHECK(sum(s, g.view()) == expected);
      CHECK(g.unchanged());
    }
  }
}

TEST_CASE_TEMPLATE("sum: NaN and infinity come through", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (std::size_t at : {std::size_t(0), std::size_t(777), std::size_t(9999)}) {
    std::vector<float> values(10000, 1.0f);
    values[at] = testing::quiet_nan<float>;
    CHECK(std::isnan(sum(s, upload(s, values))));
    values[at] = std::numeric_limits<float>::infinity();
    CHECK(std::isinf(sum(s, upload(s, values))));
  }
}

TEST_CASE_TEMPLATE("sum: bit-identical from run to run", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const data = upload(s, random_values<float>(testing::size_of(1000003, 10007)));
  float const first = sum(s, data);
  for (int i = 0; i < 20; ++i) CHECK(sum(s, data) == first);
}

TEST_CASE_TEMPLATE("sum: a result view of the wrong size", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> in(s, 10), out(s, 2);
  fill(s, in, 0.0f);
  CHECK(complaint<invalid_argument>({"sum", "one element", "2"}, [&] { sum(s, in, out); }) == "");
  CHECK(complaint<invalid_argument>({"one element", "0"}, [&] { sum(s, in, out.view().slice(0, 0)); }) == "");
  sum(s, in, out.view().slice(1, 1));
  CHECK(download(s, out.view().slice(1, 1))[0] == 0);
}

DOLMEN_TEST_CHILD(prints_sums) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  std::cout << std::hexfloat;
  for (index_t n : {1, 1000, 70001, 2000003}) std::cout << sum(s, upload(s, random_values<float>(n))) << ' ';
  std::cout << sum(s, upload(s, random_values<double>(300007))) << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("sum: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_sums", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 20);
  for (std::string const threads : {"2", "3", "7", "64"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_sums", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
