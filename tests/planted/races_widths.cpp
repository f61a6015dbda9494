// Races of elements of 1 to 16 bytes, in shared and in global memory. Neighbours in one word are no race.
#include "planted.hpp"

namespace planted {

template <class T>
DOLMEN_FN T made_of(int i) {
  return T(i);
}
template <>
DOLMEN_FN inline pack<float, 4> made_of(int i) {
  return {float(i), 0, 0, 1};
}
template <class T>
DOLMEN_FN int number_in(T x) {
  return int(x);
}
DOLMEN_FN inline int number_in(pack<float, 4> x) { return int(x[0]); }

// Each thread writes its element and reads one: its own, or its neighbour's.
template <class T, bool Right>
struct neighbours {
  using shape = block_shape<64>;
  struct shared {
    tile<T, 64> cells;
  };
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.cells(t.rank) = made_of<T>(t.rank); });  // @neighbours:second
    block.each_thread([&](thread t) {
      int const from = Right ? t.rank : t.rank ^ 1;
      out(t.rank) = number_in(mem.cells.load(from));  // @neighbours:first
    });
  }
};

template <class T, bool Right>
struct global_neighbours {
  using shape = block_shape<64>;
  view<T> cells;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread([&](thread t) { cells(first + t.rank) = made_of<T>(t.rank); });  // @global_neighbours:second
    block.each_thread([&](thread t) {
      int const from = Right ? t.rank : t.rank ^ 1;
      out(first + t.rank) = number_in(cells.load(first + from));  // @global_neighbours:first
    });
  }
};

// The border between two blocks lies in the middle of a word.
template <class T, bool Right>
struct blocks_in_a_word {
  using shape = block_shape<1>;
  view<T> cells;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    index_t const to = Right ? block.index.x : block.index.x / 2;
    block.each_thread([&](thread) { cells(to) = made_of<T>(block.index.x + 1); });  // @blocks_in_a_word:first @blocks_in_a_word:second
  }
};

// Three bytes a thread, and a race on one of them.
template <bool Right>
struct third_byte {
  using shape = block_shape<32>;
  struct shared {
    tile<std::uint8_t, 97> bytes;
  };
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.bytes(96) = 0; });
    block.sync();
    block.each_thread([&](thread t) {
      int const first = 3 * t.rank + (Right ? 0 : 1);
      mem.bytes(3 * t.rank) = std::uint8_t(in(t.rank));  // @third_byte:first
      mem.bytes(3 * t.rank + 1) = 20;
      mem.bytes(3 * t.rank + 2) = 3;
      int sum = 0;
      for (int i = first; i < first + 3; ++i) sum += mem.bytes.load(i);  // @third_byte:second
      out(t.rank) = sum;
    });
  }
};

// A pack of four and a single element in it.
template <bool Right>
struct part_of_pack {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(16, [&](thread t) {
      auto const four = in.template load_pack<4>(4 * t.rank);
      out.template store_pack<4>(4 * t.rank, four);  // @part_of_pack:second
    });
    if constexpr (Right) block.sync();
    block.each_thread([&](thread t) { out(t.rank) += 1; });  // @part_of_pack:first
  }
};

struct particle {
  int x, y, mass;
};

// Members of one record are different memory.
template <bool Right>
struct members {
  using shape = block_shape<64>;
  view<particle> particles;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      index_t const one = t.rank / 2;
      if (t.rank % 2 == 0)
        particles.template field<&particle::x>(one) = t.rank;  // @members:first
      else if constexpr (Right)
        particles.template field<&particle::y>(one) = t.rank;
      else
        particles.template field<&particle::x>(one) = t.rank;  // @members:second
    });
  }
};

namespace {

template <class T, bool Right>
bool in_shared(stream const& s) {
  buffer<int> out(s, 64);
  launch(s, grid(1), neighbours<T, Right>{out});
  ints expected(64);
  for (int i = 0; i < 64; ++i) expected[std::size_t(i)] = i;
  return holds<Right>(s, out, expected);
}

template <class T, bool Right>
bool in_global(stream const& s) {
  buffer<T> cells(s, 128);
  buffer<int> out(s, 128);
  launch(s, grid(2), global_neighbours<T, Right>{cells, out});
  ints expected(128);
  for (int i = 0; i < 128; ++i) expected[std::size_t(i)] = i % 64;
  return holds<Right>(s, out, expected);
}

template <class T, bool Right>
bool between_blocks(stream const& s) {
  std::vector<T> expected(8);
  auto cells = upload(s, expected);
  launch(s, grid(8), blocks_in_a_word<T, Right>{cells});
  for (int i = 0; i < 8; ++i) expected[std::size_t(i)] = T(i + 1);
  return holds<Right>(s, cells, expected);
}

template <bool Right>
bool of_members(stream const& s) {
  buffer<particle> particles(s, 32);
  fill(s, particles, particle{-1, -1, 7});
  launch(s, grid(1), members<Right>{particles});
  s.synchronize();
  if constexpr (Right) {
    auto const all = download(s, particles);
    for (int i = 0; i < 32; ++i)
      if (auto const& p = all[std::size_t(i)]; p.x != 2 * i || p.y != 2 * i + 1 || p.mass != 7) return false;
  }
  return true;
}

template <class T>
test_case shared_case(char const* name) {
  return {name, {kind::race}, in_shared<T, false>, in_shared<T, true>, runs::everywhere, "neighbours"};
}
template <class T>
test_case global_case(char const* name) {
  return {name, {kind::race}, in_global<T, false>, in_global<T, true>, runs::everywhere, "global_neighbours"};
}
template <class T>
test_case blocks_case(char const* name) {
  return {name, {kind::race}, between_blocks<T, false>, between_blocks<T, true>, runs::everywhere, "blocks_in_a_word"};
}

family const cases("races_widths", __FILE__,
                   {shared_case<std::uint8_t>("shared_1_byte"),
                    shared_case<std::uint16_t>("shared_2_bytes"),
                    shared_case<float>("shared_4_bytes"),
                    shared_case<double>("shared_8_bytes"),
                    shared_case<pack<float, 4>>("shared_16_bytes"),
                    global_case<std::uint8_t>("global_1_byte"),
                    global_case<std::int16_t>("global_2_bytes"),
                    global_case<float>("global_4_bytes"),
                    global_case<std::int64_t>("global_8_bytes"),
                    global_case<pack<float, 4>>("global_16_bytes"),
                    blocks_case<std::uint8_t>("blocks_1_byte"),
                    blocks_case<std::uint16_t>("blocks_2_bytes"),
                    blocks_case<double>("blocks_8_bytes"),
                    kernel_case<third_byte>("third_byte", {kind::race}, {32, 32, 1},
                                            [](ints const& in) {
                                              ints out(32);
                                              for (std::size_t i = 0; i < 32; ++i) out[i] = in[i] + 23;
                                              return out;
                                            }),
                    kernel_case<part_of_pack>("part_of_pack", {kind::race}, {64, 64, 1},
                                              [](ints const& in) {
                                                ints out(in);
                                                for (int& x : out) ++x;
                                                return out;
                                              }),
                    {"members", {kind::race}, of_members<false>, of_members<true>}});

}  // namespace
}  // namespace planted
