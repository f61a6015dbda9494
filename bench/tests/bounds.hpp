// What the tests of the problems' bounds share. The expected errors are written there once more, so that a bound that is too loose
// is seen.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <problem.hpp>

#include <doctest/doctest.h>
#include <dolmen/core/half.hpp>

namespace bounds {

using study::index_t;
using real = long double;

inline constexpr double u = 0x1p-24, u_double = 0x1p-53, u_half = 0x1p-11;

template <class T, class Out = T>
study::problem<T, Out> const& as(study::problem_ptr const& p) {
  return dynamic_cast<study::problem<T, Out> const&>(*p);
}

template <class Out>
Out rounded(real x) {
  if constexpr (std::is_integral_v<Out> || std::is_same_v<Out, double>)
    return Out(x);
  else
    return Out(float(x));
}

template <class Out>
Out next_to(Out x) {
  if constexpr (std::is_floating_point_v<Out>)
    return std::nextafter(x, Out(4));
  else if constexpr (std::is_integral_v<Out>)
    return Out(x + 1);
  else
    return Out::from_bits(std::uint16_t(x.bits() ^ 1));
}

template <class T, class Out>
void refuse_at(study::problem<T, Out> const& p, std::vector<Out>& out, index_t at, Out wrong) {
  CAPTURE(at);
  std::swap(out[std::size_t(at)], wrong);
  CHECK_FALSE(p.check(out).ok());
  std::swap(out[std::size_t(at)], wrong);
}

/// exact(i) is what is right, and expected * scale(i) the error that a good program may make. Twice that is the most that a bound
/// may be, and four times that is refused at both ends and in the middle, as is a NaN.
template <class T, class Out, class Exact, class Scale>
void check_bound(study::problem<T, Out> const& p, double expected, Exact exact, Scale scale) {
  CAPTURE(p.n);
  std::vector<Out> out;
  for (index_t i = 0; i < p.out_size; ++i) out.push_back(rounded<Out>(exact(i)));
  study::verdict const v = p.check(out);
  CHECK(v.ok());
  CHECK(v.bound <= 2 * expected);
  CHECK(v.bound >= expected / 2);
  for (index_t at : {index_t(0), p.out_size / 2, p.out_size - 1}) {
    real const off = 4 * real(expected) * scale(at);
    refuse_at(p, out, at, rounded<Out>(exact(at) + off));
    refuse_at(p, out, at, rounded<Out>(exact(at) - off));
    refuse_at(p, out, at, Out(std::nanf("")));
  }
  CHECK(p.check(out).ok());
}

/// Nothing but the exact result will do.
template <class T, class Out, class Exact>
void check_exact(study::problem<T, Out> const& p, Exact exact) {
  CAPTURE(p.n);
  std::vector<Out> out;
  for (index_t i = 0; i < p.out_size; ++i) out.push_back(Out(exact(i)));
  CHECK(p.check(out).ok());
  CHECK(p.check(out).bound == 0);
  for (index_t at : {index_t(0), p.out_size / 2, p.out_size - 1}) {
    refuse_at(p, out, at, next_to(out[std::size_t(at)]));
    if constexpr (!std::is_integral_v<Out>) refuse_at(p, out, at, Out(std::nanf("")));
  }
  CHECK(p.check(out).ok());
}

inline real sum_of(index_t first, index_t count, index_t step, std::function<real(index_t)> const& term) {
  real sum = 0;
  for (index_t i = 0; i < count; ++i) sum += term(first + i * step);
  return sum;
}

}  // namespace bounds
