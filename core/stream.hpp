// What every backend's device, stream and event offer.
#pragma once

#include <concepts>

#include "device.hpp"
#include "error.hpp"
#include "pool.hpp"

namespace dolmen {

namespace detail {

/// Kernels and functions of a program's own are compiled in kernel files, on every backend, so that a program for the CPU compiles
/// for a GPU as it is.
template <class Function>
constexpr void require_kernel_file() {
  static_assert(DOLMEN_IN_KERNEL_FILE || !sizeof(Function),
                "a kernel, or a function of an algorithm, is used in a file that is no kernel file: name this file after KERNELS in "
                "dolmen_add_executable(target ... KERNELS file.cpp), or call dolmen_kernels(target file.cpp)");
}

}  // namespace detail

namespace types {

/// How a buffer gets its memory.
enum class memory {
  pooled,  ///< from the device's pool, in stream order (the default)
  direct   ///< from the device itself; freeing waits for the device
};

/// Whether an event can be asked for a time.
enum class timing { enabled, disabled };

}  // namespace types

using types::memory;
using types::timing;

/// A device d:
///   D(index = 0)             throws backend_unavailable (with the reason) or invalid_argument where there is none
///   D::count()               0 where there is no device or driver; never throws
///   d.index(), d.name(), d.properties(), d.synchronize(), d.pool() statistics, d.trim_pool()
template <class D>
concept device_type = requires(D const& d) {
  { D::count() } -> std::same_as<int>;
  { d.index() } -> std::same_as<int>;
  { d.properties() } -> std::same_as<device_properties>;
  { d.pool() } -> std::same_as<pool_statistics>;
  d.reset_pool_peak();
  d.trim_pool();
  d.synchronize();
};

/// A stream s: operations given to it run in order; those of different streams may overlap. A stream is a handle: copies
/// refer to the same stream, which ends (after its work) with the last handle and the last buffer that refers to it.
///   S(nullptr)               a handle to no stream, only to be assigned to; one that was moved from is the same. Calls that
///                            are given one throw invalid_argument with their name; bool(s) is false
///   S(device = {})           a new stream, independent of all others; there is no default stream
///   s.synchronize()          returns when all its work is done; throws device_error if that failed
///   s.query()                true if all its work is done
///   s.wait(event)            later work of s runs after the event's last record so far; never blocks the host
///   s.get_device()
template <class S>
concept stream_type = requires(S const& s, typename S::backend::event const& e) {
  typename S::backend;
  s.synchronize();
  { s.query() } -> std::same_as<bool>;
  s.wait(e);
  { s.get_device() } -> std::same_as<typename S::backend::device>;
  static_cast<bool>(s);
};

/// An event e marks a place in a stream; one that was moved from marks none, and calls that are given it throw invalid_argument:
///   E(timing = enabled)
///   e.record(stream)         marks the stream's present end; may be repeated, later waits refer to the newest record
///   e.query(), e.wait()      is it reached; block the host until it is. Never recorded: true, and no wait
///   elapsed(first, second)   seconds between two records; throws invalid_argument that says which event was not
///                            recorded, is not finished, or has no timing
template <class E>
concept event_type = requires(E& e, E const& c) {
  { c.query() } -> std::same_as<bool>;
  c.wait();
  { elapsed(c, c) } -> std::same_as<double>;
};

namespace detail {

/// What handles that refer to nothing are called in errors.
inline constexpr char const* no_stream = "the stream is null or was moved from";
inline constexpr char const* no_event = "the event was moved from";
inline constexpr char const* no_buffer = "the buffer owns nothing: it was moved from, freed or never given a stream";

/// What a backend's refuse_handle throws for such handles; the check backend's reports them as well. (No base class of the backends:
/// what is found through a buffer's type would then include this namespace.)
[[noreturn]] inline void refuse_handle(char const* call, char const* what, source_location where) {
  fail<invalid_argument>(where, {call, ": ", what});
}

/// Throws invalid_argument with the call's name where the stream refers to nothing.
template <class Stream>
void require_stream(Stream const& stream, char const* call, source_location where) {
  if (!stream) [[unlikely]]
    Stream::backend::refuse_handle(call, no_stream, where);
}

/// Device memory that a buffer owns.
struct allocation {
  void* data = nullptr;
  std::size_t bytes = 0;
  pool_block* block = nullptr;  // null: direct
};

}  // namespace detail

/// A backend B ties its handle types together and hands out memory.
template <class B>
concept backend_type = stream_type<typename B::stream> && event_type<typename B::event> && device_type<typename B::device> &&
    requires(typename B::stream const& s, typename B::event& e, detail::allocation& a) {
  e.record(s);
  { B::name } -> std::convertible_to<char const*>;
  { B::allocate(s, std::size_t(1), memory::pooled, source_location::current()) } -> std::same_as<detail::allocation>;
  { B::release(a, s) }
  noexcept;
  { B::allocate_pinned(std::size_t(1), source_location::current()) } -> std::same_as<void*>;
  { B::release_pinned(static_cast<void*>(nullptr)) }
  noexcept;
};

}  // namespace dolmen
