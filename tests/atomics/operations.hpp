// Every operation, on one type, in every place: tiles and views of rank 1 to 3, block and device scope, all orders. Many
// threads use few cells, and what each operation found must fit into one sequence.
#pragma once

#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/guarded.hpp"
#include "../support/serialisable.hpp"

namespace test_atomics {

using namespace dolmen;
using testing::guarded;

// Each operation: how a kernel calls it, what it returns being the value found; and what it should leave in the cell,
// written independently. compare_exchange takes x for y.
struct add {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_add(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(x));
    else
      return old + x;
  }
};
struct subtract {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_sub(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(old) - std::make_unsigned_t<T>(x));
    else
      return old - x;
  }
};
struct minimum {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_min(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    return std::min(old, x);
  }
};
struct maximum {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_max(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    return std::max(old, x);
  }
};
struct bit_and {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_and(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    return old & x;
  }
};
struct bit_or {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_or(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    return old | x;
  }
};
struct bit_xor {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.fetch_xor(x, o, s);
  }
  template <class T>
  static T leaves(T old, T x, T) {
    return old ^ x;
  }
};
struct exchange {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T, memory_order o, memory_scope s) {
    return cell.exchange(x, o, s);
  }
  template <class T>
  static T leaves(T, T x, T) {
    return x;
  }
};
struct compare_exchange {
  template <class T>
  static DOLMEN_FN T apply(auto cell, T x, T y, memory_order o, memory_scope s) {
    T found = x;
    bool const done = cell.compare_exchange(found, y, o, s);
    return done == (found == x) ? found : T(99);  // 99 is in no sequence
  }
  template <class T>
  static T leaves(T old, T x, T y) {
    return old == x ? y : old;
  }
};

inline constexpr int cells = 6, threads = 64, blocks = 12, places = 8;

template <class T, class Op>
struct everywhere {
  using shape = block_shape<threads>;
  struct shared {
    tile<T, cells> line;
    tile<T, 2, 3> plane;
    tile<T, 3, 1, 2> volume;
  };
  view<T const> initial, xs, ys;
  view<T> line;
  view<T, 2> plane;
  view<T, 3> volume;
  view<T, 2> own;    // a row for each block
  view<T, 3> tiles;  // what the tiles of each block hold in the end: (block, tile, cell)
  view<T, 2> found;  // (place, thread)

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    using enum memory_order;
    constexpr auto device = memory_scope::device, own_block = memory_scope::block;
    auto const first = block.first_index();
    int const b = block.index.x;
    block.each_thread(cells, [&](thread t) {
      T const x = initial(t.rank);
      mem.line(t.rank) = x;
      mem.plane(t.rank / 3, t.rank % 3) = x;
      mem.volume(t.rank / 2, 0, t.rank % 2) = x;
    });
    block.sync();
    // A loop for each place, as bare as it can be.
    auto const in = [&](int place, auto cell) {
      block.each_thread([&, place](thread t) {
        auto const i = first + t.rank;
        found(place, i) = cell(int(i * 7 % cells), xs.load(i), ys.load(i));
      });
    };
    in(0, [&](int k, T x, T y) { return Op::apply(line.atomic(k), x, y, relaxed, device); });
    in(1, [&](int k, T x, T y) { return Op::apply(plane.atomic(k / 3, k % 3), x, y, acquire, device); });
    in(2, [&](int k, T x, T y) { return Op::apply(volume.atomic(k / 2, 0, k % 2), x, y, release, device); });
    in(3, [&](int k, T x, T y) { return Op::apply(own.atomic(b, k), x, y, acq_rel, own_block); });
    in(4, [&](int k, T x, T y) { return Op::apply(mem.line.atomic(k), x, y, relaxed, own_block); });
    in(5, [&](int k, T x, T y) { return Op::apply(mem.plane.atomic(k / 3, k % 3), x, y, acq_rel, device); });
    in(6, [&](int k, T x, T y) { return Op::apply(mem.volume.atomic(k / 2, 0, k % 2), x, y, release, own_block); });
    in(7, [&](int k, T x, T y) { return Op::apply(line.atomic(k + cells), x, y, acq_rel, device); });
    block.sync();
    block.each_thread(cells, [&](thread t) {
      tiles(b, 0, t.rank) = mem.line.load(t.rank);
      tiles(b, 1, t.rank) = mem.plane.load(t.rank / 3, t.rank % 3);
      tiles(b, 2, t.rank) = mem.volume.load(t.rank / 2, 0, t.rank % 2);
    });
  }
};

/// Integers over their whole range with the ends among them; floats whose sums are exact; few values for compare_exchange.
template <class T, class Op>
std::vector<T> arguments(std::uint64_t seed) {
  std::vector<T> x;
  if constexpr (std::is_same_v<Op, compare_exchange>) {
    x = testing::whole_values<T>(threads * blocks, seed);
    for (auto& v : x) v = T(std::uint64_t(std::int64_t(v)) % 4);
  } else if constexpr (std::is_integral_v<T>) {
    x = testing::random_values<T>(threads * blocks, seed);
    T const special[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(1), T(-1)};
    for (std::size_t i = 0; i < 5; ++i) x[i * 11] = special[i];
  } else {
    x = testing::whole_values<T>(threads * blocks, seed);
  }
  return x;
}

template <class T, class Op, class B>
void check_everywhere() {
  typename B::stream s;
  auto const x = arguments<T, Op>(3), y = arguments<T, Op>(4);
  auto const start = arguments<T, Op>(5);
  std::vector<T> const initial(start.begin(), start.begin() + cells);
  auto const copies = [&](int n) {
    std::vector<T> all;
    for (int i = 0; i < n; ++i) all.insert(all.end(), initial.begin(), initial.end());
    return all;
  };
  guarded<T, B> in(s, initial), xs(s, x), ys(s, y), line(s, copies(2));
  guarded<T, B, 2> plane(s, {{2, 3}}, copies(1), {0, 5}), own(s, {{blocks, cells}}, copies(blocks), {0, 3});
  guarded<T, B, 3> volume(s, {{3, 1, 2}}, copies(1), {0, 1}), tiles(s, {{blocks, 3, cells}});
  guarded<T, B, 2> found(s, {{places, threads * blocks}});
  launch(
      s, grid(blocks),
      everywhere<T, Op>{in.view(), xs.view(), ys.view(), line.view(), plane.view(), volume.view(), own.view(), tiles.view(), found.view()});

  auto const olds = found.values();
  // The operations of the given blocks on one cell of a place.
  auto const one_sequence = [&](int place, int cell, int block_begin, int block_end, T last) {
    std::vector<std::pair<T, T>> operations;
    for (int i = block_begin * threads; i < block_end * threads; ++i) {
      if (i * 7 % cells != cell) continue;
      T const old = olds[std::size_t(place * threads * blocks + i)];
      operations.emplace_back(old, Op::leaves(old, x[std::size_t(i)], y[std::size_t(i)]));
    }
    return operations.size() >= threads / cells && testing::serialisable(initial[std::size_t(cell)], last, operations);
  };
  auto const lines = line.values(), planes = plane.values(), volumes = volume.values(), owns = own.values(), in_tiles = tiles.values();
  for (int cell = 0; cell < cells; ++cell) {
    CAPTURE(cell);
    auto const at = [&](std::vector<T> const& all, int row) { return all[std::size_t(row * cells + cell)]; };
    CHECK(one_sequence(0, cell, 0, blocks, at(lines, 0)));
    CHECK(one_sequence(1, cell, 0, blocks, at(planes, 0)));
    CHECK(one_sequence(2, cell, 0, blocks, at(volumes, 0)));
    CHECK(one_sequence(7, cell, 0, blocks, at(lines, 1)));
    for (int b = 0; b < blocks; ++b) {
      CHECK(one_sequence(3, cell, b, b + 1, at(owns, b)));
      for (int tile = 0; tile < 3; ++tile) CHECK(one_sequence(4 + tile, cell, b, b + 1, at(in_tiles, 3 * b + tile)));
    }
  }
  CHECK((in.unchanged() && line.intact() && plane.intact() && volume.intact() && own.intact() && tiles.intact() && found.intact()));
}

template <class T, class B>
void check_numbers() {
  check_everywhere<T, add, B>();
  check_everywhere<T, subtract, B>();
  check_everywhere<T, minimum, B>();
  check_everywhere<T, maximum, B>();
  check_everywhere<T, exchange, B>();
  check_everywhere<T, compare_exchange, B>();
}
template <class T, class B>
void check_bits() {
  check_everywhere<T, bit_and, B>();
  check_everywhere<T, bit_or, B>();
  check_everywhere<T, bit_xor, B>();
}

}  // namespace test_atomics
