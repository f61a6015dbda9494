// copy: between views, from host data to a view, from a view to host data.
#pragma once

#include <span>
#include <vector>

#include "../core/layout.hpp"

namespace dolmen {

namespace detail {

/// Bytes to move: rows of contiguous bytes at two strides on each side. Host sides are dense.
struct copy_plan {
  void const* from;
  void* to;
  index_t planes, rows, row_bytes;
  index_t from_plane, from_row, to_plane, to_row;  // strides in bytes
  index_t bytes() const { return planes * rows * row_bytes; }
};

template <class From, class To, int Rank>
copy_plan plan_copy(view<From, Rank> from, view<To, Rank> to) {
  constexpr index_t width = sizeof(To);
  index_t strides[2][Rank];
  strides_of(from, strides[0]);
  strides_of(to, strides[1]);
  auto const c = collapse<2>(to.shape(), strides);
  return {from.data(),
          to.data(),
          c.extent[0],
          c.extent[1],
          c.extent[2] * width,
          c.stride[0][0] * width,
          c.stride[0][1] * width,
          c.stride[1][0] * width,
          c.stride[1][1] * width};
}

/// Host data: contiguous elements, as std::data and std::size know them, that are no device view.
template <class H>
concept host_range = !view_like<H> && requires(H & h) {
  {*std::data(h)};
  { std::size(h) } -> std::convertible_to<index_t>;
};
template <host_range H>
using host_value = std::remove_cvref_t<decltype(*std::data(std::declval<H&>()))>;

template <class From, class To>
inline constexpr bool same_values = std::is_same_v<std::remove_cv_t<From>, std::remove_cv_t<To>>;

}  // namespace detail

/// Copies device data to device data of the same shape, any ranks' strides on either side. Overlapping views behave as if
/// the source had been read first (memmove); a view onto itself is a no-op. Only the elements of the views move.
/// Throws invalid_argument that names both shapes if they differ. Does not synchronise.
template <stream_type Stream, view_like From, view_like To>
void copy(Stream const& stream, From const& from, To&& to, source_location where = source_location::current()) {
  detail::require_handles("copy", where, stream, from, to);
  using T = detail::element_of<To>;
  static_assert(!std::is_const_v<T>, "copy: the destination's elements are constant");
  static_assert(detail::same_values<detail::element_of<From const>, T>, "copy: source and destination have different element types");
  auto const source = detail::as_view(from);
  auto const target = detail::as_view(to);
  static_assert(decltype(source)::rank == decltype(target)::rank,
                "copy: source and destination have different ranks; a buffer takes a shape by buffer.view(rows, columns)");
  detail::require_same_shape(source, target, "copy", where);
  if (target.empty()) return;
  auto const plan = detail::plan_copy(source, target);
  if (plan.from == plan.to && plan.from_row == plan.to_row && plan.from_plane == plan.to_plane) return;
  auto const [source_begin, source_end] = detail::range(detail::flat(source));
  auto const [target_begin, target_end] = detail::range(detail::flat(target));
  if (source_begin < target_end && target_begin < source_end) {
    buffer<std::byte, typename Stream::backend> between(stream, plan.bytes(), memory::pooled, where);
    auto first = plan, second = plan;
    first.to = between.data();
    second.from = between.data();
    first.to_row = second.from_row = plan.row_bytes;
    first.to_plane = second.from_plane = plan.rows * plan.row_bytes;
    detail::with_host_memory("copy", where, [&] { launch_copy(stream, first, where); });
    detail::with_host_memory("copy", where, [&] { launch_copy(stream, second, where); });
  } else {
    detail::with_host_memory("copy", where, [&] { launch_copy(stream, plan, where); });
  }
}

/// Uploads host data, row-major and dense, into a view of as many elements. From pageable memory the data has been taken
/// when the call returns; from a pinned_buffer it is read in stream order and must live until then.
/// Throws invalid_argument that names both sizes if they differ.
template <stream_type Stream, detail::host_range From, view_like To>
void copy(Stream const& stream, From const& from, To&& to, source_location where = source_location::current()) {
  detail::require_handles("copy", where, stream, from, to);
  using T = detail::element_of<To>;
  static_assert(detail::same_values<detail::host_value<From const>, T> && !std::is_const_v<T>,
                "copy: host and device element types differ, or the destination is constant");
  auto const target = detail::as_view(to);
  detail::require(index_t(std::size(from)) == target.size(), where, "copy: the host has ", std::size(from), " elements, the view ",
                  target.shape());
  if (target.empty()) return;
  view<T const, decltype(target)::rank> const source(std::data(from), target.shape());
  detail::with_host_memory("copy", where, [&] { launch_upload(stream, detail::plan_copy(source, target), where); });
}

/// Downloads a view into host memory of as many elements, in stream order: synchronise the stream before reading. Throws
/// invalid_argument that names both sizes if they differ.
template <stream_type Stream, view_like From, detail::host_range To>
void copy(Stream const& stream, From const& from, To&& to, source_location where = source_location::current()) {
  detail::require_handles("copy", where, stream, from, to);
  using T = detail::element_of<From const>;
  static_assert(detail::same_values<detail::host_value<To>, T>, "copy: host and device element types differ");
  auto const source = detail::as_view(from);
  detail::require(index_t(std::size(to)) == source.size(), where, "copy: the view is ", source.shape(), ", the host has room for ",
                  std::size(to), " elements");
  if (source.empty()) return;
  view<std::remove_const_t<T>, decltype(source)::rank> const target(std::data(to), source.shape());
  detail::with_host_memory("copy", where, [&] { launch_download(stream, detail::plan_copy(source, target), where); });
}

/// A new buffer with the host's data. See copy for when the data is read.
template <stream_type Stream, detail::host_range From>
auto upload(Stream const& stream, From const& from, source_location where = source_location::current()) {
  detail::require_handles("upload", where, stream, from);
  buffer<detail::host_value<From const>, typename Stream::backend> data(stream, index_t(std::size(from)), memory::pooled, where);
  copy(stream, from, data, where);
  return data;
}

/// The view's elements, row-major. Waits for the stream.
template <stream_type Stream, view_like From>
auto download(Stream const& stream, From const& from, source_location where = source_location::current()) {
  detail::require_handles("download", where, stream, from);
  static_assert(!std::is_same_v<detail::value_of<From const>, bool>,
                "download: std::vector<bool> is no array; copy into a std::span<bool>");
  using values = std::vector<detail::value_of<From const>>;
  auto host = detail::with_host_memory("download", where, [&] { return values(std::size_t(detail::as_view(from).size())); });
  copy(stream, from, host, where);
  stream.synchronize(where);
  return host;
}

}  // namespace dolmen
