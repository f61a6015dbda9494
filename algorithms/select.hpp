// select and compact: the elements that a predicate, or a flag each, says to keep, one behind the other.
#pragma once

#include "../core/overlap.hpp"
#include "copy.hpp"
#include "element_types.hpp"
#include "fill.hpp"

namespace dolmen {

namespace detail {

/// Rows of elements, and of a flag for each where there are flags; what is kept goes to out[0], out[1], ... as far as
/// there is room, the number of all that should be kept to `count`.
template <class T>
struct select_plan {
  T const* in;
  unsigned char const* flags;  // null: a predicate decides
  T* out;
  index_t* count;
  index_t extent[3];  // planes, rows, columns
  index_t in_stride[2], flag_stride[2];
  index_t room;

  DOLMEN_FN index_t size() const { return extent[0] * extent[1] * extent[2]; }
  bool one_row() const { return extent[0] == 1 && extent[1] == 1; }
};

/// The types by which elements that are only moved are known, by their size.
struct alignas(8) moved16 {
  std::uint64_t low, high;
};
template <class T>
concept movable_element = element_type<T> &&(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);
template <int Bytes>
using moved = std::conditional_t<
    Bytes == 16, moved16,
    std::conditional_t<Bytes == 8, std::uint64_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint8_t>>>>;

// The number of elements kept: one index_t, under any of its names.
template <class C>
concept count_view = view_like<C> && std::same_as<body_t<element_of<C>>, index_t>;

template <class T, class U, int Rank, class F, class C, int RankC>
select_plan<U> plan_select(view<T const, Rank> in, view<F const, Rank> flags, view<T, 1> out, view<C, RankC> count, char const* name,
                           source_location where) {
  if (flags.data()) require_same_shape(in, flags, name, where);
  auto const source = flat(in);
  auto const target = flat(out);
  require(!share_elements(source, target), where, name, ": input and output overlap");
  require(!flags.data() || !share_elements(flat(flags), target), where, name, ": flags and output overlap");
  bool const in_flags = flags.data() && share_elements(flat(flags), flat(count));
  require(!share_elements(flat(count), target) && !share_elements(flat(count), source) && !in_flags, where, name,
          ": the count overlaps input, flags or output");
  index_t strides[2][Rank];
  strides_of(in, strides[0]);
  if (flags.data())
    strides_of(flags, strides[1]);
  else
    strides_of(in, strides[1]);
  auto const c = collapse<2>(in.shape(), strides);
  return {reinterpret_cast<U const*>(in.data()),   reinterpret_cast<unsigned char const*>(flags.data()),
          reinterpret_cast<U*>(out.data()),        reinterpret_cast<index_t*>(count.data()),
          {c.extent[0], c.extent[1], c.extent[2]}, {c.stride[0][0], c.stride[0][1]},
          {c.stride[1][0], c.stride[1][1]},        out.size()};
}

template <class C, int Rank>
void require_one_count(view<C, Rank> count, char const* name, source_location where) {
  require(count.size() == 1, where, name, ": the count's view must hold one element, it is ", count.shape());
}

// What a host count is waited for.
template <stream_type Stream, class Count>
index_t selected(Stream const& stream, Count const& count, index_t room, char const* name, source_location where) {
  index_t const found = download(stream, count, where)[0];
  require(found <= room, where, name, ": ", found, " elements are to be kept, the output has room for ", room);
  return found;
}

template <class V>
auto vector_view(V& v) {
  auto const seen = as_view(v);
  static_assert(decltype(seen)::rank == 1, "select: the output is a view of rank 1");
  static_assert(!std::is_const_v<element_of<V>>, "select: the output's elements are constant");
  return seen;
}

template <stream_type Stream, view_like In, view_like Out, view_like Count, class Predicate>
void select_into(Stream const& stream, In const& in, Out& out, Count& count, Predicate predicate, source_location where) {
  require_kernel_file<Predicate>();
  using T = value_of<In const>;
  static_assert(std::same_as<T, element_of<Out>>, "select: input and output have different element types");
  static_assert(count_view<Count>, "select: the count is an index_t");
  static_assert(DOLMEN_NO_REFERENCES(Predicate));
  static_assert(std::default_initializable<T> && sizeof(T) <= 128, "select: elements are default-constructible and at most 128 bytes wide");
  static_assert(
      requires(Predicate const& p, T const& value) {
        { p(value) } -> std::convertible_to<bool>;
      },
      "select: the predicate takes an element and says whether it is kept");
  auto const source = as_view(in);
  constexpr int rank = decltype(source)::rank;
  view<T const, rank> const elements(source);
  require_one_count(as_view(count), "select", where);
  if (elements.empty()) return fill(stream, count, {}, where);
  auto const plan = plan_select<T, T>(elements, view<unsigned char const, rank>(), vector_view(out), as_view(count), "select", where);
  launch_select(stream, plan, predicate, where);
}

template <stream_type Stream, view_like In, view_like Flags, view_like Out, view_like Count>
void compact_into(Stream const& stream, In const& in, Flags const& flags, Out& out, Count& count, source_location where) {
  using T = value_of<In const>;
  using F = value_of<Flags const>;
  static_assert(std::same_as<T, element_of<Out>>, "compact: input and output have different element types");
  static_assert(count_view<Count>, "compact: the count is an index_t");
  static_assert(movable_element<T>, "compact: elements are 1, 2, 4, 8 or 16 bytes wide");
  static_assert(std::integral<F> && sizeof(F) == 1, "compact: flags are integers of 8 bits or bool");
  auto const source = as_view(in);
  auto const marks = as_view(flags);
  constexpr int rank = decltype(source)::rank;
  static_assert(rank == decltype(marks)::rank, "compact: elements and flags have different ranks");
  view<T const, rank> const elements(source);
  require_same_shape(source, marks, "compact", where);
  require_one_count(as_view(count), "compact", where);
  if (elements.empty()) return fill(stream, count, {}, where);
  using word = moved<sizeof(T)>;
  view<F const, rank> const kept(marks);
  auto const target = vector_view(out);
  auto const plan = plan_select<T, word>(elements, kept, target, as_view(count), "compact", where);
  if (aligned_for<word>(elements.data()) && aligned_for<word>(target.data())) return launch_compact(stream, plan, where);
  // By way of memory in which they are aligned. What is not written stays as it was.
  auto const written = target.slice(0, min(target.size(), elements.size()));
  buffer<T, typename Stream::backend> from(stream, elements.size(), memory::pooled, where),
      to(stream, written.size(), memory::pooled, where);
  copy(stream, elements, view<T, rank>(from.data(), elements.shape()), where);
  copy(stream, written, to, where);
  launch_compact(
      stream, plan_select<T, word>(view<T const, rank>(from.data(), elements.shape()), kept, to.view(), as_view(count), "compact", where),
      where);
  copy(stream, to, written, where);
}

}  // namespace detail

/// Copies the elements of `in` (any rank and strides, row by row) for which `predicate` is true to out(0), out(1), ...,
/// in their order, and writes their number to `count`, one index_t on the device. What lies behind them in `out` stays
/// as it is. `out` is of rank 1 and has room for all of `in`, as nobody knows the number before; it does not overlap
/// `in`. The predicate is a function object bool(T) without side effects, which may be called more than once for an
/// element, and for nothing else; on a GPU the call stands in a kernel file. Nothing selected from is 0 elements. Does
/// not synchronise.
/// Throws invalid_argument if out has fewer elements than in, if the views overlap, or if the count's view has not one
/// element.
template <stream_type Stream, view_like In, view_like Out, view_like Count, class Predicate>
void select(Stream const& stream, In const& in, Out&& out, Count&& count, Predicate predicate,
            source_location where = source_location::current()) {
  detail::require_handles("select", where, stream, in, out, count);
  index_t const n = detail::as_view(in).size(), room = detail::as_view(out).size();
  detail::require(n <= room, where, "select: the output must have room for all ", n, " elements, it has for ", room);
  detail::select_into(stream, in, out, count, predicate, where);
}

/// The same with the number returned to the host, for which it waits. `out` needs room for what is selected only. Throws
/// invalid_argument that names both sizes if it is more; out is then filled with the first of them.
template <stream_type Stream, view_like In, view_like Out, class Predicate>
requires(!view_like<Predicate>) index_t
    select(Stream const& stream, In const& in, Out&& out, Predicate predicate, source_location where = source_location::current()) {
  detail::require_handles("select", where, stream, in, out);
  buffer<index_t, typename Stream::backend> count(stream, 1, memory::pooled, where);
  detail::select_into(stream, in, out, count, predicate, where);
  return detail::selected(stream, count, detail::as_view(out).size(), "select", where);
}

/// select with a flag for every element instead of a predicate: it is kept where the flag is not 0. Flags are bool or
/// integers of 8 bits, in a view of the elements' shape; elements are 1, 2, 4, 8 or 16 bytes wide. Needs no kernel
/// file. Does not synchronise.
/// Throws as select does, and if the shapes of elements and flags differ.
template <stream_type Stream, view_like In, view_like Flags, view_like Out, view_like Count>
void compact(Stream const& stream, In const& in, Flags const& flags, Out&& out, Count&& count,
             source_location where = source_location::current()) {
  detail::require_handles("compact", where, stream, in, flags, out, count);
  index_t const n = detail::as_view(in).size(), room = detail::as_view(out).size();
  detail::require(n <= room, where, "compact: the output must have room for all ", n, " elements, it has for ", room);
  detail::compact_into(stream, in, flags, out, count, where);
}

/// The same with the number returned to the host, for which it waits; see select.
template <stream_type Stream, view_like In, view_like Flags, view_like Out>
index_t compact(Stream const& stream, In const& in, Flags const& flags, Out&& out, source_location where = source_location::current()) {
  detail::require_handles("compact", where, stream, in, flags, out);
  buffer<index_t, typename Stream::backend> count(stream, 1, memory::pooled, where);
  detail::compact_into(stream, in, flags, out, count, where);
  return detail::selected(stream, count, detail::as_view(out).size(), "compact", where);
}

}  // namespace dolmen
