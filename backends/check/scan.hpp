#pragma once

#include "../../algorithms/scan.hpp"
#include "memory.hpp"
#include "ranges.hpp"

namespace dolmen::check {

namespace impl {

/// Calls body(operator), within calls() where the operator is a user's.
template <bool Users, class Op, class Body>
void with_operator(algorithm const& operation, Op const& op, Body&& body) {
  if constexpr (!Users)
    body(op);
  else
    operation.calls([&](function_calls& calls) { body(watched<Op>(op, calls)); }, op);
}

/// One element after the other.
template <bool Users, class In, class Out, class Value, class Op>
void scan(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op op, source_location where) {
  auto const in = dolmen::detail::scan_source(plan);
  auto const out = dolmen::detail::scan_target(plan);
  algorithm const operation("scan", s, where);
  bool const usable = operation.reads(in);
  if (!operation.writes(out) || !usable) return;
  auto const from = opened(in);
  auto const to = opened(out);
  Value sum = plan.initial;
  bool begun = plan.exclusive;
  with_operator<Users>(operation, op, [&](auto const& combine) {
    for (index_t z = 0; z < plan.extent[0]; ++z)
      for (index_t y = 0; y < plan.extent[1]; ++y) {
        if (plan.apart) sum = plan.initial, begun = plan.exclusive;
        for (index_t x = 0; x < plan.extent[2]; ++x) {
          auto const value = static_cast<Value>(from.data[from.offset(z, y) + x]);
          Value const before = sum;
          sum = begun ? static_cast<Value>(combine(sum, value)) : value;
          begun = true;
          to.data[to.offset(z, y) + x] = static_cast<Out>(plan.exclusive ? before : sum);
        }
      }
  });
}

}  // namespace impl

/// Built-in operators.
template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, dolmen::detail::scan_plan<In, Out, Value> const& plan, Op, source_location where);

/// A user's operator.
template <class T, class Op>
void launch_scan_by(stream const& s, dolmen::detail::scan_plan<T, T, T> const& plan, Op op, source_location where) {
  impl::scan<true>(s, plan, op, where);
}

}  // namespace dolmen::check
