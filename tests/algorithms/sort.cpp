#include <algorithm>

#include "../backends.hpp"

#include "../support/child.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

/// NaNs last, -0.0 and 0.0 equal.
template <class T>
struct before {
  sort_order direction;
  bool operator()(T a, T b) const {
    if constexpr (!std::is_integral_v<T>) {
      bool const a_nan = a != a, b_nan = b != b;
      if (a_nan || b_nan) return !a_nan && b_nan;
    }
    return direction == sort_order::ascending ? a < b : b < a;
  }
};

/// Many equal keys among them; floats also with zeros of both signs, NaNs of both signs and with bits of their own.
template <class T>
std::vector<T> keys_of(index_t n, bool few) {
  auto const random = testing::random_values<std::int64_t>(n, std::uint64_t(n) + few);
  std::vector<T> keys;
  for (auto r : random) {
    if constexpr (std::is_integral_v<T>) {
      keys.push_back(static_cast<T>(few ? r % 5 : r));
    } else {
      switch (few ? r & 7 : (r & 0xff) + 2) {
        case 2:
          keys.push_back(T(-0.0f));
          break;
        case 3:
          keys.push_back(T(0.0f));
          break;
        case 4:
          keys.push_back(T(float(NAN)));
          break;
        case 5: {
          auto const ones = static_cast<detail::word_of<T>>(~detail::word_of<T>(0));
          keys.push_back(detail::bits_as<T>(static_cast<detail::word_of<T>>(ones - 5)));
          break;
        }
        case 6:
          keys.push_back(T(float(r & 8 ? INFINITY : -INFINITY)));
          break;
        default:
          keys.push_back(T(float(double(r >> 8) * 0x1p-50)));
      }
    }
  }
  return keys;
}

template <class T>
std::vector<detail::word_of<T>> bits_of_all(std::vector<T> const& values) {
  std::vector<detail::word_of<T>> bits;
  for (T v : values) bits.push_back(detail::bits_of(v));
  return bits;
}

template <class B, class T, class V>
void sort_both(index_t n, bool few, sort_order direction, place where) {
  CAPTURE(n);
  CAPTURE(few);
  typename B::stream s;
  auto const keys = keys_of<T>(n, few);
  std::vector<std::size_t> places(keys.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  before<T> const first{direction};
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return first(keys[a], keys[b]); });
  std::vector<T> sorted;
  std::vector<V> values, moved;
  for (std::size_t i = 0; i < keys.size(); ++i) values.push_back(static_cast<V>(i * 7 + 1));
  for (auto p : places) {
    sorted.push_back(keys[p]);
    moved.push_back(values[p]);
  }
  guarded<T, B> alone(s, keys, where), with(s, keys, where);
  guarded<V, B> carried(s, values, {1, 0});
  sort(s, alone.view(), direction);
  CHECK(bits_of_all(alone.values()) == bits_of_all(sorted));
  CHECK(alone.intact());
  sort_by_key(s, with.view(), carried.view(), direction);
  CHECK(bits_of_all(with.values()) == bits_of_all(sorted));
  CHECK(carried.values() == moved);
  CHECK(with.intact());
  CHECK(carried.intact());
}

template <class B, class T, class V>
void ladder_of() {
  int turn = int(sizeof(T) + sizeof(V));
  for (index_t n : testing::ladder()) {
    for (int kind = 0; kind < 4; ++kind) {
      if (!testing::full_products() && (kind != turn % 4 || (n > 100000 && sizeof(T) != 4))) continue;
      sort_both<B, T, V>(n, kind % 2 == 0, kind < 2 ? sort_order::ascending : sort_order::descending,
                         kind % 3 ? place{1, 0} : place{0, 0, true});
    }
    ++turn;
  }
}

/// Keys in an order of their own. Numbers go up to `n`, if T holds as many.
template <class T>
std::vector<T> keys_in_shape(index_t n, std::string const& shape) {
  auto const key = [](index_t k) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(k);
    else
      return T(float(k % 2048));  // which all types hold
  };
  std::vector<T> keys;
  for (index_t i = 0; i < n; ++i) {
    if (shape == "ascending") keys.push_back(key(i));
    if (shape == "descending") keys.push_back(key(n - i));
    if (shape == "equal") keys.push_back(key(7));
    if (shape == "one falls") keys.push_back(key(i == n - 1 ? 0 : i + 1));
    if (shape == "one rises") keys.push_back(key(i == n - 1 ? n : n - i));
    if (shape == "organ pipe") keys.push_back(key(min(i, n - i)));
    if (shape == "saw") keys.push_back(key(i % 37));
    if (shape == "one key is frequent") keys.push_back(key(i % 3 != 0 ? 5 : i * 7919 % n));
    if (shape == "ends of the type") {
      if constexpr (std::is_integral_v<T>)
        keys.push_back(i % 3 == 0 ? std::numeric_limits<T>::min() : i % 3 == 1 ? std::numeric_limits<T>::max() : T(i));
      else
        keys.push_back(i % 3 == 0 ? T(float(-INFINITY)) : i % 3 == 1 ? T(float(INFINITY)) : key(i));
    }
    if (shape == "zeros and NaNs")
      keys.push_back(std::is_integral_v<T> ? key(0) : i % 5 == 0 ? T(float(NAN)) : i % 2 == 0 ? T(0.0f) : T(-0.0f));
  }
  return keys;
}

/// Sorted alone, and with the numbers of the keys, which show whether equal ones kept their order.
template <class B, class T>
void sort_and_compare(std::vector<T> const& keys, sort_order direction) {
  typename B::stream s;
  std::vector<std::int32_t> places(keys.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = std::int32_t(i);
  auto const numbers = places;
  before<T> const first{direction};
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return first(keys[std::size_t(a)], keys[std::size_t(b)]); });
  std::vector<T> sorted;
  for (auto p : places) sorted.push_back(keys[std::size_t(p)]);
  auto alone = upload(s, keys), with = upload(s, keys);
  auto carried = upload(s, numbers);
  sort(s, alone, direction);
  sort_by_key(s, with, carried, direction);
  CHECK(bits_of_all(download(s, alone)) == bits_of_all(sorted));
  CHECK(bits_of_all(download(s, with)) == bits_of_all(sorted));
  CHECK(download(s, carried) == places);
}

/// Lengths about which bodies change their ways.
template <class B, class T>
void shapes_of() {
  for (std::string const shape : {"ascending", "descending", "equal", "one falls", "one rises", "organ pipe", "saw", "one key is frequent",
                                  "ends of the type", "zeros and NaNs"}) {
    CAPTURE(shape);
    for (index_t n : {2, 3, 7, 48, 49, 64, 65, 127, 128, 129, 255, 256, 600, 1024, 3000}) {
      CAPTURE(n);
      for (auto direction : {sort_order::ascending, sort_order::descending}) sort_and_compare<B>(keys_in_shape<T>(n, shape), direction);
    }
  }
}

/// All different, in an order that looks random.
template <class T>
std::vector<T> distinct_keys(index_t n) {
  std::vector<T> keys;
  for (index_t i = 0; i < n; ++i) {
    auto const k = static_cast<std::int64_t>((std::uint64_t(i) * 2654435761u) % std::uint64_t(n));
    keys.push_back(static_cast<T>(sizeof(T) == 8 ? (k - n / 2) << 30 : k - n / 2));
  }
  return keys;
}

}  // namespace

TEST_CASE_TEMPLATE("sort: keys in many shapes", B, DOLMEN_TEST_BACKENDS) {
  shapes_of<B, std::int8_t>();
  shapes_of<B, std::uint16_t>();
  shapes_of<B, std::int32_t>();
  shapes_of<B, std::uint64_t>();
  shapes_of<B, float>();
  shapes_of<B, double>();
  shapes_of<B, half>();
}

TEST_CASE_TEMPLATE("sort: a million different keys, and long ones in shapes", B, DOLMEN_TEST_BACKENDS) {
  index_t const n = testing::size_of(1 << 20, 5000);
  sort_and_compare<B>(distinct_keys<std::int32_t>(n), sort_order::ascending);
  sort_and_compare<B>(distinct_keys<std::int64_t>(n), sort_order::descending);
  sort_and_compare<B>(distinct_keys<float>(n), sort_order::descending);
  sort_and_compare<B>(distinct_keys<double>(n), sort_order::ascending);
  for (std::string const shape : {"ascending", "descending", "one falls", "organ pipe", "one key is frequent", "ends of the type"}) {
    CAPTURE(shape);
    auto const keys = keys_in_shape<std::int32_t>(n / 2 + 1, shape);
    sort_and_compare<B>(keys, sort_order::ascending);
    sort_and_compare<B>(keys, sort_order::descending);
  }
  sort_and_compare<B>(keys_in_shape<float>(n / 2 + 1, "zeros and NaNs"), sort_order::descending);
  sort_and_compare<B>(keys_in_shape<std::uint64_t>(n / 2 + 1, "one key is frequent"), sort_order::ascending);
}

// Wherever threads share out the elements: the pair at an edge belongs to one of them.
TEST_CASE_TEMPLATE("sort: one key out of order, anywhere", B, DOLMEN_TEST_BACKENDS) {
  index_t const n = testing::size_of(300001, 600);
  for (index_t parts : {2, 3, 4})
    for (index_t near : {-1, 0, 1, 2}) {
      auto const at = std::size_t(n / parts + near);
      CAPTURE(at);
      std::vector<std::int32_t> keys;
      for (index_t i = 0; i < n; ++i) keys.push_back(std::int32_t(2 * i));
      std::swap(keys[at - 1], keys[at]);
      sort_and_compare<B>(keys, sort_order::ascending);
      std::reverse(keys.begin(), keys.end());
      sort_and_compare<B>(keys, sort_order::ascending);
    }
}

TEST_CASE_TEMPLATE("sort: subnormal numbers have their places", B, DOLMEN_TEST_BACKENDS) {
  std::vector<float> keys;
  std::vector<double> wide;
  for (int i = 0; i < 700; ++i) {
    keys.push_back(float(i * 37 % 701 - 350) * std::numeric_limits<float>::denorm_min());
    wide.push_back(double(i * 37 % 701 - 350) * std::numeric_limits<double>::denorm_min());
  }
  for (auto direction : {sort_order::ascending, sort_order::descending}) {
    sort_and_compare<B>(keys, direction);
    sort_and_compare<B>(wide, direction);
    sort_and_compare<B>(std::vector<float>(keys.begin(), keys.begin() + 40), direction);
  }
}

TEST_CASE_TEMPLATE("sort: integers of all sizes", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, std::int8_t, std::int32_t>();
  ladder_of<B, std::uint8_t, std::uint8_t>();
  ladder_of<B, std::int16_t, std::int64_t>();
  ladder_of<B, std::uint16_t, std::int16_t>();
  ladder_of<B, std::int32_t, float>();
  ladder_of<B, std::uint32_t, double>();
  ladder_of<B, std::int64_t, std::int32_t>();
  ladder_of<B, std::uint64_t, std::uint64_t>();
}

TEST_CASE_TEMPLATE("sort: floats of all sizes, NaNs last, zeros equal", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, float, std::int32_t>();
  ladder_of<B, double, std::int16_t>();
  ladder_of<B, half, std::int32_t>();
  ladder_of<B, bfloat16, std::int64_t>();
}

TEST_CASE_TEMPLATE("sort: strided views are sorted row by row as one", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  using record = testing::bytes_of<16>;
  for (extents<2> shape : {extents<2>{{1, 1}}, {{7, 9}}, {{300, 40}}}) {
    auto const keys = testing::random_values<std::int32_t>(shape.volume());
    std::vector<record> values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) std::memcpy(values[i].value, &keys[i], 4);
    guarded<std::int32_t, B, 2> k(s, shape, keys, {1, 3});
    guarded<record, B, 2> v(s, shape, values, {0, 2});
    sort_by_key(s, k.view(), v.view());
    auto sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    CHECK(k.values() == sorted);
    CHECK(k.intact());
    CHECK(v.intact());
    auto const got = v.values();
    bool together = true;
    for (std::size_t i = 0; i < got.size(); ++i) together = together && std::memcmp(got[i].value, &sorted[i], 4) == 0;
    CHECK(together);
    k.set(keys);
    sort(s, k.view(), sort_order::descending);
    CHECK(k.values() == std::vector<std::int32_t>(sorted.rbegin(), sorted.rend()));
    CHECK(k.intact());
  }
}

TEST_CASE_TEMPLATE("sort: nothing, one, and what is refused", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0);
  sort(s, none);
  sort_by_key(s, none, none);
  sort(s, view<int, 2>(nullptr, 0, 5));
  auto b = upload(s, std::vector<int>{3, 1, 2, 9, 8, 7});
  auto const v = b.view();
  CHECK(complaint<invalid_argument>({"sort_by_key", "3", "2"}, [&] { sort_by_key(s, v.slice(0, 3), v.slice(3, 2)); }) == "");
  CHECK(complaint<invalid_argument>({"sort_by_key", "overlap"}, [&] { sort_by_key(s, v.slice(0, 3), v.slice(2, 3)); }) == "");
  sort_by_key(s, v.slice(0, 3), v.slice(3, 3));
  CHECK(download(s, b) == std::vector<int>{1, 2, 3, 8, 7, 9});
}

DOLMEN_TEST_CHILD(prints_sorted) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  auto keys = upload(s, keys_of<float>(700001, true));
  std::vector<int> numbers(700001);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = int(i);
  auto values = upload(s, numbers);
  sort_by_key(s, keys, values);
  std::uint64_t mixed = 0;
  for (int v : download(s, values)) mixed = mixed * 31 + std::uint64_t(v);
  std::cout << "sorted " << mixed << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("sort: the same whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_sorted", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 10);
  for (std::string const threads : {"2", "3", "7", "64"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_sorted", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif
