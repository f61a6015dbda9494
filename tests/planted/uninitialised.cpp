// Memory that is read before anything was written to it.
#include <cstdint>

#include "planted.hpp"

namespace planted {

// The edge: the tile is filled as far as there is data, and read whole.
template <bool Right>
struct shared_tail {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 64> staged;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    int const active = int(min(in.size() - first, index_t(64)));
    if constexpr (Right) block.each_thread([&](thread t) { mem.staged(t.rank) = 0; });
    block.each_thread(active, [&](thread t) { mem.staged(t.rank) = in(first + t.rank); });
    block.sync();
    block.each_thread(active, [&](thread t) {
      out(first + t.rank) = mem.staged.load(63 - t.rank);  // @shared_tail:first
    });
  }
};

template <bool Right>
struct bins_never_cleared {
  using shape = block_shape<64>;
  struct shared {
    tile<int, 8> bins;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    if constexpr (Right) block.each_thread(8, [&](thread t) { mem.bins(t.rank) = 0; });
    block.sync();
    block.each_thread([&](thread t) { mem.bins.atomic(in(t.rank) % 8).fetch_add(1); });  // @bins_never_cleared:first
    block.sync();
    block.each_thread(8, [&](thread t) { out(t.rank) = mem.bins.load(t.rank); });  // @bins_never_cleared:maybe
  }
};

// What the block before left in shared memory is no value.
template <bool Right>
struct from_the_block_before {
  using shape = block_shape<32>;
  struct shared {
    tile<int, 1> sum;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(Right || block.index.x == 0 ? 1 : 0, [&](thread) { mem.sum(0) = in(0); });
    block.sync();
    block.each_thread(1, [&](thread) { out(block.index.x) = mem.sum.load(0); });  // @from_the_block_before:first
  }
};

// The padding column of a tile.
template <bool Right>
struct padding_column {
  using shape = block_shape<16, 2>;
  struct shared {
    tile<int, 2, 17> rows;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.rows(t.y, t.x) = in(t.rank); });
    block.sync();
    block.each_thread([&](thread t) {
      int const column = Right ? (t.x + 1) % 16 : t.x + 1;
      out(t.rank) = mem.rows.load(t.y, column);  // @padding_column:first
    });
  }
};

// Adds to what it should set.
template <bool Right>
struct accumulates {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      auto const i = block.first_index() + t.rank;
      if constexpr (Right)
        out(i) = in(i);
      else
        out(i) += in(i);  // @accumulates:first
    });
  }
};

// Three of four elements of a pack were written.
template <bool Right>
struct pack_of_three {
  using shape = block_shape<16>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      for (int k = 0; k < (Right ? 4 : 3); ++k) out(4 * t.rank + k) = in(4 * t.rank + k);
      auto const four = out.template load_pack<4>(4 * t.rank);  // @pack_of_three:first
      out(4 * t.rank) = four[0] + four[1] + four[2];
    });
  }
};

template <class T>
struct doubles {
  using shape = block_shape<64>;
  view<T const> in;
  view<T> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(in.size() - first, [&](thread t) { out(first + t.rank) = T(2 * in(first + t.rank)); });  // @doubles:first
  }
};

namespace {

template <bool Right>
bool accumulates_into_new(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  buffer<int> out(s, 64);
  launch(s, grid(1), accumulates<Right>{in.view(), out.view()});
  return holds<Right>(s, out, host);
}

template <bool Right>
bool pack_partly_written(stream const& s) {
  ints host = numbers(64);
  auto const in = upload(s, host);
  buffer<int> out(s, 64);
  launch(s, grid(1), pack_of_three<Right>{in.view(), out.view()});
  for (std::size_t i = 0; i < 64; i += 4) host[i] += host[i + 1] + host[i + 2];
  return holds<Right>(s, out, host);
}

// A fill that took bytes for elements, or elements for bytes.
template <bool Right>
bool forgot_element_size(stream const& s) {
  buffer<float> in(s, 64), out(s, 64);
  index_t const count = Right ? 64 : 64 / index_t(sizeof(float));
  fill(s, in.view().slice(0, count), 3.0f);
  launch(s, grid(1), doubles<float>{in.view(), out.view()});
  return holds<Right>(s, out, std::vector<float>(64, 6.0f));
}

template <bool Right>
bool last_byte(stream const& s) {
  buffer<std::uint8_t> in(s, 77), out(s, 77);
  fill(s, in.view().slice(0, Right ? 77 : 76), std::uint8_t(1));
  launch(s, grid(2), doubles<std::uint8_t>{in.view(), out.view()});
  return holds<Right>(s, out, std::vector<std::uint8_t>(77, 2));
}

template <bool Right>
bool copied_out(stream const& s) {
  ints const host = numbers(64);
  auto const in = upload(s, host);
  buffer<int> out(s, 64);
  copy(s, in.view().slice(0, Right ? 64 : 63), out.view().slice(0, Right ? 64 : 63));
  ints result(64);
  copy(s, out, result);  // @copied_out:first
  s.synchronize();
  return !Right || result == host;
}

template <bool Right>
bool last_byte_copied_out(stream const& s) {
  buffer<std::uint8_t> data(s, 77);
  fill(s, data.view().slice(0, Right ? 77 : 76), std::uint8_t(1));
  std::vector<std::uint8_t> result(77);
  copy(s, data, result);  // @last_byte_copied_out:first
  s.synchronize();
  return !Right || result == std::vector<std::uint8_t>(77, 1);
}

template <bool Right>
bool gap_of_rows(stream const& s) {
  buffer<int> matrix(s, 4 * 16);
  fill(s, matrix.view(4, 16).subview({{0, 0}}, {{4, 15}}), 2);
  ints result(Right ? 60 : 64);
  if constexpr (Right)
    copy(s, matrix.view(4, 16).subview({{0, 0}}, {{4, 15}}), result);
  else
    copy(s, matrix.view(4, 16), result);  // @gap_of_rows:first
  s.synchronize();
  return !Right || result == ints(60, 2);
}

template <bool Right>
bool summed(stream const& s) {
  buffer<int> data(s, 64);
  if constexpr (Right) fill(s, data, 5);
  auto const total = sum(s, data);  // @summed:first
  return !Right || total == 320;
}

// Memory comes back from the pool with the values of its last owner. They are not the new owner's.
template <bool Right>
bool second_hand(stream const& s) {
  {
    buffer<float> before(s, 64);
    fill(s, before, 3.0f);
  }
  buffer<float> in(s, 64), out(s, 64);
  if constexpr (Right) fill(s, in, 3.0f);
  launch(s, grid(1), doubles<float>{in.view(), out.view()});
  return holds<Right>(s, out, std::vector<float>(64, 6.0f));
}

family const cases(
    "uninitialised", __FILE__,
    {kernel_case<shared_tail>("shared_tail", {kind::uninitialised}, {100, 100, 2},
                              [](ints const& in) {
                                ints out(100);
                                for (std::size_t i = 0; i < 64; ++i) out[i] = in[63 - i];
                                for (std::size_t i = 0; i < 36; ++i) out[64 + i] = 63 - i < 36 ? in[127 - i] : 0;
                                return out;
                              }),
     kernel_case<bins_never_cleared>("bins_never_cleared", {kind::uninitialised}, {64, 8, 1},
                                     [](ints const& in) {
                                       ints out(8);
                                       for (int x : in) ++out[std::size_t(x % 8)];
                                       return out;
                                     }),
     kernel_case<from_the_block_before>("from_the_block_before", {kind::uninitialised}, {1, 3, 3},
                                        [](ints const& in) { return ints(3, in[0]); }),
     kernel_case<padding_column>("padding_column", {kind::uninitialised}, {32, 32, 1},
                                 [](ints const& in) {
                                   ints out(32);
                                   for (std::size_t i = 0; i < 32; ++i) out[i] = in[i / 16 * 16 + (i + 1) % 16];
                                   return out;
                                 }),
     {"accumulates", {kind::uninitialised}, accumulates_into_new<false>, accumulates_into_new<true>},
     {"pack_of_three", {kind::uninitialised}, pack_partly_written<false>, pack_partly_written<true>},
     {"forgot_element_size", {kind::uninitialised}, forgot_element_size<false>, forgot_element_size<true>, runs::everywhere, "doubles"},
     {"last_byte", {kind::uninitialised}, last_byte<false>, last_byte<true>, runs::everywhere, "doubles"},
     {"copied_out", {kind::uninitialised}, copied_out<false>, copied_out<true>},
     {"last_byte_copied_out", {kind::uninitialised}, last_byte_copied_out<false>, last_byte_copied_out<true>},
     {"gap_of_rows", {kind::uninitialised}, gap_of_rows<false>, gap_of_rows<true>},
     {"summed", {kind::uninitialised}, summed<false>, summed<true>},
     {"second_hand", {kind::uninitialised}, second_hand<false>, second_hand<true>, runs::everywhere, "doubles"}});

}  // namespace
}  // namespace planted
