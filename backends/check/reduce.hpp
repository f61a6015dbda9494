#pragma once

#include "../../algorithms/reduce.hpp"
#include "copy.hpp"
#include "memory.hpp"
#include "ranges.hpp"

namespace dolmen::check {

namespace impl {

using namespace dolmen::detail;

template <class A, class B>
bool reads_all(algorithm const& op, strided_runs<A, B> const& in) {
  auto const rows = [&](auto const* data, index_t const(&stride)[2]) {
    return op.reads(
        strided<std::remove_pointer_t<decltype(data)>>{data, {in.extent[0], in.extent[1], in.extent[2]}, {stride[0], stride[1]}});
  };
  bool usable = rows(in.data.a, in.stride_a);
  if constexpr (!std::same_as<B, no_input>) usable = rows(in.data.b, in.stride_b) && usable;
  return usable;
}
template <class A, class B>
run<A, B> opened(run<A, B> r) {
  r.a = opened(r.a);
  if constexpr (!std::same_as<B, no_input>) r.b = opened(r.b);
  return r;
}

/// Elements [begin, end), in order and pairwise.
template <class R, class A, class B>
typename R::value fold(R const& r, strided_runs<A, B> const& in, index_t begin, index_t end) {
  using V = typename R::value;
  if (end - begin > 32) {
    index_t const middle = begin + (end - begin) / 2;
    V const left = fold(r, in, begin, middle);
    return r.template combine<V>(left, fold(r, in, middle, end));
  }
  auto const element = [&](index_t i) { return lift_at<V>(r, in.row(i / in.extent[2]), i % in.extent[2], i); };
  V v = element(begin);
  for (index_t i = begin + 1; i < end; ++i) v = r.template combine<V>(v, element(i));
  return v;
}

/// A user's reducer, whose calls are told apart.
template <class R>
struct watched_reducer {
  using value = typename R::value;
  R const& r;
  function_calls& calls;

  template <class U, class... X>
  U lift(index_t i, X const&... x) const {
    calls.next();
    return r.template lift<U>(i, x...);
  }
  template <class U>
  U combine(U const& a, U const& b) const {
    calls.next();
    return r.template combine<U>(a, b);
  }
  auto finish(value const& v) const {
    calls.next();
    return r.finish(v);
  }
  auto nothing() const { return r.nothing(); }
};

/// What the user gave.
template <class F>
auto const& functions_of(F const& f) {
  if constexpr (requires { f.predicate; })
    return f.predicate;
  else
    return f;
}

/// Calls body(reducer), within op.calls where the reducer calls functions of the user's.
template <class R, class Body>
void with_reducer(algorithm const& op, R const& r, Body&& body) {
  if constexpr (R::built_in)
    body(r);
  else
    op.calls([&](function_calls& calls) { body(watched_reducer<R>{r, calls}); }, r.op, functions_of(r.transform));
}

template <class R, class A, class B>
void reduce_whole(stream const& s, R const& r, strided_runs<A, B> in, typename R::result* out, source_location where) {
  algorithm const op("reduce", s, where);
  bool const usable = reads_all(op, in);
  if (!op.writes(out, 1) || !usable) return;
  index_t const n = in.size();
  in.data = opened(in.data);
  with_reducer(op, r, [&](auto const& reducer) { *opened(out) = n > 0 ? reducer.finish(fold(reducer, in, 0, n)) : reducer.nothing(); });
}

}  // namespace impl

/// The library's own reducers: reduce_*.cpp.
template <class R, class A, class B>
void launch_reduce(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                   source_location where);

/// A user's.
template <class R, class A, class B>
void launch_reduce_by(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                      source_location where) {
  impl::reduce_whole(s, reducer, in, out, where);
}

}  // namespace dolmen::check
