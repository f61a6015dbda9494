#include "sum.hpp"

#include "ranges.hpp"

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
  impl::algorithm const op("sum", s, where);
  bool const usable = op.reads(in);
  if (op.writes(out, 1) && usable) *impl::opened(out) = plan.n > 0 ? sum_range<T, Sum>(in, impl::opened(in.data), 0, plan.n) : Sum(0);
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
