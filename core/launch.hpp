// Running kernels: launch for blocks of threads, for_each_index where there is no block structure.
#pragma once

#include "block.hpp"
#include "error.hpp"
#include "stream.hpp"

namespace dolmen {

namespace detail {

/// What the compiler can say about a kernel before it is launched.
template <class Kernel>
constexpr void check_kernel() {
  require_kernel_file<Kernel>();
  static_assert(has_shape<Kernel>, "a kernel says its block: using shape = dolmen::block_shape<256>;");
  static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel travels to the device as bytes: its members must be trivially copyable");
  static_assert(DOLMEN_NO_REFERENCES(Kernel));
  static_assert(std::is_trivially_default_constructible_v<shared_t<Kernel>>,
                "shared memory is not initialised: a kernel's `struct shared` must be trivially default-constructible");
  static_assert(alignof(shared_t<Kernel>) <= shared_alignment, "shared memory is aligned to 128 bytes");
  if constexpr (has_bounds<Kernel>)
    static_assert(has_launch_bounds<Kernel>,
                  "a kernel's `bounds` are its launch bounds: static constexpr dolmen::launch_bounds bounds{.min_blocks = 2};");
  static_assert(min_blocks<Kernel> >= 0 && min_blocks<Kernel> <= 2048 / Kernel::shape::size,
                "a kernel's bounds.min_blocks is at least 0, and no multiprocessor holds more than 2048 threads");
}

/// A body for every index is run for what it writes.
template <class Body, class... Indices>
constexpr void check_each() {
  if constexpr (std::is_invocable_v<Body const&, Indices...> && !DOLMEN_HIDES_RESULT(Body))
    static_assert(std::is_void_v<std::invoke_result_t<Body const&, Indices...>>,
                  "for_each_index: the body returns nothing, what it returned would be lost; transform writes what a function returns");
}

/// False for a grid without blocks; throws for one that no backend takes.
DOLMEN_API bool any_blocks(char const* call, grid blocks, source_location where);

}  // namespace detail

/// Runs `kernel` for every block of the grid, in the order of the stream. Asynchronous on a GPU; on the CPU all of it has
/// run on return. A grid without blocks is a no-op. Throws invalid_argument for a negative extent, launch_error (with
/// kernel, asked and available) when the device cannot run it; nothing ran then, and the next call works. An exception
/// thrown by the kernel on the CPU is rethrown here, once.
///
/// Always inlined: the launcher that it ends in belongs to this one source file.
template <stream_type Stream, class Kernel>
[[gnu::always_inline]] inline void launch(Stream const& stream, grid blocks, Kernel const& kernel,
                                          source_location where = source_location::current()) {
  detail::require_stream(stream, "launch", where);
  detail::check_kernel<Kernel>();
  if (!detail::any_blocks("launch", blocks, where)) return;
  launch_kernel(stream, blocks, kernel, where);
}

/// Calls body(i) for every i in [0, n), in no order. `body` is a DOLMEN_LAMBDA or a struct with a DOLMEN_FN call operator;
/// it must be trivially copyable, so it holds views, not buffers. Same synchronisation and errors as launch.
template <stream_type Stream, class Body>
[[gnu::always_inline]] inline void for_each_index(Stream const& stream, index_t n, Body const& body,
                                                  source_location where = source_location::current()) {
  detail::require_stream(stream, "for_each_index", where);
  for_each_index(stream, extents<1>{{n}}, body, where);
}

/// ... body(row, column) or body(plane, row, column) for every index of the extents, the last one fastest.
template <stream_type Stream, int Rank, class Body>
[[gnu::always_inline]] inline void for_each_index(Stream const& stream, extents<Rank> shape, Body const& body,
                                                  source_location where = source_location::current()) {
  static_assert(DOLMEN_NO_REFERENCES(Body));
  detail::require_kernel_file<Body>();
  if constexpr (Rank == 1)
    detail::check_each<Body, index_t>();
  else if constexpr (Rank == 2)
    detail::check_each<Body, index_t, index_t>();
  else
    detail::check_each<Body, index_t, index_t, index_t>();
  detail::require_stream(stream, "for_each_index", where);
  for (int d = 0; d < Rank; ++d)
    detail::require(shape[d] >= 0, where, "for_each_index: extent ", d, " is ", shape[d], ", it must not be negative");
  detail::require(shape.countable(), where, "for_each_index: the extents ", shape, " have more indices than 64 bits can count");
  if (!shape.empty()) launch_each(stream, shape, body, where);
}

}  // namespace dolmen
