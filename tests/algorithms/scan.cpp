// Scans with the library's own operators.
#include "../backends.hpp"

#include "../support/child.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"
#include "rows.hpp"
#include "scan_reference.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;
using testing::reference_scan;

namespace {

template <class Op>
constexpr bool picks = std::same_as<Op, minimum> || std::same_as<Op, maximum>;

// In which results are computed exactly, or nearly so: a product of a million doubles in double is not.
template <class T, class Op = plus>
using wide = std::conditional_t<std::is_integral_v<T>, T, std::conditional_t<std::same_as<T, double> && !picks<Op>, long double, double>>;

struct sums {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::uint64_t(a) + std::uint64_t(b));
    else
      return a + b;
  }
};
struct times {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::uint64_t(a) * std::uint64_t(b));
    else
      return a * b;
  }
};

/// Rounded once to T, after sums whose errors grow with the number of joints: of an element's tile, of tiles, of groups.
template <class T>
bool close(T got, double exact, double magnitude, index_t n) {
  using value = std::conditional_t<sizeof(T) == 2, float, T>;
  double const bound = (128 + double(n) / 2048) * testing::roundoff<value> * magnitude + 2 * testing::roundoff<T> * std::fabs(exact);
  return std::fabs(double(got) - exact) <= bound + testing::least<T>;
}

template <class T, class Op, class Reference>
void compare(std::vector<T> const& got, std::vector<T> const& in, index_t length, Op, Reference op, std::optional<wide<T, Op>> initial) {
  auto const expected = reference_scan<wide<T, Op>>(in, length, op, initial);
  REQUIRE(got.size() == expected.size());
  if constexpr (std::is_integral_v<T>) {
    CHECK(got == expected);
  } else if constexpr (picks<Op>) {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (double(got[i]) != expected[i]) FAIL_CHECK("element ", i, " of ", got.size());
  } else {
    double const first = initial ? std::fabs(double(*initial)) : 0;
    double magnitude = first;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (index_t(i) % length == 0) magnitude = first;
      magnitude = std::same_as<Op, plus> ? magnitude + std::fabs(double(in[i])) : std::fabs(double(expected[i]));
      if (!close(got[i], double(expected[i]), magnitude, length)) {
        FAIL_CHECK("element ", i, " of ", got.size(), ": ", double(got[i]), " instead of ", expected[i]);
        return;
      }
    }
  }
}

template <class T>
std::vector<T> values_for(index_t n, bool product) {
  if constexpr (std::is_integral_v<T>) {
    auto values = testing::random_values<T>(n, std::uint64_t(n) + 1);
    if (product)
      for (auto& v : values) v = T(v | 1);  // odd: no product becomes 0
    return values;
  } else {
    std::vector<T> values;
    for (double v : testing::random_values<double>(n, std::uint64_t(n) + 1)) values.push_back(T(float(product ? std::exp2(v / 64) : v)));
    return values;
  }
}

/// Both scans, apart and in place, at a place.
template <class B, class T, class Op, class Reference>
void whole(typename B::stream const& s, index_t n, place where, Op op, Reference reference) {
  CAPTURE(n);
  auto const values = values_for<T>(n, std::same_as<Op, multiplies>);
  guarded<T, B> in(s, values, where), out(s, n, {where.offset + 1, 0, where.at_end});
  inclusive_scan(s, in.const_view(), out.view(), op);
  compare(out.values(), values, std::max<index_t>(n, 1), op, reference, std::nullopt);
  CHECK(in.unchanged());
  CHECK(out.intact());
  exclusive_scan(s, in.view(), in.view(), op, {3});
  compare(in.values(), values, std::max<index_t>(n, 1), op, reference, std::optional<wide<T, Op>>(3));
  CHECK(in.intact());
}

template <class B, class T>
void every_operator(typename B::stream const& s, index_t n, place where) {
  whole<B, T>(s, n, where, plus{}, sums{});
  whole<B, T>(s, n, where, multiplies{}, times{});
  whole<B, T>(s, n, where, minimum{}, minimum{});
  whole<B, T>(s, n, where, maximum{}, maximum{});
}

/// Every length once, operators and places in turn; or all with all.
template <class B, class T>
void ladder_of() {
  typename B::stream s;
  constexpr place places[] = {{0, 0}, {0, 0, true}, {3, 0}};
  int turn = int(sizeof(T));
  for (index_t n : testing::ladder()) {
    if (testing::full_products()) {
      for (place where : places) every_operator<B, T>(s, n, where);
      continue;
    }
    place const where = places[turn++ % 3];
    if (n > 100000 && sizeof(T) != 4 && sizeof(T) != 1) continue;
    switch (turn % 4) {
      case 0:
        whole<B, T>(s, n, where, minimum{}, minimum{});
        break;
      case 1:
        whole<B, T>(s, n, where, maximum{}, maximum{});
        break;
      case 2:
        whole<B, T>(s, n, where, multiplies{}, times{});
        break;
      default:
        break;
    }
    whole<B, T>(s, n, where, plus{}, sums{});
  }
}

template <class B, class T, class Out>
void widening(typename B::stream const& s) {
  index_t const n = testing::size_of(40000, 3000);
  auto const values = values_for<T>(n, false);
  guarded<T, B> in(s, values, {1, 0});
  guarded<Out, B> out(s, n, {1, 0});
  inclusive_scan(s, in.const_view(), out.view());
  auto const got = out.values();
  wide<Out> sum = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    sum += static_cast<wide<Out>>(values[i]);
    magnitude += std::fabs(double(values[i]));
    bool right;
    if constexpr (std::is_integral_v<Out>)
      right = got[i] == sum;
    else
      right = close(got[i], double(sum), magnitude, n);
    if (!right) {
      FAIL_CHECK("element ", i);
      return;
    }
  }
  CHECK(out.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("scan: all sizes, float and int32", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, float>();
  ladder_of<B, std::int32_t>();
}
TEST_CASE_TEMPLATE("scan: all sizes, double and 64 bits", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, double>();
  ladder_of<B, std::int64_t>();
  ladder_of<B, std::uint64_t>();
}
TEST_CASE_TEMPLATE("scan: all sizes, 8 and 16 bits", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, std::int8_t>();
  ladder_of<B, std::uint8_t>();
  ladder_of<B, std::int16_t>();
  ladder_of<B, std::uint16_t>();
}
TEST_CASE_TEMPLATE("scan: all sizes, half and bfloat16, uint32", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, half>();
  ladder_of<B, bfloat16>();
  ladder_of<B, std::uint32_t>();
}

TEST_CASE_TEMPLATE("scan: sums in a wider type", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  widening<B, std::int8_t, std::int64_t>(s);
  widening<B, std::int16_t, std::int64_t>(s);
  widening<B, std::int32_t, std::int64_t>(s);
  widening<B, std::uint8_t, std::uint64_t>(s);
  widening<B, std::uint16_t, std::uint64_t>(s);
  widening<B, std::uint32_t, std::uint64_t>(s);
  widening<B, float, double>(s);
  widening<B, half, float>(s);
  widening<B, bfloat16, float>(s);
  widening<B, char, long long>(s);
}

TEST_CASE_TEMPLATE("scan: half is added in float", B, DOLMEN_TEST_BACKENDS) {
  // In half, 2048 + 1 is 2048.
  typename B::stream s;
  auto const ones = upload(s, std::vector<half>(4096, half(1.0f)));
  buffer<half, B> out(s, 4096);
  inclusive_scan(s, ones, out);
  auto const got = download(s, out);
  CHECK(float(got[4095]) == 4096);
  CHECK(float(got[2999]) == 3000);
  exclusive_scan(s, ones, out, plus{}, 0.25f);
  CHECK(float(download(s, out)[0]) == 0.25f);
}

TEST_CASE_TEMPLATE("scan: of strided views, row by row", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{3, 5, 7}}, {{2, 300, 17}}, {{1, 4, 5001}}, {{5, 1, 2049}}, {{40, 100, 1}}}) {
    CAPTURE(shape.volume());
    auto const values = testing::random_values<std::int32_t>(shape.volume());
    guarded<std::int32_t, B, 3> in(s, shape, values, {1, 3}), out(s, shape, place{2, 1, true});
    inclusive_scan(s, in.const_view(), out.view());
    compare(out.values(), values, shape.volume(), plus{}, sums{}, std::nullopt);
    CHECK(in.unchanged());
    CHECK(out.intact());
    exclusive_scan(s, in.view(), in.view(), maximum{}, -5);
    compare(in.values(), values, shape.volume(), maximum{}, maximum{}, std::optional<int>(-5));
    CHECK(in.intact());
  }
}

TEST_CASE_TEMPLATE("scan: of every row", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<2> shape : {extents<2>{{1, 1}}, {{300, 1}}, {{700, 3}}, {{64, 31}}, {{33, 1024}}, {{7, 1025}}, {{5, 5000}}, {{3, 150001}}}) {
    if (testing::small_sizes() && shape.volume() > 20000) shape[1] = 6000;
    CAPTURE(shape[0]);
    CAPTURE(shape[1]);
    auto const values = testing::random_values<float>(shape.volume());
    for (place where : {place{0, 0}, {1, 3}}) {
      guarded<float, B, 2> in(s, shape, values, where), out(s, shape, place{2, 1, true});
      inclusive_scan_rows(s, in.const_view(), out.view());
      compare(out.values(), values, shape[1], plus{}, sums{}, std::nullopt);
      CHECK(in.unchanged());
      CHECK(out.intact());
      exclusive_scan_rows(s, in.view(), in.view(), minimum{}, 0.5f);
      compare(in.values(), values, shape[1], minimum{}, minimum{}, std::optional<double>(0.5));
      CHECK(in.intact());
    }
  }
  extents<3> const cube{{3, 4, 1500}};
  auto const values = testing::random_values<std::int8_t>(cube.volume());
  guarded<std::int8_t, B, 3> in(s, cube, values, {1, 2}), out(s, cube, place{0, 5});
  inclusive_scan_rows(s, in.const_view(), out.view());
  compare(out.values(), values, 1500, plus{}, sums{}, std::nullopt);
  CHECK(out.intact());
}

TEST_CASE_TEMPLATE("scan: NaN, infinity and the signs of zeros", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (std::size_t at : {std::size_t(0), std::size_t(777), std::size_t(9999)}) {
    std::vector<float> values(10000, 1.0f);
    values[at] = testing::quiet_nan<float>;
    auto const data = upload(s, values);
    buffer<float, B> out(s, 10000);
    for (int op = 0; op < 3; ++op) {
      if (op == 0) inclusive_scan(s, data, out);
      if (op == 1) inclusive_scan(s, data, out, minimum{});
      if (op == 2) inclusive_scan(s, data, out, maximum{});
      auto const got = download(s, out);
      CHECK((at == 0 || got[at - 1] == (op == 0 ? float(at) : 1.0f)));
      CHECK(std::isnan(got[at]));
      CHECK(std::isnan(got[9999]));
    }
  }
  std::vector<float> zeros(5000, -0.0f);
  auto const data = upload(s, zeros);
  buffer<float, B> out(s, 5000);
  inclusive_scan(s, data, out);
  CHECK(std::signbit(download(s, out)[4999]));
  zeros[2000] = std::numeric_limits<float>::infinity();
  inclusive_scan(s, upload(s, zeros), out);
  CHECK(download(s, out)[1999] == 0);
  CHECK(download(s, out)[4999] == std::numeric_limits<float>::infinity());
}

TEST_CASE_TEMPLATE("scan: bit-identical from run to run", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const data = upload(s, testing::random_values<float>(testing::size_of(3000003, 10007)));
  buffer<float, B> out(s, data.size());
  inclusive_scan(s, data, out);
  auto const first = download(s, out);
  for (int i = 0; i < 10; ++i) {
    inclusive_scan(s, data, out);
    auto const again = download(s, out);
    CHECK(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)) == 0);
  }
}

TEST_CASE_TEMPLATE("scan: nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0);
  inclusive_scan(s, none, none);
  exclusive_scan(s, view<int const, 2>(nullptr, 0, 5), view<int, 2>(nullptr, 0, 5));
  inclusive_scan_rows(s, view<int const, 2>(nullptr, 5, 0), view<int, 2>(nullptr, 5, 0));
  s.synchronize();
}

TEST_CASE_TEMPLATE("scan: refused", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> b(s, 100);
  fill(s, b, 1.0f);
  auto const v = b.view();
  CHECK(complaint<invalid_argument>({"inclusive_scan", "10", "11"}, [&] { inclusive_scan(s, v.slice(0, 10), v.slice(20, 11)); }) == "");
  CHECK(complaint<invalid_argument>({"inclusive_scan", "overlap"}, [&] { inclusive_scan(s, v.slice(0, 10), v.slice(9, 10)); }) == "");
  CHECK(complaint<invalid_argument>({"exclusive_scan", "overlap"}, [&] { exclusive_scan(s, v.slice(1, 10), v.slice(0, 10)); }) == "");
  auto const m = b.view(10, 10);
  CHECK(complaint<invalid_argument>({"_rows", "10 x 3", "10 x 4"}, [&] {
          inclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 3}}), m.subview({{0, 5}}, {{10, 4}}));
        }) == "");
  CHECK(complaint<invalid_argument>({"overlap"}, [&] {
          exclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 5}}), m.subview({{0, 4}}, {{10, 5}}));
        }) == "");
  // Neighbouring columns of one matrix share nothing.
  inclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 5}}), m.subview({{0, 5}}, {{10, 5}}));
  CHECK(download(s, m)[99] == 5);
  CHECK(download(s, m)[94] == 1);
}

DOLMEN_TEST_CHILD(prints_scans) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  std::uint64_t mixed = 0;
  for (index_t n : {1, 1000, 70001, 2000003}) {
    auto const data = upload(s, testing::random_values<float>(n));
    buffer<float, dolmen::cpu::backend> out(s, n);
    inclusive_scan(s, data, out);
    for (float v : download(s, out)) mixed = mixed * 31 + dolmen::detail::bits_of(v);
  }
  auto const rows = upload(s, testing::random_values<double>(20 * 30001));
  buffer<double, dolmen::cpu::backend> out(s, 20 * 30001);
  exclusive_scan_rows(s, rows.view(20, 30001), out.view(20, 30001));
  for (double v : download(s, out)) mixed = mixed * 31 + dolmen::detail::bits_of(v);
  std::cout << "scans " << mixed << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("scan: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_scans", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 10);
  for (std::string const threads : {"2", "3", "7", "64"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_scans", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
