// split_fields and join_fields: from an array of records to one array per member, and back.
#pragma once

#include <tuple>
#include <utility>

#include "../core/overlap.hpp"

namespace dolmen {

namespace detail {

/// Members of records and arrays of their values, by their sizes alone. Strides are in bytes.
struct fields_plan {
  static constexpr int most = 8;
  struct array {
    void* data;
    index_t stride[2];
    int offset, width;  // of the member in its record
  };
  void* records;
  index_t extent[3], stride[2];
  int record_bytes, count, covered;  // bytes of a record that its members at hand make up
  array arrays[most];
};

template <class M>
struct record_of;
template <class Record, class Member>
struct record_of<Member Record::*> {
  using type = Record;
};

/// Bytes from the record's start.
template <auto Member>
int offset_of() {
  using record = typename record_of<decltype(Member)>::type;
  alignas(record) static unsigned char const space[sizeof(record)] = {};
  auto const* const first = reinterpret_cast<record const*>(space);
  return int(reinterpret_cast<unsigned char const*>(&(first->*Member)) - space);
}

}  // namespace detail

namespace types {

/// What fields<...>(...) returns.
template <class Record, class... Views>
struct field_views {
  std::tuple<Views...> views;
  int offsets[sizeof...(Views)];
};

}  // namespace types

namespace detail {

template <class F>
inline constexpr bool is_field_views = false;
template <class Record, class... Views>
inline constexpr bool is_field_views<types::field_views<Record, Views...>> = true;

// The views' distances from each other are checked by the caller, who knows what is written.
template <class Record, class R, int Rank, class... Views>
fields_plan plan_fields(char const* operation, view<R, Rank> records, types::field_views<Record, Views...> const& f,
                        source_location where) {
  static_assert(std::is_same_v<std::remove_const_t<R>, Record>, "split_fields, join_fields: the members are of another record type");
  static_assert(((Views::rank == Rank) && ...), "split_fields, join_fields: the views have different ranks");
  constexpr int count = int(sizeof...(Views));
  fields_plan plan{};
  index_t strides[1 + count][Rank];
  strides_of(records, strides[0]);
  int i = 0;
  auto const add = [&](auto v) {
    require_same_shape(v, records, operation, where);
    require_apart(v, records, operation, where);
    auto& a = plan.arrays[i];
    a.data = const_cast<typename decltype(v)::value_type*>(v.data());
    a.width = int(sizeof(typename decltype(v)::value_type));
    a.offset = f.offsets[i];
    plan.covered += a.width;
    strides_of(v, strides[++i]);
  };
  std::apply([&](auto... v) { (add(v), ...); }, f.views);
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < k; ++l)
      require(plan.arrays[k].offset >= plan.arrays[l].offset + plan.arrays[l].width ||
                  plan.arrays[l].offset >= plan.arrays[k].offset + plan.arrays[k].width,
              where, operation, ": the members ", l, " and ", k, " share bytes of the record");
  auto const c = collapse<1 + count>(records.shape(), strides);
  plan.records = const_cast<Record*>(records.data());
  plan.record_bytes = int(sizeof(Record));
  plan.count = count;
  for (int d = 0; d < 3; ++d) plan.extent[d] = c.extent[d];
  for (int d = 0; d < 2; ++d) {
    plan.stride[d] = c.stride[0][d] * index_t(sizeof(Record));
    for (int k = 0; k < count; ++k) plan.arrays[k].stride[d] = c.stride[1 + k][d] * plan.arrays[k].width;
  }
  return plan;
}

template <class... Views>
void require_each_apart(char const* operation, source_location where, Views const&... views) {
  [[maybe_unused]] int i = 0;
  auto const against_later = [&](auto const& a) {
    int k = 0;
    ((k++ > i ? require_apart(a, views, operation, where) : void()), ...);
    ++i;
  };
  (against_later(views), ...);
}

}  // namespace detail

/// Names members of a record and a view of values for each, for split_fields and join_fields:
/// fields<&particle::x, &particle::mass>(x, mass). One to eight members, each named once; values are of the member's type.
template <auto... Members, class... Views>
requires(sizeof...(Members) > 0 && (view_like<std::remove_reference_t<Views>> && ...)) auto fields(Views&&... views) {
  static_assert(sizeof...(Members) == sizeof...(Views), "fields: one view for each member");
  static_assert(sizeof...(Members) >= 1 && sizeof...(Members) <= detail::fields_plan::most, "fields: one to eight members");
  using record = typename detail::record_of<std::tuple_element_t<0, std::tuple<decltype(Members)...>>>::type;
  static_assert((std::is_same_v<record, typename detail::record_of<decltype(Members)>::type> && ...),
                "fields: the members are of one record type");
  static_assert((std::is_same_v<std::remove_const_t<typename detail::member_of<decltype(Members)>::type>,
                                detail::value_of<std::remove_reference_t<Views>>> &&
                 ...),
                "fields: a view holds the values of its member, of the same type");
  (detail::require_owned(views, "fields", source_location()), ...);
  return types::field_views<record, decltype(detail::as_view(views))...>{{detail::as_view(views)...}, {detail::offset_of<Members>()...}};
}

/// Writes the members of each record to their views: split_fields(stream, particles, fields<&particle::x, &particle::y>(x, y)).
/// Views of any one rank and shape, with any strides. Throws invalid_argument that names both shapes if they differ, or if
/// two views overlap. Does not synchronise.
template <stream_type Stream, view_like Records, class Fields>
requires detail::is_field_views<Fields>
void split_fields(Stream const& stream, Records const& records, Fields const& fields, source_location where = source_location::current()) {
  detail::require_handles("split_fields", where, stream, records);
  std::apply(
      [&](auto... v) {
        static_assert((!std::is_const_v<typename decltype(v)::element> && ...), "split_fields: a view's elements are constant");
        detail::require_each_apart("split_fields", where, v...);
      },
      fields.views);
  auto const plan = detail::plan_fields("split_fields", detail::as_view(records), fields, where);
  if (plan.extent[2] > 0) detail::with_host_memory("split_fields", where, [&] { launch_split_fields(stream, plan, where); });
}

/// Sets the members of each record from their views, and leaves its other members as they are:
/// join_fields(stream, fields<&particle::x, &particle::y>(x, y), particles). Other members are read and written back on a
/// GPU, so that nothing else may write them at the same time. Throws invalid_argument that names both shapes if they differ,
/// or if the records overlap a view. Does not synchronise.
template <stream_type Stream, class Fields, view_like Records>
requires detail::is_field_views<Fields>
void join_fields(Stream const& stream, Fields const& fields, Records&& records, source_location where = source_location::current()) {
  detail::require_handles("join_fields", where, stream, records);
  static_assert(!std::is_const_v<detail::element_of<Records>>, "join_fields: the records are constant");
  auto const plan = detail::plan_fields("join_fields", detail::as_view(records), fields, where);
  if (plan.extent[2] > 0) detail::with_host_memory("join_fields", where, [&] { launch_join_fields(stream, plan, where); });
}

}  // namespace dolmen
