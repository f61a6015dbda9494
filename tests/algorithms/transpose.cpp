#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::bytes_of;
using testing::complaint;
using testing::guarded;
using testing::place;

namespace {

struct point {  // 8 bytes, aligned to 4
  float x, y;
};
struct alignas(16) quad {
  float values[4];
};

/// Elements of any type: random bytes.
template <class T>
std::vector<T> random_elements(index_t n, std::uint64_t seed = 1) {
  auto const bytes = testing::random_values<std::uint8_t>(n * index_t(sizeof(T)), seed);
  std::vector<T> values(static_cast<std::size_t>(n));
  if (n > 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T>
std::vector<T> transposed(std::vector<T> const& in, extents<3> shape) {
  std::vector<T> out(in.size());
  for (index_t z = 0; z < shape[0]; ++z)
    for (index_t r = 0; r < shape[1]; ++r)
      for (index_t c = 0; c < shape[2]; ++c)
        out[std::size_t((z * shape[2] + c) * shape[1] + r)] = in[std::size_t((z * shape[1] + r) * shape[2] + c)];
  return out;
}

template <class T, class B, int Rank>
void check_shape(typename B::stream const& s, extents<Rank> shape, place from, place to) {
  auto const in_shape = shape;
  std::swap(shape[Rank - 1], shape[Rank - 2]);
  CAPTURE(sizeof(T));
  CAPTURE(in_shape[Rank - 2]);
  CAPTURE(in_shape[Rank - 1]);
  CAPTURE(from.offset);
  CAPTURE(to.offset);
  auto const values = random_elements<T>(in_shape.volume());
  guarded<T, B, Rank> in(s, in_shape, values, from);
  guarded<T, B, Rank> out(s, shape, to);
  transpose(s, in.const_view(), out.view());
  extents<3> full{{1, in_shape[Rank - 2], in_shape[Rank - 1]}};
  if constexpr (Rank == 3) full[0] = in_shape[0];
  CHECK(same(out.values(), transposed(values, full)));
  CHECK(out.intact());
  CHECK(in.unchanged());
}

template <class T, class B, int Rank>
void check_in_place(typename B::stream const& s, extents<Rank> shape, place where) {
  CAPTURE(sizeof(T));
  CAPTURE(shape[Rank - 1]);
  CAPTURE(where.offset);
  auto const values = random_elements<T>(shape.volume());
  guarded<T, B, Rank> data(s, shape, values, where);
  transpose(s, data.view());
  extents<3> full{{1, shape[Rank - 2], shape[Rank - 1]}};
  if constexpr (Rank == 3) full[0] = shape[0];
  CHECK(same(data.values(), transposed(values, full)));
  CHECK(data.intact());
}

// Aligned for vectors with and without gaps, neither, and where the allocation ends.
constexpr place places[] = {{0, 0}, {16, 32}, {1, 3}, {0, 1}, {0, 16, true}, {3, 0, true}};
constexpr int place_count = 6;

std::vector<extents<2>> shapes() {
  std::vector<extents<2>> all{{{1, 1}},     {{1, 300}},   {{300, 1}},   {{2, 3}},     {{16, 16}},  {{31, 33}},   {{64, 64}},   {{65, 63}},
                              {{128, 128}}, {{129, 257}}, {{257, 200}}, {{48, 1023}}, {{4097, 2}}, {{32, 2048}}, {{1000, 520}}};
  if (!testing::small_sizes()) all.insert(all.end(), {{{65537, 3}}, {{3, 65537}}, {{1, 1000003}}, {{1000003, 1}}, {{1024, 1024}}});
  return all;
}

/// A gap behind each of a million rows is memory and time, whatever its size.
place narrow(place where, index_t rows) { return {where.offset, rows > 100000 ? min(where.gap, 4) : where.gap, where.at_end}; }

/// In the full product every place with every other, but for large shapes each with itself and the next one.
template <class T, class B>
void check_all(typename B::stream const& s, int turn) {
  constexpr int pairs = place_count * place_count;
  for (auto const& shape : shapes()) {
    bool const large = shape.volume() > 100000;
    if (large && sizeof(T) > 4 && !testing::full_products()) continue;
    int const all = testing::full_products() ? (large ? 2 * place_count : pairs) : large ? 1 : 2;
    for (int k = 0; k < all; ++k, ++turn) {
      int const pair = !testing::full_products() ? turn * 5 % pairs : large ? (k / 2 * (place_count + 1) + k % 2) % pairs : k;
      check_shape<T, B>(s, shape, narrow(places[pair / place_count], shape[0]), narrow(places[pair % place_count], shape[1]));
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("transpose: elements of every width, shapes and places", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_all<std::uint8_t, B>(s, 0);
  check_all<half, B>(s, 7);
  check_all<float, B>(s, 14);
  check_all<double, B>(s, 21);
  check_all<point, B>(s, 28);
  check_all<quad, B>(s, 35);
}

TEST_CASE_TEMPLATE("transpose: batches", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_shape<float, B>(s, extents<3>{{3, 5, 7}}, {0, 0}, {0, 0});
  check_shape<float, B>(s, extents<3>{{2, 130, 70}}, {1, 5}, {0, 4});
  check_shape<std::uint8_t, B>(s, extents<3>{{5, 64, 300}}, {0, 16}, {3, 0});
  check_shape<double, B>(s, extents<3>{{4, 33, 64}}, {0, 2}, {2, 1, true});
  check_shape<half, B>(s, extents<3>{{testing::size_of(70000, 700), 2, 3}}, {0, 0}, {0, 0});
  check_shape<quad, B>(s, extents<3>{{3, 20, 90}}, {0, 1}, {1, 0});
}

TEST_CASE_TEMPLATE("transpose: in place", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (index_t n : {1, 2, 15, 64, 100, 129, 256, 333}) {
    for (auto const& where : places) {
      check_in_place<float, B>(s, extents<2>{{n, n}}, where);
      if (!testing::full_products() && where.offset != n % 4) continue;
      check_in_place<std::uint8_t, B>(s, extents<2>{{n, n}}, where);
      check_in_place<half, B>(s, extents<2>{{n, n}}, where);
      check_in_place<double, B>(s, extents<2>{{n, n}}, where);
      check_in_place<quad, B>(s, extents<2>{{n, n}}, where);
    }
  }
  check_in_place<float, B>(s, extents<3>{{7, 130, 130}}, {0, 4});
  check_in_place<std::int16_t, B>(s, extents<3>{{3, 65, 65}}, {1, 1});
}

TEST_CASE_TEMPLATE("transpose: elements at addresses that are no multiple of their width", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const rows = 37, columns = 70;
  auto const check_width = [&]<class T>(T) {
    auto const values = random_elements<T>(rows * columns);
    buffer<std::byte, B> from(s, rows * columns * index_t(sizeof(T)) + 1), to(s, from.size() + 4);
    view<T, 2> const in(reinterpret_cast<T*>(from.data() + 1), rows, columns), out(reinterpret_cast<T*>(to.data() + 5), columns, rows);
    copy(s, values, in);
    transpose(s, in, out);
    CHECK(same(download(s, out), transposed(values, {{1, rows, columns}})));
    view<T, 2> const square(reinterpret_cast<T*>(from.data() + 1), rows, rows);
    auto const before = download(s, square);
    transpose(s, square);
    CHECK(same(download(s, square), transposed(before, {{1, rows, rows}})));
  };
  check_width(bytes_of<2>());
  check_width(bytes_of<4>());
  check_width(bytes_of<8>());
  check_width(bytes_of<16>());
}

TEST_CASE_TEMPLATE("transpose: of nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  transpose(s, view<float const, 2>(nullptr, 0, 5), view<float, 2>(nullptr, 5, 0));
  transpose(s, view<float const, 3>(nullptr, 0, 5, 3), view<float, 3>(nullptr, 0, 3, 5));
  transpose(s, view<float, 2>(nullptr, 0, 0));
  CHECK(complaint<invalid_argument>({"transpose", "0 x 5"},
                                    [&] { transpose(s, view<float const, 2>(nullptr, 0, 5), view<float, 2>(nullptr, 0, 5)); }) == "");
}

TEST_CASE_TEMPLATE("transpose: what does not fit is named", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> a(s, 600), b(s, 600);
  fill(s, a, 1.0f);
  CHECK(complaint<invalid_argument>({"20 x 30"}, [&] { transpose(s, a.view(20, 30), b.view(20, 30)); }) == "");
  CHECK(complaint<invalid_argument>({"2 x 10 x 30", "3 x 30 x 10"},
                                    [&] { transpose(s, a.view(2, 10, 30), view<float, 3>(b.data(), 3, 30, 10)); }) == "");
  CHECK(complaint<invalid_argument>({"20 x 30"}, [&] { transpose(s, a.view(20, 30)); }) == "");
}

TEST_CASE_TEMPLATE("transpose: overlap is refused, interleaving is not", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> memory(s, 40 * 40);
  fill(s, memory, 0.0f);
  auto const whole = memory.view(40, 40);
  auto const part = [&](index_t row, index_t column, index_t rows, index_t columns) {
    return whole.subview({{row, column}}, {{rows, columns}});
  };
  auto const refused = [&](view<float, 2> in, view<float, 2> out) {
    return complaint<invalid_argument>({"overlap"}, [&] { transpose(s, in, out); }) == "";
  };
  CHECK(refused(part(0, 0, 10, 10), part(0, 1, 10, 10)));
  CHECK(refused(part(0, 0, 10, 10), part(9, 9, 10, 10)));
  CHECK(refused(part(0, 0, 20, 10), part(0, 0, 10, 20)));
  CHECK(refused(memory.view(20, 30), memory.view(30, 20)));
  // Side by side.
  auto const values = testing::random_values<float>(200);
  copy(s, values, part(0, 0, 10, 20));
  transpose(s, part(0, 0, 10, 20), part(0, 20, 20, 10));
  CHECK(same(download(s, part(0, 20, 20, 10)), transposed(values, {{1, 10, 20}})));
}

#if DOLMEN_HAS_CHECK
TEST_CASE("transpose: the check backend reports what nobody wrote") {
  check::stream s;
  check::expect_findings const expected;
  buffer<float, check::backend> a(s, 6), b(s, 6);
  transpose(s, a.view(2, 3), b.view(3, 2));
  CHECK(!check::take_findings().empty());
}
#endif
