// Reductions by users' operators, transformations, predicates and element types.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "reduce_support.hpp"

using namespace dolmen;
using namespace testing::reductions;
using testing::guarded;

namespace test_reduce_users {

/// x -> a x + b, in 32 bits that wrap. One behind the other is associative, not commutative.
struct affine {
  std::uint32_t a, b;
  friend bool operator==(affine const&, affine const&) = default;
};
struct first_then_second {
  DOLMEN_FN affine operator()(affine f, affine g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};

/// Of 12 bytes, and marked: an operator that meets something else than elements spoils the mark.
struct marked {
  std::uint32_t a, b, mark;
  friend bool operator==(marked const&, marked const&) = default;
};
constexpr std::uint32_t mark = 0x600d600d;
struct join_marked {
  DOLMEN_FN marked operator()(marked f, marked g) const {
    return {f.a * g.a, f.b * g.a + g.b, f.mark == mark && g.mark == mark ? mark : 0};
  }
};

struct largest_magnitude {
  static constexpr bool commutative = true;
  DOLMEN_FN double operator()(double a, double b) const { return (a < 0 ? -a : a) < (b < 0 ? -b : b) ? b : a; }
};
struct add_ints {
  static constexpr bool commutative = true;
  template <class T>
  DOLMEN_FN T operator()(T a, T b) const {
    return a + b;
  }
};
struct square {
  DOLMEN_FN float operator()(float x) const { return x * x; }
};
struct as_affine {
  DOLMEN_FN affine operator()(std::uint8_t x) const { return {2u * x + 1, x}; }
};
struct over {
  float limit;
  DOLMEN_FN bool operator()(float x) const { return x > limit; }
};
struct same_half {
  DOLMEN_FN half operator()(half x) const { return x; }
};
struct product_of_halves {
  DOLMEN_FN half operator()(half x, half y) const { return x * y; }
};
struct largest_of_two {
  template <class T>
  DOLMEN_FN T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
/// Without a default constructor.
struct strict {
  int value;
  explicit DOLMEN_FN strict(int v) : value(v) {}
};
struct value_of_strict {
  DOLMEN_FN int operator()(strict s) const { return s.value; }
};

template <class T>
std::vector<T> functions(index_t n) {
  std::mt19937_64 next(std::uint64_t(n) + 5);
  std::vector<T> values;
  for (index_t i = 0; i < n; ++i) {
    T f{};
    f.a = std::uint32_t(next()) | 1, f.b = std::uint32_t(next());
    if constexpr (std::is_same_v<T, marked>) f.mark = mark;
    values.push_back(f);
  }
  return values;
}

}  // namespace test_reduce_users

using namespace test_reduce_users;

TEST_CASE_TEMPLATE("reduce: an operator that is not commutative sees neighbours in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder())
    for (auto where : places(n)) {
      CAPTURE(n);
      auto const values = functions<affine>(n);
      affine expected{3, 4};
      for (auto f : values) expected = first_then_second{}(expected, f);
      guarded<affine, B> in(s, values, where);
      REQUIRE(reduce(s, in.const_view(), first_then_second{}, affine{3, 4}) == expected);
      guarded<affine, B> out(s, 1);
      reduce(s, in.const_view(), out.view(), first_then_second{}, affine{3, 4});
      REQUIRE(out.values()[0] == expected);
      REQUIRE(out.intact());
    }
}

TEST_CASE_TEMPLATE("reduce: an operator meets elements and the initial value alone", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto const values = functions<marked>(n);
    marked expected{3, 4, mark};
    for (auto f : values) expected = join_marked{}(expected, f);
    guarded<marked, B> in(s, values, {1, 0, true});
    REQUIRE(reduce(s, in.const_view(), join_marked{}, marked{3, 4, mark}) == expected);
  }
  for (extents<3> shape : {extents<3>{{3, 5, 7}}, {{2, 300, 17}}, {{1, 400, 3}}, {{2, 2, 3001}}}) {
    auto const values = functions<marked>(shape.volume());
    marked expected{3, 4, mark};
    for (auto f : values) expected = join_marked{}(expected, f);
    guarded<marked, B, 3> in(s, shape, values, {1, 2});
    REQUIRE(reduce(s, in.view(), join_marked{}, marked{3, 4, mark}) == expected);
  }
}

TEST_CASE_TEMPLATE("reduce: records at addresses that are no multiple of their size", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 33, 257, 4097, 70000}) {
    auto const values = functions<affine>(testing::size_of(n, n % 5000));
    affine expected{3, 4};
    for (auto f : values) expected = first_then_second{}(expected, f);
    index_t const count = index_t(values.size());
    buffer<std::uint32_t, B> words(s, 2 * count + 1);
    view<affine> const odd(reinterpret_cast<affine*>(words.data() + 1), count);
    copy(s, values, odd);
    CHECK(reduce(s, odd, first_then_second{}, affine{3, 4}) == expected);
    buffer<affine, B> out(s, 1);
    reduce_rows(s, view<affine, 2>(odd.data(), 1, count), out, first_then_second{}, affine{3, 4});
    CHECK(download(s, out)[0] == expected);
    reduce_columns(s, view<affine, 2>(odd.data(), count, 1), out, first_then_second{}, affine{3, 4});
    CHECK(download(s, out)[0] == expected);
  }
}

TEST_CASE_TEMPLATE("reduce: a commutative operator of the user's", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto values = testing::random_values<double>(n, 7);
    double expected = 0.125;
    for (double v : values) expected = largest_magnitude{}(expected, v);
    guarded<double, B> in(s, values, {1});
    CHECK(reduce(s, in.const_view(), largest_magnitude{}, 0.125) == expected);
  }
  // The common type of elements and initial value, whichever is wider.
  auto const ints = upload(s, std::vector<std::int32_t>(4, 1 << 30));
  CHECK(reduce(s, ints, add_ints{}, std::int64_t(1)) == (std::int64_t(1) << 32) + 1);
  auto const thousands = upload(s, std::vector<std::int16_t>(4, 1000));
  CHECK(reduce(s, thousands, add_ints{}, std::int8_t(1)) == 4001);
}

TEST_CASE_TEMPLATE("transform_reduce: of one input", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto const values = testing::whole_values<float>(n, 3);
    double expected = 0;
    for (float v : values) expected += double(v) * double(v);
    auto const in = upload(s, values);
    CHECK(transform_reduce(s, in, square{}, plus{}, 0.0) == expected);
    CHECK(transform_reduce(s, in, square{}, maximum{}, -1.0f) ==
          (n ? std::pow(std::max(std::fabs(least(values)), std::fabs(greatest(values))), 2) : -1.0f));
    auto const bytes = testing::random_values<std::uint8_t>(n);
    affine all{1, 0};
    for (auto x : bytes) all = first_then_second{}(all, as_affine{}(x));
    guarded<std::uint8_t, B> narrow(s, bytes, {3});
    CHECK(transform_reduce(s, narrow.const_view(), as_affine{}, first_then_second{}, affine{1, 0}) == all);
  }
  std::vector<strict> const strict_values(1000, strict(3));
  CHECK(transform_reduce(s, upload(s, strict_values), value_of_strict{}, plus{}, 0) == 3000);
}

TEST_CASE_TEMPLATE("questions: with a predicate", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : testing::ladder()) {
    CAPTURE(n);
    auto const values = testing::random_values<float>(n, 9);
    index_t expected = 0;
    for (float v : values) expected += v > 0.5f;
    guarded<float, B> in(s, values, {1, 0, true});
    CHECK(count_if(s, in.const_view(), over{0.5f}) == expected);
    CHECK(any_of(s, in.const_view(), over{0.5f}) == (expected > 0));
    CHECK(all_of(s, in.const_view(), over{0.5f}) == (expected == n));
    CHECK(all_of(s, in.const_view(), over{-2.0f}));
    CHECK(!any_of(s, in.const_view(), over{2.0f}));
    buffer<index_t, B> count(s, 1);
    count_if(s, in.const_view(), count, over{0.5f});
    CHECK(download(s, count)[0] == expected);
    buffer<bool, B> answers(s, 2);
    any_of(s, in.const_view(), answers.view().slice(0, 1), over{-2.0f});
    all_of(s, in.const_view(), answers.view().slice(1, 1), over{-2.0f});
    CHECK(count_nonzero(s, answers) == (n > 0 ? 2 : 1));
  }
}

TEST_CASE_TEMPLATE("transform_reduce: the type of the result", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  // Sums of integers, and of answers, are in 64 bits whatever the initial value's type.
  auto const floats = upload(s, std::vector<float>{1, 2, 3});
  static_assert(std::is_same_v<decltype(transform_reduce(s, floats, over{1.5f}, plus{}, 0)), std::int64_t>);
  static_assert(std::is_same_v<decltype(transform_reduce(s, floats, over{1.5f}, plus{}, false)), std::int64_t>);
  CHECK(transform_reduce(s, floats, over{1.5f}, plus{}, 0) == 2);
  CHECK(transform_reduce(s, floats, over{1.5f}, plus{}, std::int64_t(1) << 40) == (std::int64_t(1) << 40) + 2);
  std::unique_ptr<bool[]> const answers(new bool[3]{true, false, true});
  buffer<bool, B> flags(s, 3);
  copy(s, std::span<bool const>(answers.get(), 3), flags);
  CHECK(reduce(s, flags, plus{}, false) == 2);
  CHECK(reduce(s, flags, plus{}, 7u) == 9);
  buffer<std::int64_t, B> count(s, 1);
  transform_reduce(s, floats, count, over{1.5f}, plus{}, 0);
  CHECK(download(s, count)[0] == 2);
  // Halves do not become integers.
  auto const halves = upload(s, std::vector<half>(8, half(0.75f)));
  CHECK(transform_reduce(s, halves, same_half{}, plus{}, 0) == 6.0f);
  CHECK(transform_reduce(s, halves, same_half{}, plus{}, 0.5) == 6.5);
  CHECK(transform_reduce(s, halves, same_half{}, maximum{}, 0) == half(0.75f));
  CHECK(transform_reduce(s, halves, halves, product_of_halves{}, plus{}, 0) == 4.5f);
  auto const wide = upload(s, std::vector<bfloat16>(4, bfloat16(0.5f)));
  CHECK(reduce(s, wide, largest_of_two{}, 0) == bfloat16(0.5f));
  CHECK(reduce(s, wide, largest_of_two{}, half(0.25f)) == 0.5f);
  // Neither do integers lose bits to a float, nor signs to an unsigned initial value.
  auto const ints = upload(s, std::vector<std::int32_t>{16777217, -2});
  CHECK(reduce(s, ints, largest_of_two{}, 0.5f) == 16777217.0);
  CHECK(reduce(s, ints, largest_of_two{}, 1u) == 16777217);
  CHECK(reduce(s, ints.view().slice(1, 1), largest_of_two{}, 1u) == 1);
  auto const refuses = [&](std::initializer_list<char const*> parts, auto&& call) {
    CHECK(testing::complaint<invalid_argument>(parts, call) == "");
  };
  refuses({"transform_reduce", "16777217", "float"}, [&] {
    buffer<float, B> out(s, 1);
    transform_reduce(s, floats, out, square{}, maximum{}, 16777217);
  });
}
