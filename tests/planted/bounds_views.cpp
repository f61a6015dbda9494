// Indices outside of a part of a buffer or of another rank's extents; packs past the end, and at addresses that are no multiple of
// their size.
#include "planted.hpp"

namespace planted {

template <bool Right>
struct matrix_column {
  using shape = block_shape<8, 8>;
  view<int const, 2> in;
  view<int, 2> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(56, [&](thread t) {
      int const column = Right ? (t.x + 1) % 8 : t.x + 1;
      out(t.y, t.x) = in(t.y, column);  // @matrix_column:first
    });
  }
};

template <bool Right>
struct swapped_indices {
  using shape = block_shape<4, 4>;
  view<int const, 3> in;
  view<int, 3> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      if constexpr (Right)
        out(t.y % 2, t.y, t.x) = in(t.y % 2, t.y, t.x);
      else
        out(t.y % 2, t.y, t.x) = in(t.y, t.y % 2, t.x);  // @swapped_indices:first
    });
  }
};

// Reads count elements from an index on.
template <class T, bool Right>
struct reads_run {
  using shape = block_shape<32>;
  view<T const> in;
  view<T> out;
  index_t from;
  int count;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(count, [&](thread t) { out(t.rank) = in(from + t.rank); });  // @reads_run:first
  }
};

template <bool Right>
struct writes_box {
  using shape = block_shape<4, 4>;
  view<int, 2> box;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const columns = Right ? 3 : 4;
    block.each_index(3, columns, [&](int y, int x) { box(y, x) = 10 * y + x; });  // @writes_box:first
  }
};

struct body {
  int x, y;
};

template <bool Right>
struct member_past_end {
  using shape = block_shape<32>;
  view<body> bodies;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    index_t const active = Right ? bodies.size() : bodies.size() + 1;
    block.each_thread(active, [&](thread t) { bodies.template field<&body::y>(t.rank) = t.rank; });  // @member_past_end:first
  }
};

template <bool Right>
struct pack_past_end {
  using shape = block_shape<8>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const active = Right ? 7 : 8;  // 30 elements
    block.each_thread(active, [&](thread t) {
      auto const four = in.template load_pack<4>(4 * t.rank);  // @pack_past_end:first
      out(t.rank) = four[0] + four[3];
    });
  }
};

// A pack that begins between two packs.
template <bool Right>
struct odd_pack {
  using shape = block_shape<8>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      auto const four = in.template load_pack<4>(4 * t.rank + (Right ? 0 : 2));  // @odd_pack:first
      out(t.rank) = four[0] + four[3];
    });
  }
};

template <bool Right>
struct odd_pack_store {
  using shape = block_shape<8>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      pack<int, 2> const two{in(t.rank), 1};
      out.template store_pack<2>(2 * t.rank + (Right ? 0 : 1), two);  // @odd_pack_store:first
    });
  }
};

// The indices are right, but the view begins one element behind such an address.
template <class T, bool Right>
struct sums_packs {
  using shape = block_shape<4>;
  view<T const> in;
  view<T> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      auto const two = in.template load_pack<2>(2 * t.rank);  // @sums_packs:first
      out(t.rank) = T(two[0] + two[1]);
    });
  }
};

namespace {

// In the view's buffer, but outside of the view.
template <bool Right>
bool outside_slice(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  auto out = upload(s, ints(32));
  launch(s, grid(1), reads_run<int, Right>{in.view().slice(16, 16), out, 0, Right ? 16 : 17});
  ints expected(32);
  for (std::size_t i = 0; i < 16; ++i) expected[i] = host[16 + i];
  return holds<Right>(s, out, expected);
}

template <bool Right>
bool before_slice(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  auto out = upload(s, ints(4));
  launch(s, grid(1), reads_run<int, Right>{in.view().slice(16, 16), out, Right ? 0 : -2, 4});
  return holds<Right>(s, out, ints(host.begin() + 16, host.begin() + 20));
}

// The distance between two buffers: the address is that of good memory.
template <bool Right>
bool other_buffer(stream const& s) {
  auto const in = upload(s, numbers(64)), other = upload(s, numbers(64));
  auto out = upload(s, ints(4));
  index_t const distance = other.data() - in.data();
  launch(s, grid(1), reads_run<int, Right>{in.view(), out, Right ? 0 : distance, 4});
  return holds<Right>(s, out, numbers(4));
}

// A view that claims more than there is.
template <bool Right>
bool lying_view(stream const& s) {
  auto const in = upload(s, numbers(64));
  auto out = upload(s, ints(8));
  launch(s, grid(1), reads_run<int, Right>{view<int const>(in.data(), 72), out, Right ? 56 : 60, 8});
  ints const expected = numbers(64);
  return holds<Right>(s, out, ints(expected.end() - 8, expected.end()));
}

template <bool Right>
bool view_of_nothing(stream const& s) {
  auto in = upload(s, numbers(4));
  auto out = upload(s, ints(4));
  buffer<int> moved;
  if constexpr (!Right) moved = std::move(in);
  launch(s, grid(1), reads_run<int, Right>{in.view(), out, 0, 4});
  return holds<Right>(s, out, numbers(4));
}

// Elements of one byte: the allocation ends in the middle of a word.
template <bool Right>
bool byte_past_end(stream const& s) {
  auto const in = upload(s, std::vector<std::uint8_t>(13, 5));
  auto out = upload(s, std::vector<std::uint8_t>(16));
  launch(s, grid(1), reads_run<std::uint8_t, Right>{in.view(), out, Right ? 9 : 10, 4});
  std::vector<std::uint8_t> expected(16);
  for (std::size_t i = 0; i < 4; ++i) expected[i] = 5;
  return holds<Right>(s, out, expected);
}

template <bool Right>
bool in_matrix(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  auto out = upload(s, ints(64));
  launch(s, grid(1), matrix_column<Right>{in.view(8, 8), out.view(8, 8)});
  ints expected(64);
  for (std::size_t i = 0; i < 56; ++i) expected[i] = host[i / 8 * 8 + (i + 1) % 8];
  return holds<Right>(s, out, expected);
}

template <bool Right>
bool in_volume(stream const& s) {
  ints const host = numbers(32);
  auto const in = upload(s, host);
  auto out = upload(s, ints(32));
  launch(s, grid(1), swapped_indices<Right>{in.view(2, 4, 4), out.view(2, 4, 4)});
  ints expected(32);
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t x = 0; x < 4; ++x) expected[y % 2 * 16 + y * 4 + x] = host[y % 2 * 16 + y * 4 + x];
  return holds<Right>(s, out, expected);
}

template <bool Right>
bool outside_box(stream const& s) {
  auto out = upload(s, ints(64));
  launch(s, grid(1), writes_box<Right>{out.view(8, 8).subview({{2, 2}}, {{3, 3}})});
  ints expected(64);
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 3; ++x) expected[(2 + y) * 8 + 2 + x] = int(10 * y + x);
  return holds<Right>(s, out, expected);
}

template <bool Right>
bool past_last_record(stream const& s) {
  auto bodies = upload(s, std::vector<body>(20, body{1, 1}));
  launch(s, grid(1), member_past_end<Right>{bodies});
  s.synchronize();
  if constexpr (Right) {
    auto const all = download(s, bodies);
    for (int i = 0; i < 20; ++i)
      if (all[std::size_t(i)].x != 1 || all[std::size_t(i)].y != i) return false;
  }
  return true;
}

template <class T, bool Right>
bool packs_of_slice(stream const& s) {
  auto const in = upload(s, std::vector<T>(16, T(3)));
  auto out = upload(s, std::vector<T>(4));
  launch(s, grid(1), sums_packs<T, Right>{in.view().slice(Right ? 2 : 1, 8), out});
  return holds<Right>(s, out, std::vector<T>(4, T(6)));
}

family const cases(
    "bounds", __FILE__,
    {{"matrix_column", {kind::out_of_bounds}, in_matrix<false>, in_matrix<true>},
     {"swapped_indices", {kind::out_of_bounds}, in_volume<false>, in_volume<true>},
     {"outside_slice", {kind::out_of_bounds}, outside_slice<false>, outside_slice<true>, runs::everywhere, "reads_run"},
     {"before_slice", {kind::out_of_bounds}, before_slice<false>, before_slice<true>, runs::everywhere, "reads_run"},
     {"other_buffer", {kind::out_of_bounds}, other_buffer<false>, other_buffer<true>, runs::everywhere, "reads_run"},
     {"lying_view", {kind::out_of_bounds}, lying_view<false>, lying_view<true>, runs::everywhere, "reads_run"},
     {"view_of_nothing", {kind::out_of_bounds}, view_of_nothing<false>, view_of_nothing<true>, runs::everywhere, "reads_run"},
     {"byte_past_end", {kind::out_of_bounds}, byte_past_end<false>, byte_past_end<true>, runs::everywhere, "reads_run"},
     {"outside_box", {kind::out_of_bounds}, outside_box<false>, outside_box<true>, runs::everywhere, "writes_box"},
     {"past_last_record", {kind::out_of_bounds}, past_last_record<false>, past_last_record<true>, runs::everywhere, "member_past_end"},
     kernel_case<pack_past_end>("pack_past_end", {kind::out_of_bounds}, {30, 8, 1},
                                [](ints const& in) {
                                  ints out(8);
                                  for (std::size_t i = 0; i < 7; ++i) out[i] = in[4 * i] + in[4 * i + 3];
                                  return out;
                                }),
     kernel_case<odd_pack>("odd_pack", {kind::misaligned}, {40, 8, 1},
                           [](ints const& in) {
                             ints out(8);
                             for (std::size_t i = 0; i < 8; ++i) out[i] = in[4 * i] + in[4 * i + 3];
                             return out;
                           }),
     kernel_case<odd_pack_store>("odd_pack_store", {kind::misaligned}, {8, 20, 1},
                                 [](ints const& in) {
                                   ints out(20);
                                   for (std::size_t i = 0; i < 8; ++i) out[2 * i] = in[i], out[2 * i + 1] = 1;
                                   return out;
                                 }),
     {"odd_slice", {kind::misaligned}, packs_of_slice<int, false>, packs_of_slice<int, true>, runs::everywhere, "sums_packs"},
     {"odd_slice_of_bytes",
      {kind::misaligned},
      packs_of_slice<std::uint8_t, false>,
      packs_of_slice<std::uint8_t, true>,
      runs::everywhere,
      "sums_packs"},
     {"odd_slice_of_doubles",
      {kind::misaligned},
      packs_of_slice<double, false>,
      packs_of_slice<double, true>,
      runs::everywhere,
      "sums_packs"}});

}  // namespace
}  // namespace planted
