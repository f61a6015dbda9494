#include "sum.hpp"

#include "engine.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::add;
using dolmen::detail::strided;
using dolmen::detail::sum_plan;

// Lanes that add independently, folded in halves: the order is fixed, and the error grows with the logarithm of the block.
constexpr index_t lanes = 64, block = 2048;

template <class T, class Sum>
Sum sum_block(T const* in, index_t n) {
  Sum lane[lanes] = {};
  index_t i = 0;
  for (; i + lanes <= n; i += lanes) {
#pragma omp simd
    for (index_t l = 0; l < lanes; ++l) lane[l] = add(lane[l], Sum(in[i + l]));
  }
  for (index_t l = 0; i + l < n; ++l) lane[l] = add(lane[l], Sum(in[i + l]));
  for (index_t half = lanes / 2; half > 0; half /= 2)
    for (index_t l = 0; l < half; ++l) lane[l] = add(lane[l], lane[l + half]);
  return lane[0];
}

// Pairwise above the blocks.
template <class T, class Sum>
Sum sum_row(T const* in, index_t n) {
  if (n <= block) return sum_block<T, Sum>(in, n);
  index_t const half = ceil_div(ceil_div(n, block), index_t(2)) * block;
  return add(sum_row<T, Sum>(in, half), sum_row<T, Sum>(in + half, n - half));
}

// The elements [begin, end) in row-major order, whatever their strides: the same tree, over gathered blocks.
template <class T, class Sum>
Sum sum_range(strided<T const> const& in, index_t begin, index_t end) {
  if (in.contiguous()) return sum_row<T, Sum>(in.data + begin, end - begin);
  if (index_t const n = end - begin; n > block) {
    index_t const half = ceil_div(ceil_div(n, block), index_t(2)) * block;
    return add(sum_range<T, Sum>(in, begin, begin + half), sum_range<T, Sum>(in, begin + half, end));
  }
  T gathered[block];
  index_t const columns = in.extent[2];
  for (index_t i = begin; i < end;) {
    index_t const row = i / columns, column = i % columns, count = min(columns - column, end - i);
    T const* const from = in.data + in.offset(row / in.extent[1], row % in.extent[1]) + column;
    for (index_t k = 0; k < count; ++k) gathered[i - begin + k] = from[k];
    i += count;
  }
  return sum_block<T, Sum>(gathered, end - begin);
}

}  // namespace

template <class T, class Sum>
void launch_sum(stream const&, sum_plan plan, strided<T const> in, Sum* partial, Sum* out, source_location) {
  run_ranges(plan.chunks, 4, [&](index_t begin, index_t end, scratch&) {
    for (index_t c = begin; c < end; ++c) partial[c] = sum_range<T, Sum>(in, c * plan.chunk, min((c + 1) * plan.chunk, plan.n));
  });
  *out = sum_row<Sum, Sum>(partial, plan.chunks);
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

}  // namespace dolmen::cpu
