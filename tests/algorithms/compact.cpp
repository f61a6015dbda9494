// Elements kept by flags.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

/// Few, half, most, all or none of n.
std::vector<std::uint8_t> flags_of(index_t n, int share) {
  auto const random = testing::random_values<std::uint32_t>(n, std::uint64_t(n + share));
  std::vector<std::uint8_t> flags;
  for (auto r : random) flags.push_back(int(r >> 8) % 16 < share ? std::uint8_t(r | 1) : std::uint8_t(0));
  return flags;
}

template <class T>
std::vector<T> kept(std::vector<T> const& values, std::vector<std::uint8_t> const& flags) {
  std::vector<T> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (flags[i]) result.push_back(values[i]);
  return result;
}

template <class B, class T>
void compact_one(index_t n, int share, place where) {
  CAPTURE(n);
  CAPTURE(share);
  typename B::stream s;
  auto const values = testing::random_values<T>(n, std::uint64_t(n));
  auto const flags = flags_of(n, share);
  auto const expected = kept(values, flags);
  auto const count = index_t(expected.size());
  guarded<T, B> in(s, values, where);
  guarded<std::uint8_t, B> marks(s, flags, {where.offset + 1, 0});
  // The output ends with what is kept: nothing behind it is written.
  guarded<T, B> out(s, count, {where.offset + 1, 0, where.at_end});
  CHECK(compact(s, in.const_view(), marks.const_view(), out.view()) == count);
  CHECK(out.values() == expected);
  CHECK(out.intact());
  CHECK(in.unchanged());
  CHECK(marks.unchanged());
  guarded<T, B> room(s, n);
  guarded<index_t, B> number(s, 1);
  compact(s, in.view(), marks.view(), room.view(), number.view());
  CHECK(number.values()[0] == count);
  auto got = room.values();
  got.resize(std::size_t(count));
  CHECK(got == expected);
  CHECK(room.intact());
  CHECK(number.intact());
}

template <class B, class T>
void ladder_of() {
  int turn = int(sizeof(T));
  for (index_t n : testing::ladder()) {
    if (testing::full_products()) {
      for (int share : {0, 1, 8, 15, 16})
        for (place where : {place{0, 0}, place{3, 0}, place{0, 0, true}}) compact_one<B, T>(n, share, where);
      continue;
    }
    static constexpr int shares[] = {8, 1, 16, 15, 0, 8};
    static constexpr place places[] = {{0, 0}, {3, 0}, {0, 0, true}};
    compact_one<B, T>(n, shares[turn % 6], places[turn % 3]);
    ++turn;
  }
}

}  // namespace

TEST_CASE_TEMPLATE("compact: all sizes", B, DOLMEN_TEST_BACKENDS) {
  ladder_of<B, std::uint8_t>();
  ladder_of<B, std::int16_t>();
  ladder_of<B, std::int32_t>();
  ladder_of<B, float>();
  ladder_of<B, double>();
}

TEST_CASE_TEMPLATE("compact: records, strided rows, other flags", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  using record = testing::bytes_of<16>;
  for (extents<2> shape : {extents<2>{{1, 1}}, {{300, 3}}, {{20, 33}}, {{7, 1000}}, {{2, 9000}}}) {
    auto const bytes = testing::random_values<std::uint8_t>(16 * shape.volume());
    std::vector<record> values(std::size_t(shape.volume()));
    std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    auto const flags = flags_of(shape.volume(), 8);
    guarded<record, B, 2> in(s, shape, values, {1, 2});
    guarded<std::uint8_t, B, 2> marks(s, shape, flags, {0, 5});
    auto const expected = kept(values, flags);
    guarded<record, B> out(s, index_t(expected.size()));
    CHECK(compact(s, in.const_view(), marks.const_view(), out.view()) == index_t(expected.size()));
    CHECK(out.values() == expected);
    CHECK(out.intact());
  }
  bool const chosen[] = {true, false, true};
  auto const values = upload(s, std::vector<half>{half(1.0f), half(2.0f), half(3.0f)});
  auto const marks = upload(s, chosen);
  buffer<half, B> out(s, 2);
  CHECK(compact(s, values, marks, out) == 2);
  CHECK(float(download(s, out)[1]) == 3);
}

TEST_CASE_TEMPLATE("compact: nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<int, B> none(s, 0);
  buffer<std::uint8_t, B> flags(s, 0);
  guarded<index_t, B> count(s, 1);
  compact(s, none, flags, none, count.view());
  CHECK(count.values()[0] == 0);
  CHECK(compact(s, view<int const, 2>(nullptr, 0, 5), view<std::uint8_t const, 2>(nullptr, 0, 5), none) == 0);
}

TEST_CASE_TEMPLATE("compact: refused", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const values = upload(s, std::vector<int>(100, 5));
  auto const flags = upload(s, std::vector<std::uint8_t>(100, 1));
  guarded<int, B> out(s, 60);
  buffer<index_t, B> count(s, 2);
  auto const one = count.view().slice(0, 1);
  CHECK(complaint<invalid_argument>({"compact", "100", "60"}, [&] { compact(s, values, flags, out.view(), one); }) == "");
  CHECK(out.unchanged());
  CHECK(complaint<invalid_argument>({"compact", "100", "60"}, [&] { compact(s, values, flags, out.view()); }) == "");
  CHECK(out.values() == std::vector<int>(60, 5));
  CHECK(out.intact());
  CHECK(complaint<invalid_argument>({"100", "99"}, [&] { compact(s, values, flags.view().slice(0, 99), out.view()); }) == "");
  auto both = upload(s, std::vector<int>(200, 5));
  auto const v = both.view();
  CHECK(complaint<invalid_argument>({"overlap"}, [&] { compact(s, v.slice(0, 100), flags, v.slice(99, 100), one); }) == "");
  CHECK(complaint<invalid_argument>({"one element", "2"}, [&] { compact(s, v.slice(0, 100), flags, v.slice(100, 100), count); }) == "");
  CHECK(compact(s, v.slice(0, 100), flags, v.slice(100, 100)) == 100);
}
