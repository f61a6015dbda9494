// Elements whose alignment is below their size, at every address that their alignment allows.
#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;

namespace {

/// N words that lie wherever a word may.
template <class Word, int N>
struct record {
  Word words[N];
  friend bool operator==(record const& a, record const& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
};

struct odd_first {
  template <class R>
  DOLMEN_FN bool operator()(R const& r) const {
    return r.words[0] % 2 != 0;
  }
};
struct inverted {
  template <class Word, int N>
  DOLMEN_FN record<Word, N> operator()(record<Word, N> r) const {
    for (auto& w : r.words) w = Word(~w);
    return r;
  }
};
/// Associative, not commutative: bytes of the first operand but for the last.
struct ends_of {
  template <class Word, int N>
  DOLMEN_FN record<Word, N> operator()(record<Word, N> const& a, record<Word, N> const& b) const {
    record<Word, N> r = a;
    r.words[N - 1] = b.words[N - 1];
    return r;
  }
};

/// n records of R in memory of bytes, so and so many behind a multiple of 256.
template <class R, class B>
struct placed {
  typename B::stream s;
  index_t n, offset;
  buffer<std::byte, B> memory{s, n* index_t(sizeof(R)) + offset + 16};

  placed(typename B::stream const& stream, std::vector<R> const& values, index_t shift)
      : s(stream), n(index_t(values.size())), offset(shift) {
    fill(s, memory, std::byte(0xa5));
    copy(s, values, view());
  }
  dolmen::view<R> view() const { return {reinterpret_cast<R*>(const_cast<std::byte*>(memory.data()) + offset), n}; }
  dolmen::view<R, 2> view(index_t rows, index_t columns, index_t stride) const { return {view().data(), {{rows, columns}}, {{stride}}}; }
  std::vector<R> values() const { return download(s, view()); }
  /// Nothing before or behind was written.
  bool intact() const {
    auto const bytes = download(s, memory);
    auto const guard = [](std::byte b) { return b == std::byte(0xa5); };
    return std::all_of(bytes.begin(), bytes.begin() + offset, guard) && std::all_of(bytes.end() - 16, bytes.end(), guard);
  }
};

template <class R>
std::vector<R> random_records(index_t n, std::uint64_t seed) {
  auto const bytes = testing::random_values<std::uint8_t>(n * index_t(sizeof(R)), seed);
  std::vector<R> records(static_cast<std::size_t>(n));
  std::memcpy(static_cast<void*>(records.data()), bytes.data(), bytes.size());
  return records;
}

template <class R, class B>
void check_moves(typename B::stream const& s, index_t n, index_t from, index_t to) {
  auto const values = random_records<R>(n, 1), others = random_records<R>(n, 2);
  placed<R, B> in(s, values, from), out(s, others, to);
  CHECK(in.values() == values);
  copy(s, in.view(), out.view());
  CHECK(out.values() == values);
  fill(s, out.view(), others[0]);
  CHECK(out.values() == std::vector<R>(std::size_t(n), others[0]));
  // Rows with gaps.
  index_t const side = n / 40;
  copy(s, others, out.view());
  copy(s, in.view(side, 30, 40), out.view(side, 30, 37));
  auto expected = others;
  for (index_t y = 0; y < side; ++y)
    for (index_t x = 0; x < 30; ++x) expected[std::size_t(y * 37 + x)] = values[std::size_t(y * 40 + x)];
  CHECK(out.values() == expected);
  fill(s, out.view(side, 30, 37), others[1]);
  for (index_t y = 0; y < side; ++y)
    for (index_t x = 0; x < 30; ++x) expected[std::size_t(y * 37 + x)] = others[1];
  CHECK(out.values() == expected);
  CHECK(in.intact());
  CHECK(out.intact());
  CHECK(in.values() == values);
}

template <class R, class B>
void check_choices(typename B::stream const& s, index_t n, index_t from, index_t to) {
  auto const values = random_records<R>(n, 3), others = random_records<R>(n, 4);
  placed<R, B> in(s, values, from), out(s, others, to);
  std::vector<R> kept, expected = others;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), odd_first{});
  std::copy(kept.begin(), kept.end(), expected.begin());
  if constexpr ((sizeof(R) & (sizeof(R) - 1)) == 0) {
    std::vector<std::uint8_t> flags;
    for (auto const& r : values) flags.push_back(odd_first{}(r));
    copy(s, others, out.view());
    CHECK(compact(s, in.view(), upload(s, flags), out.view()) == index_t(kept.size()));
    CHECK(out.values() == expected);
    // Values follow their keys.
    std::vector<std::int32_t> keys;
    for (index_t i = 0; i < n; ++i) keys.push_back(std::int32_t(i * 7919 % 257));
    auto sorted_keys = upload(s, keys);
    sort_by_key(s, sorted_keys.view(), in.view());
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) expected[i] = values[order[i]];
    CHECK(in.values() == expected);
  }
  CHECK(in.intact());
  CHECK(out.intact());
}

template <class R, class B>
void check_shapes(typename B::stream const& s, index_t side, index_t from, index_t to) {
  if constexpr ((sizeof(R) & (sizeof(R) - 1)) == 0) {
    auto const values = random_records<R>(side * side, 5);
    placed<R, B> in(s, values, from), out(s, random_records<R>(side * side, 6), to);
    std::vector<R> expected(values.size());
    for (index_t y = 0; y < side; ++y)
      for (index_t x = 0; x < side; ++x) expected[std::size_t(x * side + y)] = values[std::size_t(y * side + x)];
    transpose(s, in.view(side, side, side), out.view(side, side, side));
    CHECK(out.values() == expected);
    transpose(s, in.view(side, side, side));
    CHECK(in.values() == expected);
    CHECK(in.intact());
    CHECK(out.intact());
  }
}

/// With functions of the program's own.
template <class R, class B>
void check_functions(typename B::stream const& s, index_t n, index_t from, index_t to) {
  auto const values = random_records<R>(n, 7), others = random_records<R>(n, 8);
  placed<R, B> in(s, values, from), out(s, others, to);
  std::vector<R> kept, selected = others;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept), odd_first{});
  std::copy(kept.begin(), kept.end(), selected.begin());
  CHECK(select(s, in.view(), out.view(), odd_first{}) == index_t(kept.size()));
  CHECK(out.values() == selected);
  transform(s, in.view(), out.view(), inverted{});
  auto turned = values;
  for (auto& r : turned) r = inverted{}(r);
  CHECK(out.values() == turned);
  inclusive_scan(s, in.view(), out.view(), ends_of{});
  auto expected = values;
  for (auto& r : expected) r = ends_of{}(values[0], r);
  CHECK(out.values() == expected);
  CHECK(reduce(s, in.view(), ends_of{}, values[5]) == ends_of{}(values[5], values.back()));
  CHECK(out.intact());
}

/// Every way to lie that matters to words of 16 bytes.
template <class R, class B, bool Functions = false>
void check_records() {
  typename B::stream s;
  constexpr index_t step = alignof(R);
  CAPTURE(sizeof(R));
  CAPTURE(step);
  int turn = 0;
  for (index_t from = 0; from < 16; from += step) {
    index_t const to = (from * 7 + 5 * step) % 16, n = turn++ % 3 == 0 ? testing::size_of(100003, 2003) : 1777;
    CAPTURE(from);
    CAPTURE(to);
    check_moves<R, B>(s, n, from, to);
    check_choices<R, B>(s, n, from, to);
    check_shapes<R, B>(s, 77, from, to);
    if constexpr (Functions) check_functions<R, B>(s, n, from, to);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("alignment: records of bytes", B, DOLMEN_TEST_BACKENDS) {
  check_records<record<std::uint8_t, 2>, B, true>();
  check_records<record<std::uint8_t, 3>, B>();
  check_records<record<std::uint8_t, 4>, B>();
  check_records<record<std::uint8_t, 8>, B>();
  check_records<record<std::uint8_t, 16>, B, true>();
}

TEST_CASE_TEMPLATE("alignment: records of wider words", B, DOLMEN_TEST_BACKENDS) {
  check_records<record<std::uint16_t, 2>, B>();
  check_records<record<std::uint32_t, 2>, B>();
  check_records<record<std::uint32_t, 4>, B, true>();
  check_records<record<std::uint64_t, 2>, B>();
}

TEST_CASE_TEMPLATE("alignment: members of records of bytes", B, DOLMEN_TEST_BACKENDS) {
  using pair = record<std::uint8_t, 2>;
  using four = record<std::uint8_t, 4>;
  struct member_of_bytes {
    std::uint8_t tag;
    four wide;
    pair narrow;
  };
  typename B::stream s;
  constexpr index_t n = 1777;
  auto const values = random_records<member_of_bytes>(n, 9);
  for (index_t from : {0, 1, 3}) {
    placed<member_of_bytes, B> in(s, values, from);
    placed<four, B> wide(s, random_records<four>(n, 10), from + 1);
    placed<pair, B> narrow(s, random_records<pair>(n, 11), 3);
    split_fields(s, in.view(), fields<&member_of_bytes::wide, &member_of_bytes::narrow>(wide.view(), narrow.view()));
    auto const fours = wide.values();
    auto const pairs = narrow.values();
    bool same = true;
    for (std::size_t i = 0; i < values.size(); ++i) same = same && fours[i] == values[i].wide && pairs[i] == values[i].narrow;
    CHECK(same);
    transform(s, wide.view(), wide.view(), inverted{});
    join_fields(s, fields<&member_of_bytes::wide>(wide.view()), in.view());
    auto const joined = in.values();
    same = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      same = same && joined[i].tag == values[i].tag && joined[i].wide == inverted{}(values[i].wide) && joined[i].narrow == values[i].narrow;
    CHECK(same);
  }
}
