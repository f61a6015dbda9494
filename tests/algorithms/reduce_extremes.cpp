// Minimum, maximum, their places; counts and questions.
#include "reduce_support.hpp"

using namespace dolmen;
using namespace testing::reductions;
using testing::complaint;
using testing::guarded;

namespace {

template <class T, class B>
void check_extremes(typename B::stream const& s, std::vector<T> const& values, testing::place where) {
  guarded<T, B> in(s, values, where);
  REQUIRE(same(min_of(s, in.const_view()), least(values)));
  REQUIRE(same(max_of(s, in.const_view()), greatest(values)));
  REQUIRE(same(minmax_of(s, in.const_view()), min_max<T>{least(values), greatest(values)}));
  REQUIRE(argmin(s, in.const_view()) == place_of_least(values));
  REQUIRE(argmax(s, in.const_view()) == place_of_greatest(values));
  REQUIRE(in.unchanged());
}

template <class T, class B>
void check_questions(typename B::stream const& s, std::vector<T> const& values, testing::place where) {
  index_t expected = 0;
  for (T v : values) expected += wide(v) != 0;
  index_t const n = index_t(values.size());
  guarded<T, B> in(s, values, where);
  REQUIRE(count_nonzero(s, in.const_view()) == expected);
  REQUIRE(any_of(s, in.const_view()) == (expected > 0));
  REQUIRE(all_of(s, in.const_view()) == (expected == n));
}

}  // namespace

TEST_CASE_TEMPLATE("extremes: every type, length and place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_number([&]<class T>() {
    CAPTURE(sizeof(T));
    for (index_t n : lengths<T>())
      for (auto where : places(n)) {
        CAPTURE(n);
        if (n == 0) continue;
        check_extremes<T, B>(s, spread_values<T>(n, std::uint64_t(n)), where);
        if (n <= 4097) check_extremes<T, B>(s, few_values<T>(n, std::uint64_t(n)), where);
      }
  });
}

TEST_CASE_TEMPLATE("extremes: NaN wherever it stands", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 9001;
  each_float([&]<class T>() {
    for (index_t at : {0, 1, 31, 255, 4500, 8191, 8999, 9000}) {
      CAPTURE(at);
      auto values = spread_values<T>(n, 3);
      for (auto bits : {testing::quiet_nan<float>, -testing::quiet_nan<float>}) {
        values[std::size_t(at)] = static_cast<T>(bits);
        check_extremes<T, B>(s, values, {1});
        CHECK(is_nan(min_of(s, upload(s, values))));
      }
      values[std::size_t(n - 1)] = static_cast<T>(testing::quiet_nan<float>);  // the first wins
      check_extremes<T, B>(s, values, {});
    }
    check_extremes<T, B>(s, std::vector<T>(5000, static_cast<T>(testing::quiet_nan<float>)), {});
  });
}

TEST_CASE_TEMPLATE("extremes: zeros of both signs, infinities, the types' limits", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_float([&]<class T>() {
    T const zero = static_cast<T>(0.0f), minus = static_cast<T>(-0.0f), infinity = static_cast<T>(std::numeric_limits<float>::infinity());
    for (index_t at : {0, 5, 300, 4999}) {
      std::vector<T> values(5000, zero);
      values[std::size_t(at)] = minus;
      check_extremes<T, B>(s, values, {});
      std::vector<T> negative(5000, minus);
      negative[std::size_t(at)] = zero;
      check_extremes<T, B>(s, negative, {});
    }
    // Every value is the identity.
    check_extremes<T, B>(s, std::vector<T>(5000, infinity), {});
    check_extremes<T, B>(s, std::vector<T>(5000, static_cast<T>(-wide(infinity))), {});
  });
  each_integer([&]<class T>() {
    check_extremes<T, B>(s, std::vector<T>(5000, std::numeric_limits<T>::max()), {});
    check_extremes<T, B>(s, std::vector<T>(5000, std::numeric_limits<T>::lowest()), {});
  });
}

TEST_CASE_TEMPLATE("extremes: at every place of a short view", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1100, 70);
  for (index_t at = 0; at < n; ++at) {
    std::vector<std::int16_t> values(std::size_t(n), 5);
    values[std::size_t(at)] = 4;
    auto const low = upload(s, values);
    REQUIRE(argmin(s, low) == at);
    REQUIRE(min_of(s, low) == 4);
  }
}

TEST_CASE_TEMPLATE("extremes: argmin and argmax of nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0);
  buffer<index_t, B> out(s, 1);
  CHECK(complaint<invalid_argument>({"argmin", "no element"}, [&] { argmin(s, none); }) == "");
  CHECK(complaint<invalid_argument>({"argmax", "no element", "3 x 0"}, [&] { argmax(s, view<int const, 2>(nullptr, 3, 0), out); }) == "");
}

TEST_CASE_TEMPLATE("questions: every type, length and place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  each_number([&]<class T>() {
    for (index_t n : lengths<T>())
      for (auto where : places(n)) {
        CAPTURE(n);
        check_questions<T, B>(s, few_values<T>(n, std::uint64_t(n)), where);
        if (n > 4097) continue;
        check_questions<T, B>(s, std::vector<T>(std::size_t(n), static_cast<T>(0)), where);
        std::vector<T> one(std::size_t(n), static_cast<T>(0));
        if (n > 0) one.back() = static_cast<T>(1);
        check_questions<T, B>(s, one, where);
        check_questions<T, B>(s, std::vector<T>(std::size_t(n), static_cast<T>(1)), where);
      }
  });
}

TEST_CASE_TEMPLATE("questions: NaN is not 0, -0.0 is; bool; results on the device", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  CHECK(count_nonzero(s, upload(s, std::vector<float>{testing::quiet_nan<float>, -0.0f, 0.0f, 1e-45f})) == 2);
  buffer<bool, B> flags(s, 1000);
  fill(s, flags, false);
  CHECK(!any_of(s, flags));
  fill(s, flags.view().slice(998, 1), true);
  CHECK(any_of(s, flags));
  CHECK(!all_of(s, flags));
  CHECK(count_nonzero(s, flags) == 1);
  buffer<bool, B> answer(s, 2);
  any_of(s, flags, answer.view().slice(0, 1));
  all_of(s, flags, answer.view().slice(1, 1));
  CHECK(any_of(s, answer));
  CHECK(!all_of(s, answer));
  buffer<index_t, B> count(s, 1);
  count_nonzero(s, flags, count);
  CHECK(download(s, count)[0] == 1);
  CHECK(all_of(s, view<int const>()));
  CHECK(!any_of(s, view<int const>()));
}
