#pragma once

#include "../../algorithms/scan.hpp"
#include "chain.hpp"
#include "memory.hpp"

namespace dolmen::cpu {

namespace impl {

/// Calls body(in, out, count) for the runs of contiguous elements that make up [begin, end) of a line.
template <class In, class Out, class Value, class Body>
void each_run(dolmen::detail::scan_plan<In, Out, Value> const& p, index_t line, index_t begin, index_t end, Body body) {
  index_t const first_row = p.apart ? line : 0, columns = p.extent[2];
  for (index_t i = begin; i < end;) {
    index_t const row = first_row + i / columns, column = i % columns, count = min(columns - column, end - i);
    index_t const z = row / p.extent[1], y = row % p.extent[1];
    body(p.in + z * p.in_stride[0] + y * p.in_stride[1] + column, p.out + z * p.out_stride[0] + y * p.out_stride[1] + column, count);
    i += count;
  }
}

/// All lines: side by side where they are many, else one after another in chunks. Both join the same values.
template <class Value, class Plan, class Sum, class Join, class Write>
void scan_lines(Plan const& p, index_t chunk, Sum const& sum, Join const& join, Write const& write) {
  index_t const lines = p.lines(), length = p.length();
  std::optional<Value> const initial = p.exclusive ? std::optional<Value>(p.initial) : std::nullopt;
  if (lines > 1 && (length <= chunk || lines >= 4 * workers())) {
    run_ranges(lines, ceil_div(index_t(4096), length), [&](index_t begin, index_t end, scratch&) {
      for (index_t line = begin; line < end; ++line) {
        auto before = initial;
        for (index_t i = 0; i < length; i += chunk) {
          Value const mine = write(line, i, min(i + chunk, length), before);
          before = before ? std::optional<Value>(join(*before, mine)) : mine;
        }
      }
    });
    return;
  }
  for (index_t line = 0; line < lines; ++line)
    in_chunks<Value>(
        length, chunk, initial, [&](index_t begin, index_t end) { return sum(line, begin, end); }, join,
        [&](index_t begin, index_t end, std::optional<Value> const& before) { return write(line, begin, end, before); });
}

}  // namespace impl

/// Built-in operators.
template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op, source_location where);

/// A user's operator: one element after the other within a chunk.
template <class T, class Op>
void launch_scan_by(stream const&, dolmen::detail::scan_plan<T, T, T> const& plan, Op op, source_location) {
  constexpr index_t chunk = max(index_t(1024), index_t(65536 / sizeof(T)));
  auto const join = [&](T const& a, T const& b) -> T { return op(a, b); };
  auto const sum = [&](index_t line, index_t begin, index_t end) {
    std::optional<T> total;
    impl::each_run(plan, line, begin, end, [&](T const* in, T*, index_t count) {
      index_t i = 0;
      T t = total ? *total : in[i++];
      for (; i < count; ++i) t = op(t, in[i]);
      total = t;
    });
    return *total;
  };
  auto const write = [&](index_t line, index_t begin, index_t end, std::optional<T> const& before) {
    std::optional<T> total;
    impl::each_run(plan, line, begin, end, [&](T const* in, T* out, index_t count) {
      for (index_t i = 0; i < count; ++i) {
        T const value = in[i];
        if (plan.exclusive) out[i] = total ? join(*before, *total) : *before;
        total = total ? join(*total, value) : value;
        if (!plan.exclusive) out[i] = before ? join(*before, *total) : *total;
      }
    });
    return *total;
  };
  impl::scan_lines<T>(plan, chunk, sum, join, write);
}

}  // namespace dolmen::cpu
