// The block: the interface that a kernel sees. Every backend has a class of its own that models block_like.
#pragma once

#include "shape.hpp"

namespace dolmen {

namespace detail {
struct any_body {
  template <class... Arguments>
  DOLMEN_FN void operator()(Arguments...) const {}
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
///   b.index, b.grid            its place in the grid, the grid's size; b.size threads; b.first_index() = index.x * size
///   b.each_thread(body)        a phase: body(dolmen::thread) for every thread
///   b.each_thread(n, body)     ... for the first n threads (n <= 0: none; n > size: all)
///   b.each_index(fixed<R, C>{}, body), b.each_index(rows, columns, body)
///                              a phase over a space of the block's own, body(row, column), columns along the threads' x;
///                              rank 1 to 3
///   b.sync()                   the barrier; phases alone order nothing between threads
///   b.grid_sync()              the barrier of all blocks of the grid, for launch_cooperative (core/cooperative.hpp)
///   b.template per_thread<T>(initial)  one value per thread that survives phases, value[t]
///   b.uniform(value, rank = 0) the value of one thread, for the whole block; a collective and a barrier
///   b.clock(), b.nanoseconds() cycles of this processor; time that is comparable between blocks
///
/// Code outside phases ("block scope") is the same for all threads. A phase must not write a variable of the block scope.
template <class B>
concept block_like = requires(B& b, index_t n) {
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
  { b.uniform(b.per_thread(1.0f)) } -> std::same_as<float>;
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
