// The shapes of a launch: a block's is a compile-time constant, a grid's is not.
#pragma once

#include "types.hpp"

namespace dolmen {

/// The warp size, the same on every backend.
inline constexpr int warp_size = 32;

namespace types {

/// Threads of a block, x fastest. A kernel says `using shape = dolmen::block_shape<32, 8>;`.
template <int X, int Y = 1, int Z = 1>
struct block_shape {
  static_assert(X > 0 && Y > 0 && Z > 0, "a block has at least one thread in each dimension");
  static_assert(index_t(X) * Y * Z <= 1024, "a block holds at most 1024 threads (X * Y * Z)");
  static_assert(Z <= 64, "a block holds at most 64 threads along z");
  static constexpr int x = X, y = Y, z = Z, size = X * Y * Z;
};

/// What a kernel may ask of the GPU's compiler, as `static constexpr dolmen::launch_bounds bounds{.min_blocks = 2};`: so few
/// registers that this many of its blocks fit on a multiprocessor at once, at the price of spilling (see kernel_facts).
/// 0 asks for nothing. Ignored on the CPU.
struct launch_bounds {
  int min_blocks;
};

/// A block's place in the grid, or the grid's size as a kernel sees it.
struct block_index {
  int x, y, z;
};

/// A thread within its block.
struct thread {
  int x, y, z;
  int rank;        // (z * Y + y) * X + x
  int warp, lane;  // rank / 32, rank % 32
};

}  // namespace types

using types::block_index;
using types::block_shape;
using types::launch_bounds;
using types::thread;

/// Blocks of a launch. Any extent may be 0 (nothing runs); y and z are not limited to CUDA's 65535.
struct grid {
  index_t x, y, z;
  DOLMEN_FN constexpr explicit grid(index_t x, index_t y = 1, index_t z = 1) : x(x), y(y), z(z) {}
  DOLMEN_FN constexpr index_t blocks() const { return x * y * z; }
};

namespace detail {

template <class Shape>
DOLMEN_INLINE_FN constexpr thread thread_at(int x, int y, int z) {
  int const rank = (z * Shape::y + y) * Shape::x + x;
  return {x, y, z, rank, rank / warp_size, rank % warp_size};
}

/// Splits a block's number in the grid, x fastest.
DOLMEN_INLINE_FN constexpr block_index split(index_t number, block_index grid) {
  return {int(number % grid.x), int(number / grid.x % grid.y), int(number / (index_t(grid.x) * grid.y))};
}

/// The place after this one.
DOLMEN_INLINE_FN constexpr void next(block_index& place, block_index grid) {
  if (++place.x < grid.x) return;
  place.x = 0;
  if (++place.y < grid.y) return;
  place.y = 0;
  ++place.z;
}

struct no_shared {};

template <class Kernel>
struct shared_of {
  using type = no_shared;
};
template <class Kernel>
requires requires { typename Kernel::shared; }
struct shared_of<Kernel> {
  using type = typename Kernel::shared;
};

/// What a kernel keeps in shared memory; an empty struct where it names none.
template <class Kernel>
using shared_t = typename shared_of<Kernel>::type;

/// Shared memory starts at such an address on every backend.
inline constexpr std::size_t shared_alignment = 128;

template <class Kernel>
inline constexpr std::size_t shared_bytes = std::is_empty_v<shared_t<Kernel>> ? 0 : sizeof(shared_t<Kernel>);

template <class Kernel>
concept has_bounds = requires {
  Kernel::bounds;
};
template <class Kernel>
concept has_launch_bounds =
    std::is_same_v<decltype(Kernel::bounds), launch_bounds const> && !std::is_member_object_pointer_v<decltype(&Kernel::bounds)>;

/// The blocks per multiprocessor that a kernel asks for; 0 where it does not.
template <class Kernel>
inline constexpr int min_blocks = 0;
template <has_launch_bounds Kernel>
inline constexpr int min_blocks<Kernel> = Kernel::bounds.min_blocks;

/// A phase is run for what it writes: a body that returns something means something else.
template <class Body, class... Arguments>
DOLMEN_INLINE_FN constexpr void check_phase() {
  if constexpr (std::is_invocable_v<Body&, Arguments...>)
    static_assert(std::is_void_v<std::invoke_result_t<Body&, Arguments...>>,
                  "a phase returns nothing: what its body returned would be lost; write it to a view, a tile or a per_thread value");
}
/// ... that takes an index, and the thread if it wants it.
template <class Body>
DOLMEN_INLINE_FN constexpr void check_index_phase() {
  check_phase<Body, int>();
  check_phase<Body, int, thread>();
}
/// ... at warp scope.
template <class Body, class Warp>
DOLMEN_INLINE_FN constexpr void check_warp_scope() {
  if constexpr (std::is_invocable_v<Body&, Warp&>)
    static_assert(std::is_void_v<std::invoke_result_t<Body&, Warp&>>,
                  "the body of each_warp returns nothing: what it returned would be lost");
}
template <class Kernel, class... Arguments>
DOLMEN_INLINE_FN constexpr void check_result() {
  static_assert(std::is_void_v<std::invoke_result_t<Kernel const&, Arguments...>>,
                "a kernel returns nothing: what its call operator returned would be lost; write it to a view");
}

/// Calls kernel(block, shared), or kernel(block) where the kernel has no shared memory.
DOLMEN_NO_EXEC_CHECK
template <class Kernel, class Block>
DOLMEN_INLINE_FN void call_kernel(Kernel const& kernel, Block& block, shared_t<Kernel>& shared) {
  if constexpr (requires { typename Kernel::shared; }) {
    check_result<Kernel, Block&, shared_t<Kernel>&>();
    kernel(block, shared);
  } else {
    check_result<Kernel, Block&>();
    kernel(block);
  }
}

}  // namespace detail
}  // namespace dolmen
