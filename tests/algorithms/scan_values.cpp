// Scans whose values tell what was joined with what: zeros of both signs, and products that are exact across all tiles and chunks.
#include "scan_checks.hpp"

using namespace test_scans;

namespace {

template <class T>
std::vector<detail::word_of<T>> bits_of_all(std::vector<T> const& values) {
  std::vector<detail::word_of<T>> bits;
  for (T v : values) bits.push_back(detail::bits_of(v));
  return bits;
}

/// The extreme is a zero from the beginning; at one place it gets the other sign, and keeps it.
template <class B, class T, class Op>
void check_zeros(typename B::stream const& s, index_t n, index_t turning, Op op) {
  CAPTURE(n);
  CAPTURE(turning);
  bool const least = std::same_as<Op, minimum>;
  T const zero = T(least ? 0.0f : -0.0f), other = T(least ? -0.0f : 0.0f), beyond = T(least ? 1.0f : -1.0f);
  std::vector<T> values;
  for (index_t i = 0; i < n; ++i) values.push_back(i == turning ? other : i % 3 == 0 ? zero : beyond);
  guarded<T, B> in(s, values, {1, 0}), out(s, n, {2, 0});
  inclusive_scan(s, in.const_view(), out.view(), op);
  CHECK(bits_of_all(out.values()) == bits_of_all(reference_scan<T>(values, n, op)));
  for (T first : {zero, other}) {
    exclusive_scan(s, in.const_view(), out.view(), op, first);
    CHECK(bits_of_all(out.values()) == bits_of_all(reference_scan<T>(values, n, op, std::optional<T>(first))));
  }
  CHECK(out.intact());
}

/// Powers of two of both signs. Products stay within 2^-6 and 2^6, so that they are exact in every type.
template <class T>
std::vector<T> factors(index_t n) {
  auto const random = testing::random_values<std::uint32_t>(n, std::uint64_t(n) + 7);
  std::vector<T> values;
  int exponent = 0;
  for (std::uint32_t r : random) {
    int step = int(r % 5) - 2;
    if (exponent + step > 6 || exponent + step < -6) step = -step;
    exponent += step;
    values.push_back(T((r & 0x80 ? -1.0f : 1.0f) * std::exp2(float(step))));
  }
  return values;
}

template <class B, class T>
void check_products(typename B::stream const& s, index_t n) {
  CAPTURE(n);
  auto const values = factors<T>(n);
  guarded<T, B> in(s, values, {3, 0}), out(s, n, {0, 0, true});
  auto const equal = [&](std::optional<double> initial) {
    auto const expected = reference_scan<double>(values, n, times{}, initial);
    auto const got = out.values();
    for (std::size_t i = 0; i < got.size(); ++i)
      if (double(got[i]) != expected[i]) {
        FAIL_CHECK("element ", i, ": ", double(got[i]), " instead of ", expected[i]);
        return;
      }
  };
  inclusive_scan(s, in.const_view(), out.view(), multiplies{});
  equal(std::nullopt);
  exclusive_scan(s, in.const_view(), out.view(), multiplies{}, T(-4.0f));
  equal(-4.0);
  CHECK(out.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("scan: extremes keep the signs of zeros, whichever part meets them", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(70001, 2501);
  for (index_t turning : {index_t(0), index_t(1), index_t(37), n / 2, n - 2}) {
    check_zeros<B, float>(s, n, turning, minimum{});
    check_zeros<B, float>(s, n, turning, maximum{});
    check_zeros<B, double>(s, n, turning, minimum{});
    check_zeros<B, double>(s, n, turning, maximum{});
  }
  check_zeros<B, half>(s, n, n / 3, minimum{});
  check_zeros<B, half>(s, n, n / 3, maximum{});
  check_zeros<B, bfloat16>(s, n, n / 3, minimum{});
  for (index_t length : {1, 2, 15, 16, 17, 300}) check_zeros<B, float>(s, length, length / 2, maximum{});
}

TEST_CASE_TEMPLATE("scan: products of floats across chunks", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {index_t(1000), testing::size_of(70001, 4099), testing::size_of(300007, 5003)}) {
    check_products<B, float>(s, n);
    check_products<B, double>(s, n);
  }
  check_products<B, half>(s, testing::size_of(70001, 4099));
  check_products<B, bfloat16>(s, testing::size_of(70001, 4099));
}
