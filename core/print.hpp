// DOLMEN_PRINTF and DOLMEN_ASSERT for kernels: they name block, thread and line on every backend.
#pragma once

#include <cstdio>

#include "require.hpp"
#include "shape.hpp"

namespace dolmen::detail {

/// The block that the calling CPU thread runs now; {-1, -1, -1} outside kernels.
DOLMEN_API block_index& current_block() noexcept;

/// Names the running block for DOLMEN_PRINTF and DOLMEN_ASSERT, and takes the name back when the block leaves.
struct running_block {
  block_index& here = current_block();
  block_index const before = here;
  ~running_block() { here = before; }
};

DOLMEN_INLINE_FN block_index block_here() {
#if DOLMEN_ON_DEVICE
  return {int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)};  // within the part of a grid beyond 65535 that this launch covers
#else
  return current_block();
#endif
}

/// Who speaks: a thread inside a phase, or the block.
DOLMEN_INLINE_FN int rank_of(thread const& t) { return t.rank; }
template <class Block>
DOLMEN_INLINE_FN int rank_of(Block const&) {
  return -1;
}

[[noreturn]] DOLMEN_API void assertion_failed(char const* condition, char const* file, int line, int rank);

DOLMEN_NO_EXEC_CHECK
DOLMEN_FN inline void fail_assertion(char const* condition, char const* file, int line, int rank) {
#if DOLMEN_ON_DEVICE
  printf("DOLMEN_ASSERT(%s) failed: block (%d, %d, %d), thread %d (%s:%d)\n", condition, int(blockIdx.x), int(blockIdx.y), int(blockIdx.z),
         rank, file, line);
  __trap();
#else
  assertion_failed(condition, file, line, rank);
#endif
}

/// printf in the classic locale, whatever the program set. (What a GPU prints is formatted by CUDA, in the program's locale.)
[[gnu::format(printf, 1, 2)]] DOLMEN_API void print_on_host(char const* format, ...);

// The format is checked where the macro stands.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
DOLMEN_NO_EXEC_CHECK
template <class... Arguments>
DOLMEN_FN void print_line(char const* format, Arguments... arguments) {
#if DOLMEN_ON_DEVICE
  printf(format, arguments...);
#else
  print_on_host(format, arguments...);
#endif
}
#pragma GCC diagnostic pop

/// The initial value of an exclusive scan of values of type T, from whatever was given. It counts as if it stood before the values: a
/// floating-point number before integers does not compile, and a number that T does not have fails the launch, as DOLMEN_ASSERT does.
template <class T, class Initial>
DOLMEN_INLINE_FN T scan_start(Initial&& initial) {
  using given = value_behind<Initial>;
  given const x = static_cast<Initial&&>(initial);
  if constexpr (number<T> && number<given> && !std::same_as<T, given>) {
    static_assert(!std::is_integral_v<T> || std::is_integral_v<given>,
                  "exclusive_scan: the values are integers, the initial value is a floating-point number");
#if !defined(DOLMEN_NO_ASSERT)
    if (!holds_value<T>(x)) fail_assertion("the initial value of exclusive_scan is one of the values' type", __FILE__, __LINE__, -1);
#endif
  }
  return static_cast<T>(x);
}

}  // namespace dolmen::detail

/// DOLMEN_PRINTF(t, "x = %f", x): prints "[block (0, 0, 0) thread 5 file:line] x = ..." and a line feed. The first argument
/// is the thread of the phase, or the block. Formats are printf's. GPU output appears when the stream is synchronised.
#define DOLMEN_PRINTF(who, format, ...)                                                                                                    \
  do {                                                                                                                                     \
    ::dolmen::block_index const dolmen_block_ = ::dolmen::detail::block_here();                                                            \
    if (false) printf(format "\n" __VA_OPT__(, ) __VA_ARGS__); /* for the compiler's check of the format */                                \
    ::dolmen::detail::print_line("[block (%d, %d, %d) thread %d %s:%d] " format "\n", dolmen_block_.x, dolmen_block_.y, dolmen_block_.z,   \
                                 ::dolmen::detail::rank_of(who), static_cast<char const*>(__FILE__), __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)

/// DOLMEN_ASSERT(t, condition): fails the launch where the condition does not hold. On the CPU the launch throws
/// launch_error; a GPU prints the text, and the device is lost to this process (a later call throws device_error).
/// Present in every build type; -DDOLMEN_NO_ASSERT removes it.
#if defined(DOLMEN_NO_ASSERT)
#define DOLMEN_ASSERT(who, ...) static_cast<void>(0)
#else
#define DOLMEN_ASSERT(who, ...)         \
  ((__VA_ARGS__) ? static_cast<void>(0) \
                 : ::dolmen::detail::fail_assertion(#__VA_ARGS__, __FILE__, __LINE__, ::dolmen::detail::rank_of(who)))
#endif
