// Owners of memory: buffer on the device, pinned_buffer on the host.
#pragma once

#include <limits>
#include <span>
#include <utility>

#include "host_memory.hpp"
#include "stream.hpp"
#include "view.hpp"

namespace dolmen {

namespace detail {

/// Bytes of a shape. Throws invalid_argument for a negative extent (named) or a size no pointer can span.
template <class T, int Rank>
std::size_t checked_bytes(extents<Rank> const& shape, source_location where) {
  constexpr index_t most = std::numeric_limits<index_t>::max() / index_t(sizeof(T));
  index_t count = 1;
  bool empty = false;
  for (int d = 0; d < Rank; ++d) {
    require(shape[d] >= 0, where, "buffer: extent ", d, " is ", shape[d], ", it must not be negative");
    empty = empty || shape[d] == 0;
  }
  for (int d = 0; d < Rank && !empty; ++d) {
    require(count <= most / shape[d], where, "buffer: ", count, " x ", shape[d], " elements of ", sizeof(T),
            " bytes are more than 64 bits can count");
    count *= shape[d];
  }
  return empty ? 0 : std::size_t(count) * sizeof(T);
}

}  // namespace detail

/// Typed device memory. Move-only; freed in order on the stream it was made with, which it keeps alive. Contents are
/// undefined until written. Freeing never throws. A buffer of no elements holds no memory.
template <class T, class Backend = default_backend>
class buffer {
  static_assert(element_type<T> && !std::is_const_v<T>, "a buffer's elements must be trivially copyable");
  static_assert(alignof(T) <= detail::pool_alignment, "pool memory is aligned to 256 bytes");

 public:
  using element = T;
  using backend = Backend;
  using stream_type = typename Backend::stream;

  /// Owns nothing.
  buffer() = default;

  /// `count` elements. Does not synchronise. Throws invalid_argument for a negative count, out_of_memory with the
  /// requested, free and cached sizes after the pool has given back what it held.
  template <class Stream>
  requires std::same_as<Stream, typename Backend::stream> buffer(Stream const& stream, index_t count, memory kind = memory::pooled,
                                                                 source_location where = source_location::current())
      : buffer(stream, extents<1>{{count}}, kind, where) {}
  /// Room for a dense array of this shape; see view(rows, columns).
  template <class Stream, int Rank>
  requires std::same_as<Stream, typename Backend::stream> buffer(Stream const& stream, extents<Rank> shape, memory kind = memory::pooled,
                                                                 source_location where = source_location::current()) {
    detail::require_stream(stream, "buffer", where);
    std::size_t const bytes = detail::checked_bytes<T>(shape, where);
    if (bytes > 0) memory_ = Backend::allocate(stream, bytes, kind, where);
    size_ = index_t(bytes / sizeof(T));
    stream_ = stream;
  }

  buffer(buffer&& other) noexcept
      : memory_(std::exchange(other.memory_, {})),
        size_(std::exchange(other.size_, 0)),
        stream_(std::exchange(other.stream_, stream_type(nullptr))) {}
  buffer& operator=(buffer&& other) noexcept {
    if (this != &other) {
      free();
      memory_ = std::exchange(other.memory_, {});
      size_ = std::exchange(other.size_, 0);
      stream_ = std::exchange(other.stream_, stream_type(nullptr));
    }
    return *this;
  }
  ~buffer() { free(); }

  /// Gives the memory back in stream order; the buffer then owns nothing.
  void free() noexcept {
    if (memory_.data) Backend::release(memory_, stream_);
    memory_ = {};
    size_ = 0;
    stream_ = stream_type(nullptr);
  }

  index_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return static_cast<T*>(memory_.data); }
  T const* data() const noexcept { return static_cast<T const*>(memory_.data); }

  /// The stream on which the memory will be freed. The caller orders its use on others (events).
  void free_on(stream_type const& stream, source_location where = source_location::current()) {
    detail::require_stream(stream, "free_on", where);
    if (memory_.data) stream_ = stream;
  }
  stream_type const& get_stream() const noexcept { return stream_; }

  dolmen::view<T> view() noexcept { return {data(), size_}; }
  dolmen::view<T const> view() const noexcept { return {data(), size_}; }
  /// The same elements as dense rows (and planes). Throws invalid_argument if they are more than the buffer holds.
  dolmen::view<T, 2> view(index_t rows, index_t columns, source_location where = source_location::current()) {
    return shaped<T>(data(), extents<2>{{rows, columns}}, where);
  }
  dolmen::view<T const, 2> view(index_t rows, index_t columns, source_location where = source_location::current()) const {
    return shaped<T const>(data(), extents<2>{{rows, columns}}, where);
  }
  dolmen::view<T, 3> view(index_t planes, index_t rows, index_t columns, source_location where = source_location::current()) {
    return shaped<T>(data(), extents<3>{{planes, rows, columns}}, where);
  }
  dolmen::view<T const, 3> view(index_t planes, index_t rows, index_t columns, source_location where = source_location::current()) const {
    return shaped<T const>(data(), extents<3>{{planes, rows, columns}}, where);
  }

  /// What a kernel or an option takes; throws invalid_argument for a buffer that owns nothing. Its view() is one of no elements.
  operator dolmen::view<T>() {
    owned();
    return view();
  }
  operator dolmen::view<T const>() const {
    owned();
    return view();
  }

 private:
  void owned() const {
    if (!stream_) [[unlikely]]
      Backend::refuse_handle("view", detail::no_buffer, source_location());
  }
  template <class U, int Rank>
  dolmen::view<U, Rank> shaped(U* data, extents<Rank> shape, source_location where) const {
    std::size_t const bytes = detail::checked_bytes<T>(shape, where);
    detail::require(bytes <= memory_.bytes, where, "view: the shape has ", bytes / sizeof(T), " elements, the buffer ", size_);
    return {data, shape, where};
  }

  detail::allocation memory_;
  index_t size_ = 0;
  stream_type stream_{nullptr};
};

/// Host memory that the device copies to and from at full speed and asynchronously. It belongs to no stream: it must live
/// until the copies that use it are done.
template <class T, class Backend = default_backend>
class pinned_buffer {
  static_assert(element_type<T> && !std::is_const_v<T>, "a buffer's elements must be trivially copyable");

 public:
  using element = T;

  pinned_buffer() = default;
  /// Throws invalid_argument for a negative count, out_of_memory where the host has none, backend_unavailable.
  explicit pinned_buffer(index_t count, source_location where = source_location::current()) {
    std::size_t const bytes = detail::checked_bytes<T>(extents<1>{{count}}, where);
    if (bytes > 0) data_ = static_cast<T*>(Backend::allocate_pinned(bytes, where));
    size_ = count;
  }
  pinned_buffer(pinned_buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  pinned_buffer& operator=(pinned_buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~pinned_buffer() {
    if (data_) Backend::release_pinned(data_);
  }

  index_t size() const noexcept { return size_; }
  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }
  std::span<T> span() noexcept { return {data_, std::size_t(size_)}; }
  std::span<T const> span() const noexcept { return {data_, std::size_t(size_)}; }
  T& operator[](index_t i) noexcept { return data_[i]; }
  T const& operator[](index_t i) const noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  T const* begin() const noexcept { return data_; }
  T const* end() const noexcept { return data_ + size_; }

 private:
  T* data_ = nullptr;
  index_t size_ = 0;
};

namespace detail {

/// Views from what callers pass for device data.
template <class T, int Rank>
constexpr view<T, Rank> as_view(view<T, Rank> v) {
  return v;
}
template <class T, class B>
view<T> as_view(buffer<T, B>& b) {
  return b.view();
}
template <class T, class B>
view<T const> as_view(buffer<T, B> const& b) {
  return b.view();
}

/// Throws invalid_argument with the call's name where data is a buffer that owns nothing, which is not one of no elements.
template <class Data>
void require_owned(Data const&, char const*, source_location) {}
template <class T, class B>
void require_owned(buffer<T, B> const& b, char const* call, source_location where) {
  if (!b.get_stream()) [[unlikely]]
    B::refuse_handle(call, no_buffer, where);
}

/// The first thing that a call does: looks whether the handles that it was given refer to anything.
template <class Stream, class... Data>
void require_handles(char const* call, source_location where, Stream const& stream, Data const&... data) {
  require_stream(stream, call, where);
  (require_owned(data, call, where), ...);
}

}  // namespace detail

/// Device data: a view, or a buffer (which stands for its view).
template <class V>
concept view_like = requires(V& v) {
  detail::as_view(v);
};

}  // namespace dolmen
