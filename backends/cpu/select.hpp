#pragma once

#include "../../algorithms/select.hpp"
#include "chain.hpp"
#include "copy.hpp"
#include "fill.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

namespace impl {

/// What is kept of `count` elements goes to `out`, without a branch per element; returns how many. `out` has room for
/// all.
template <class T, class Keep>
index_t keep_run(T const* in, unsigned char const* flags, index_t count, T* out, Keep const keep) {
  index_t kept = 0;
  for (index_t i = 0; i < count; ++i) {
    T const value = in[i];
    out[kept] = value;
    kept += static_cast<index_t>(keep(value, flags, i));
  }
  return kept;
}

/// keep(value, flags, i) says whether the i-th element of a run is kept.
/// Chunks are counted, and take their places in order; then each gathers what it keeps in small pieces and copies them.
template <class T, class Keep>
void select(dolmen::detail::select_plan<T> const& p, Keep const& keep) {
  constexpr index_t chunk = max(index_t(1024), index_t(131072 / sizeof(T))), piece = max(index_t(16), index_t(8192 / sizeof(T)));
  index_t const n = p.size(), columns = p.extent[2];
  auto const each_run = [&](index_t begin, index_t end, index_t longest, auto body) {
    for (index_t i = begin; i < end;) {
      index_t const row = i / columns, column = i % columns, count = min(min(columns - column, end - i), longest);
      index_t const z = row / p.extent[1], y = row % p.extent[1];
      body(p.in + z * p.in_stride[0] + y * p.in_stride[1] + column,
           p.flags ? p.flags + z * p.flag_stride[0] + y * p.flag_stride[1] + column : nullptr, count);
      i += count;
    }
  };
  auto const sum = [&](index_t begin, index_t end) {
    index_t kept = 0;
    each_run(begin, end, end - begin, [&](T const* in, unsigned char const* flags, index_t count) {
      for (index_t i = 0; i < count; ++i) kept += static_cast<index_t>(keep(in[i], flags, i));
    });
    return kept;
  };
  auto const write = [&](index_t begin, index_t end, std::optional<index_t> const& before) {
    T gathered[piece];
    index_t const first = before.value_or(0);
    index_t place = first;
    each_run(begin, end, piece, [&](T const* in, unsigned char const* flags, index_t count) {
      index_t const kept = keep_run(in, flags, count, gathered, keep);
      for (index_t i = 0, room = min(kept, p.room - place); i < room; ++i) p.out[place + i] = gathered[i];
      place += kept;
    });
    if (end == n) *p.count = place;
    return place - first;
  };
  in_chunks<index_t>(
      n, chunk, std::nullopt, sum, [](index_t a, index_t b) { return a + b; }, write);
}

}  // namespace impl

template <class T>
void launch_compact(stream const& s, dolmen::detail::select_plan<T> const& plan, source_location where);

template <class T, class Predicate>
void launch_select(stream const&, dolmen::detail::select_plan<T> const& plan, Predicate predicate, source_location) {
  impl::select(plan, [predicate](T const& value, unsigned char const*, index_t) { return static_cast<bool>(predicate(value)); });
}

}  // namespace dolmen::cpu
