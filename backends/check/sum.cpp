#include "sum.hpp"

#include "findings.hpp"
#include "operations.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::strided;
using dolmen::detail::sum_plan;

namespace {

// Pairwise, over elements in row-major order.
template <class T, class Sum>
Sum sum_range(strided<T const> const& in, T const* open, index_t begin, index_t end) {
  if (end - begin > 32) {
    index_t const middle = begin + (end - begin) / 2;
    return dolmen::detail::add(sum_range<T, Sum>(in, open, begin, middle), sum_range<T, Sum>(in, open, middle, end));
  }
  Sum sum = 0;
  for (index_t i = begin; i < end; ++i) {
    index_t const row = i / in.extent[2], column = i % in.extent[2];
    sum = dolmen::detail::add(sum, Sum(open[in.offset(row / in.extent[1], row % in.extent[1]) + column]));
  }
  return sum;
}

}  // namespace

template <class T, class Sum>
void launch_sum(stream const& s, sum_plan plan, strided<T const> in, Sum*, Sum* out, source_location where) {
  s.require_valid("sum", where);
  auto const by = impl::begin_operation("sum", s.order(), where);
  auto const& w = impl::window::get();
  bool usable = impl::use_range(by, out, sizeof(Sum), impl::use::write);
  for (index_t z = 0; z < in.extent[0] && plan.n > 0; ++z)
    for (index_t y = 0; y < in.extent[1]; ++y)
      usable = impl::use_range(by, in.data + in.offset(z, y), std::size_t(in.extent[2]) * sizeof(T), impl::use::read) && usable;
  auto const open = [&](auto* p) { return w.holds(p) ? reinterpret_cast<decltype(p)>(w.reach(p)) : p; };
  if (usable) *open(out) = plan.n > 0 ? sum_range<T, Sum>(in, open(in.data), 0, plan.n) : Sum(0);
  impl::flush();
}

#define DOLMEN_SUM(T, Sum) template DOLMEN_API void launch_sum(stream const&, sum_plan, strided<T const>, Sum*, Sum*, source_location);
DOLMEN_SUM(float, float)
DOLMEN_SUM(float, double)
DOLMEN_SUM(double, double)
DOLMEN_SUM(std::int8_t, std::int64_t)
DOLMEN_SUM(std::int16_t, std::int64_t)
DOLMEN_SUM(std::int32_t, std::int64_t)
DOLMEN_SUM(std::int64_t, std::int64_t)
DOLMEN_SUM(std::uint8_t, std::uint64_t)
DOLMEN_SUM(std::uint16_t, std::uint64_t)
DOLMEN_SUM(std::uint32_t, std::uint64_t)
DOLMEN_SUM(std::uint64_t, std::uint64_t)

}  // namespace dolmen::check
