// The block: the interface that a kernel sees. Every backend has a class of its own that models block_like.
#pragma once

#include <utility>

#include "lanes.hpp"
#include "shape.hpp"

namespace dolmen {

namespace detail {

struct any_body {
  template <class... Arguments>
  DOLMEN_FN void operator()(Arguments...) const {}
};

struct any_warp_body {
  template <class Warp>
  DOLMEN_FN void operator()(Warp&) const {}
};

}  // namespace detail

/// A kernel is a struct with a shape, optional shared memory, its arguments, and one call operator that is written for
/// the block:
///
///     struct scale {
///       using shape = dolmen::block_shape<256>;
///       struct shared { dolmen::tile<float, 256> staged; };      // optional
///       static constexpr dolmen::launch_bounds bounds{.min_blocks = 2};  // optional
///       dolmen::view<float> data;
///       template <class Block>
///       DOLMEN_FN void operator()(Block& block, shared& mem) const;
///     };
///
/// What a block offers (b is one):
///
///   b.index, b.grid            its place in the grid, the grid's size; b.size threads in b.warps warps; b.first_index() =
///                              index.x * size
///   b.each_thread(body)        a phase: body(dolmen::thread) for every thread
///   b.each_thread(n, body)     ... for the first n threads (n <= 0: none; n > size: all)
///   b.each_index(fixed<R, C>{}, body), b.each_index(rows, columns, body)
///                              a phase over a space of the block's own, body(row, column), columns along the threads' x;
///                              rank 1 to 3. Of rank 1, thread r takes r, r + size, ..., and body(i, thread) is told which it is
///   b.sync()                   the barrier; phases alone order nothing between threads
///   b.grid_sync()              the barrier of all blocks of the grid, for launch_cooperative (core/cooperative.hpp)
///   b.per_thread(initial)      one value per thread that survives phases, value[t]
///   b.per_warp(initial)        one value per warp: read as value[t], written at warp scope as value[warp]
///   b.clock(), b.nanoseconds() cycles of this processor; time that is comparable between blocks
///
/// Operations of the whole block, each also a barrier; op is one of operators.hpp or an associative function object, and is
/// applied in the order of the threads unless it says that it is commutative:
///
///   b.reduce(v, op = plus{})                    one value, for the whole block
///   b.inclusive_scan(v, op = plus{})            per thread: v of all threads up to and including its own
///   b.exclusive_scan(v, initial, op = plus{})   ... up to its own, after `initial`; with a fourth argument that takes the total
///                                               `initial` counts as if it stood before the values: a number that their type does
///                                               not have fails the launch, 0.5 before integers does not compile
///   b.any(v), b.all(v), b.count(v)              of values that convert to bool
///   b.uniform(v, rank = 0), b.broadcast(v, rank)   the value of one thread, for the whole block
///
/// Operations of every warp, at block scope; `segment` is lanes<2, 4, 8, 16 or 32>{} and 32 where it is left out. They are
/// no barrier, and order no memory:
///
///   b.warp_reduce(v, op, segment)               per segment: r[t]
///   b.warp_inclusive_scan(v, op, segment), b.warp_exclusive_scan(v, initial, op, segment)
///   b.warp_shuffle(v, lane, segment)            the value of a lane (taken modulo the segment's width) of the segment; `lane` is a
///                                               number, or a per_thread<int>
///   b.warp_shuffle_up(v, n, segment), b.warp_shuffle_down(v, n, segment), b.warp_shuffle_xor(v, mask, segment)
///                                               the value of lane - n, lane + n, lane ^ mask of the segment
///   b.warp_ballot(v, segment)                   per segment: bit i for lane i of the segment
///   b.warp_any(v, segment), b.warp_all(v, segment)
///   b.warp_match(v, segment)                    per thread: the lanes of its segment whose v has the same bits
///
/// Warp scope: b.each_warp([&](auto& warp) { ... }) is uniform per warp, so that warps may take different branches and
/// numbers of rounds. warp.index, warp.lanes; warp.each_lane(body), each_lane(n, body), each_index(count, body); warp.sync(), which
/// orders the memory of the warp's lanes; warp.per_lane(initial); warp.reduce, inclusive_scan, exclusive_scan, shuffle, shuffle_up,
/// shuffle_down, shuffle_xor, ballot, any, all, match as above, broadcast(v, lane); reduce, ballot, any, all and broadcast give one
/// value for the warp. warp.fill, load, mma, store, each_element work on fragments: see fragment.hpp.
///
/// In a block whose size is not a multiple of 32 the last warp has fewer lanes. Those that are missing take no part: they
/// are no operand, no bit, no match; a shuffle from a lane that is not there, or outside of the segment, gives a lane its own value.
///
/// Copies into shared memory, by all threads of the block; see docs/tensor-cores.md:
///
///   b.copy_async(tile, fixed<R, C>{}, view, row, column)   the R x C box of the view at (row, column) into tile(0, 0) and on;
///                              zeros where the box is outside of the view. A view of 4-, 8- or 16-byte elements, or of packs
///                              (view::as_packs), is copied past the registers where the device can; others are loaded and stored
///   b.commit_copies()          ends a group of copies
///   b.wait_copies(n)           waits for all but the newest n (0 to 7) groups; other threads see them after the next b.sync()
///
/// Floating-point reductions and scans give the same bits on every backend, with the operators of operators.hpp (a NaN that
/// they make may have others). Values that are reduced or scanned are default-constructible; those of more than 16 bytes need
/// room of their own in a GPU's shared memory: two per warp.
///
/// Code outside phases ("block scope") is the same for all threads. A phase must not write a variable of the block scope.
template <class B>
concept block_like = requires(B& b, index_t n, decltype(std::declval<B&>().per_thread(1.0f))& v, float& total) {
  { b.index } -> std::convertible_to<block_index>;
  { b.grid } -> std::convertible_to<block_index>;
  { B::size } -> std::convertible_to<int>;
  { b.first_index() } -> std::same_as<index_t>;
  b.sync();
  b.grid_sync();
  b.each_thread(detail::any_body{});
  b.each_thread(n, detail::any_body{});
  b.each_index(4, detail::any_body{});
  b.each_index(4, 4, detail::any_body{});
  b.each_index(4, 4, 4, detail::any_body{});
  b.each_index(fixed<4, 4>{}, detail::any_body{});
  { b.uniform(v) } -> std::same_as<float>;
  { b.broadcast(v, 1) } -> std::same_as<float>;
  { b.reduce(v) } -> std::same_as<float>;
  { b.reduce(v, maximum{}) } -> std::same_as<float>;
  v = b.inclusive_scan(v);
  v = b.exclusive_scan(v, 0.0f);
  v = b.exclusive_scan(v, 0.0f, plus{}, total);
  { b.any(v) } -> std::same_as<bool>;
  { b.all(v) } -> std::same_as<bool>;
  { b.count(v) } -> std::same_as<int>;
  b.warp_reduce(v, plus{}, lanes<8>{});
  v = b.warp_inclusive_scan(v, plus{}, lanes<8>{});
  v = b.warp_exclusive_scan(v, 0.0f, plus{}, lanes<8>{});
  v = b.warp_shuffle(v, 1, lanes<8>{});
  v = b.warp_shuffle(v, b.per_thread(1), lanes<8>{});
  v = b.warp_shuffle_up(v, 1, lanes<8>{});
  v = b.warp_shuffle_down(v, 1, lanes<8>{});
  v = b.warp_shuffle_xor(v, 1, lanes<8>{});
  b.warp_ballot(v, lanes<8>{});
  b.warp_any(v, lanes<8>{});
  b.warp_all(v, lanes<8>{});
  b.warp_match(v, lanes<8>{});
  b.per_warp(1.0f);
  b.each_warp(detail::any_warp_body{});
  { b.clock() } -> std::same_as<index_t>;
  { b.nanoseconds() } -> std::same_as<index_t>;
};

namespace detail {
template <class Kernel>
concept has_shape = requires {
  { Kernel::shape::size } -> std::convertible_to<int>;
};
}  // namespace detail

/// A struct that can be launched; whether its call operator fits the block shows when it is instantiated.
template <class K>
concept kernel_type =
    detail::has_shape<K> && std::is_trivially_copyable_v<K> && std::is_trivially_default_constructible_v<detail::shared_t<K>>;

}  // namespace dolmen
