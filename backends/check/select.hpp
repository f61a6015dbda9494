#pragma once

#include "../../algorithms/select.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "memory.hpp"
#include "ranges.hpp"

namespace dolmen::check {

namespace impl {

/// One element after the other; keep(value, flag) says whether it is kept. Where there is a function of the user's, `with` makes
/// keep of its calls.
template <class T, class With>
void select(stream const& s, char const* name, dolmen::detail::select_plan<T> const& p, With with, source_location where) {
  using dolmen::detail::strided;
  strided<T const> const in{p.in, {p.extent[0], p.extent[1], p.extent[2]}, {p.in_stride[0], p.in_stride[1]}};
  strided<unsigned char const> const flags{p.flags, {p.extent[0], p.extent[1], p.extent[2]}, {p.flag_stride[0], p.flag_stride[1]}};
  algorithm const op(name, s, where);
  bool usable = op.reads(in);
  if (p.flags) usable = op.reads(flags) && usable;
  usable = op.writes(p.count, 1) && usable;
  if (!usable) return;
  T const* const from = opened(p.in);
  unsigned char const* const marks = p.flags ? opened(p.flags) : nullptr;
  auto const each_kept = [&](auto body) {
    with(op, [&](auto const& keep) {
      for (index_t z = 0; z < p.extent[0]; ++z)
        for (index_t y = 0; y < p.extent[1]; ++y)
          for (index_t x = 0; x < p.extent[2]; ++x) {
            T const& value = from[in.offset(z, y) + x];
            if (keep(value, marks ? marks[flags.offset(z, y) + x] : static_cast<unsigned char>(0))) body(value);
          }
    });
  };
  index_t count = 0;
  each_kept([&](T const&) { ++count; });
  *opened(p.count) = count;
  if (!op.writes(p.out, min(count, p.room))) return;
  T* const to = opened(p.out);
  index_t place = 0;
  each_kept([&](T const& value) {
    if (place < p.room) to[place] = value;
    ++place;
  });
}

}  // namespace impl

template <class T>
void launch_compact(stream const& s, dolmen::detail::select_plan<T> const& plan, source_location where);

template <class T, class Predicate>
void launch_select(stream const& s, dolmen::detail::select_plan<T> const& plan, Predicate predicate, source_location where) {
  auto const with = [&](impl::algorithm const& op, auto const& body) {
    op.calls([&](impl::function_calls& calls) {
      impl::watched<Predicate> const watched(predicate, calls);
      body([&](T const& value, unsigned char) { return static_cast<bool>(watched(value)); });
    });
  };
  impl::look_for_host_pointers(predicate, where);
  impl::select(s, "select", plan, with, where);
}

}  // namespace dolmen::check
