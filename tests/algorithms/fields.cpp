#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

struct particle {
  float x, y, z;
  std::int32_t kind;
};
struct complex {
  double re, im;
};
struct padded {
  char tag;
  double weight;
  std::int16_t count;
};
struct color {
  std::uint8_t r, g, b;
};
struct vec3 {
  float x, y, z;
};
struct body {
  vec3 position, velocity;
  double mass;
};
struct letters {
  char text[7];
};
struct mixed {
  letters name;
  std::uint8_t age;
  std::int16_t room;
};
struct large {
  std::int64_t before[80];
  std::int32_t value, other;
  std::int64_t after[9];
};

template <class T>
std::vector<T> random_records(index_t n, std::uint64_t seed) {
  auto const bytes = testing::random_values<std::uint8_t>(n * index_t(sizeof(T)), seed);
  std::vector<T> records(static_cast<std::size_t>(n));
  if (n > 0) std::memcpy(static_cast<void*>(records.data()), bytes.data(), bytes.size());
  return records;
}

template <class T>
bool same_bytes(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(static_cast<void const*>(a.data()), b.data(), a.size() * sizeof(T)) == 0);
}

template <auto Member>
using member_t = typename detail::member_of<decltype(Member)>::type;

/// Splits random records, then joins other values into them: what is not named stays, byte for byte.
template <class Record, class B, auto... Members>
void check_shape(typename B::stream const& s, extents<3> shape, place records_place, place values_place) {
  auto const records = random_records<Record>(shape.volume(), 5);
  guarded<Record, B, 3> from(s, shape, records, records_place);
  std::tuple<guarded<member_t<Members>, B, 3>...> to{guarded<member_t<Members>, B, 3>(s, shape, values_place)...};
  std::apply([&](auto&... g) { split_fields(s, from.const_view(), fields<Members...>(g.view()...)); }, to);
  auto const column = [&](auto member, auto const& all) {
    std::vector<typename detail::member_of<decltype(member)>::type> values(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) std::memcpy(static_cast<void*>(&values[i]), &(all[i].*member), sizeof values[i]);
    return values;
  };
  std::apply([&](auto&... g) { REQUIRE((same_bytes(g.values(), column(Members, records)) && ...)); }, to);
  std::apply([&](auto&... g) { REQUIRE((g.intact() && ...)); }, to);
  REQUIRE(from.unchanged());

  auto const others = random_records<Record>(shape.volume(), 6);
  auto expected = records;
  for (std::size_t i = 0; i < expected.size(); ++i)
    (std::memcpy(static_cast<void*>(&(expected[i].*Members)), &(others[i].*Members), sizeof(member_t<Members>)), ...);
  std::apply([&](auto&... g) { (g.set(column(Members, others)), ...); }, to);
  std::apply([&](auto&... g) { join_fields(s, fields<Members...>(g.const_view()...), from.view()); }, to);
  REQUIRE(same_bytes(from.values(), expected));
  REQUIRE(from.intact());
  std::apply([&](auto&... g) { REQUIRE((g.unchanged() && ...)); }, to);
}

template <class Record, class B, auto... Members>
void check_record(typename B::stream const& s) {
  CAPTURE(sizeof(Record));
  bool odd = false;
  for (index_t n : testing::ladder(1023)) {
    if (n > 70000) n = 70003;
    odd = !odd;
    check_shape<Record, B, Members...>(s, {{1, 1, n}}, odd ? place{1} : place{}, odd ? place{} : place{3, 0, true});
    if (n < 1000 || testing::full_products()) check_shape<Record, B, Members...>(s, {{1, 1, n}}, {}, {});
  }
  for (extents<3> shape : {extents<3>{{3, 5, 17}}, {{2, 30, 1}}, {{2, 3, 530}}, {{3, 0, 1}}})
    for (auto const& [a, b] : {std::pair<place, place>{{1, 3}, {}}, {{0, 16}, {0, 1, true}}, {{}, {4, 4}}})
      check_shape<Record, B, Members...>(s, shape, a, b);
}

}  // namespace

TEST_CASE_TEMPLATE("fields: all members of a record, and some", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_record<particle, B, &particle::x, &particle::y, &particle::z, &particle::kind>(s);
  check_record<particle, B, &particle::kind, &particle::y>(s);
  check_record<particle, B, &particle::z, &particle::kind, &particle::x, &particle::y>(s);
  check_record<complex, B, &complex::im, &complex::re>(s);
  check_record<vec3, B, &vec3::x, &vec3::y, &vec3::z>(s);
}

TEST_CASE_TEMPLATE("fields: padding, bytes, records within records, large records", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_record<padded, B, &padded::tag, &padded::weight, &padded::count>(s);
  check_record<color, B, &color::r, &color::g, &color::b>(s);
  check_record<body, B, &body::mass, &body::velocity>(s);
  check_record<mixed, B, &mixed::name, &mixed::age, &mixed::room>(s);
  check_record<large, B, &large::value, &large::other>(s);
}

// Where a CPU stores past its caches.
TEST_CASE_TEMPLATE("fields: more than caches hold", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_shape<particle, B, &particle::x, &particle::kind>(s, {{1, 1, testing::size_of(3000017, 1023)}}, {1}, {5});
  check_shape<particle, B, &particle::x, &particle::y, &particle::z, &particle::kind>(s, {{1, 3, testing::size_of(1000003, 341)}}, {0, 1},
                                                                                      {5, 2});
}

TEST_CASE_TEMPLATE("fields: views of one matrix, whatever their rank", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = 100;
  auto const records = random_records<particle>(n, 1);
  auto const from = upload(s, records);
  buffer<float, B> columns(s, 3 * n);
  auto const rows = columns.view(3, n);
  split_fields(s, from, fields<&particle::x, &particle::y, &particle::z>(rows.row(0), rows.row(1), rows.row(2)));
  auto const got = download(s, columns);
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    REQUIRE(std::memcmp(&got[i], &records[i].x, 4) == 0);
    REQUIRE(std::memcmp(&got[2 * std::size_t(n) + i], &records[i].z, 4) == 0);
  }
}

TEST_CASE_TEMPLATE("fields: shapes that differ and views that overlap", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<particle, B> records(s, 24);
  buffer<float, B> x(s, 24), y(s, 23);
  CHECK(complaint<invalid_argument>({"split_fields", "24", "23"},
                                    [&] { split_fields(s, records, fields<&particle::x, &particle::y>(x, y)); }) == "");
  CHECK(complaint<invalid_argument>({"join_fields", "23", "24"}, [&] { join_fields(s, fields<&particle::y>(y), records); }) == "");
  CHECK(complaint<invalid_argument>({"split_fields", "overlap"},
                                    [&] { split_fields(s, records, fields<&particle::x, &particle::y>(x, x)); }) == "");
  CHECK(complaint<invalid_argument>({"split_fields", "share bytes"},
                                    [&] { join_fields(s, fields<&particle::x, &particle::x>(x, x), records); }) != "");
  CHECK(complaint<invalid_argument>({"join_fields", "share bytes"},
                                    [&] { join_fields(s, fields<&particle::x, &particle::x>(x, x), records); }) == "");
  view<float> const inside(reinterpret_cast<float*>(records.data()) + 4, 24);
  CHECK(complaint<invalid_argument>({"split_fields", "overlap"}, [&] { split_fields(s, records, fields<&particle::x>(inside)); }) == "");
}
