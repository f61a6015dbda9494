// Square filters of a plane in which every weight counts: 5 x 5, 7 x 7, 9 x 9.
#include "stencil_near.cuh"

namespace dolmen::cuda::impl {
namespace {

using dolmen::detail::inside_index;

constexpr int warps = 8, threads = 32 * warps, min_blocks = 2;
constexpr int rows = 4;  // results of a lane, one below the other

/// By row and column.
template <class C, int Radius>
struct filter_weights {
  static constexpr int side = 2 * Radius + 1;
  C at[side][side];
};

/// A lane's vector of a row with those to its left and right, of which `Radius` elements each are neighbours.
template <class T, int Radius>
struct wide_row {
  static constexpr int size = lane_columns<T>::size;
  elements<T, size> part[3];
  __device__ __forceinline__ explicit wide_row(T const* middle) {
#pragma unroll
    for (int k = 0; k < 3; ++k) part[k] = load_elements<size>(middle + (k - 1) * size);
  }
  /// Element i counts from the leftmost neighbour.
  template <class C>
  __device__ __forceinline__ void widen(C (&row)[size + 2 * Radius]) const {
#pragma unroll
    for (int i = 0; i < size + 2 * Radius; ++i) {
      int const at = i + size - Radius;
      row[i] = C(part[at / size].values[at % size]);
    }
  }
};

/// All neighbours of all results of the warp lie within the grid, and rows are whole words.
template <class T, int Radius>
__device__ __forceinline__ void filter_inside(stencil_plan<T> const& p, filter_weights<compute_t<T>, Radius> const& w, index_t x,
                                              index_t y) {
  using C = compute_t<T>;
  constexpr int size = lane_columns<T>::size, side = 2 * Radius + 1;
  T const* const from = p.in + (y - Radius) * p.in_stride[1] + x;
  C sum[rows][size] = {};
#pragma unroll
  for (int r = 0; r < rows + 2 * Radius; ++r) {
    C row[size + 2 * Radius];
    wide_row<T, Radius>(from + r * p.in_stride[1]).widen(row);
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      int const d = r - q;
      if (d < 0 || d >= side) continue;
#pragma unroll
      for (int j = 0; j < size; ++j)
#pragma unroll
        for (int i = 0; i < side; ++i) sum[q][j] = fma(w.at[d][i], row[j + i], sum[q][j]);
    }
  }
#pragma unroll
  for (int q = 0; q < rows; ++q) {
    elements<T, size> v;
#pragma unroll
    for (int j = 0; j < size; ++j) v.values[j] = T(sum[q][j]);
    store_elements(p.out + (y + q) * p.out_stride[1] + x, v);
  }
}

/// One element, wherever its neighbours lie.
template <class T, int Radius>
__device__ T filter_element(stencil_plan<T> const& p, filter_weights<compute_t<T>, Radius> const& w, index_t x, index_t y) {
  using C = compute_t<T>;
  constexpr int side = 2 * Radius + 1, radius[3] = {0, Radius, Radius};
  if (p.rule == boundary::copy && p.at_edge(0, y, x, radius, radius)) return p.in[y * p.in_stride[1] + x];
  C sum = 0;
#pragma unroll 1
  for (int d = 0; d < side; ++d) {
    index_t const yk = inside_index(y + d - Radius, p.extent[1], p.rule);
    if (yk < 0) continue;
    T const* const row = p.in + yk * p.in_stride[1];
#pragma unroll 1
    for (int i = 0; i < side; ++i)
      if (index_t const xk = inside_index(x + i - Radius, p.extent[2], p.rule); xk >= 0) sum = fma(w.at[d][i], C(row[xk]), sum);
  }
  return T(sum);
}

template <class T, int Radius>
__global__ void __launch_bounds__(threads, min_blocks)
    filter_plane(__grid_constant__ stencil_plan<T> const p, __grid_constant__ filter_weights<compute_t<T>, Radius> const w,
                 __grid_constant__ near_grid const grid) {
  constexpr int size = lane_columns<T>::size, width = lane_columns<T>::warp;
  static_assert(Radius <= size);
  index_t const x0 = index_t(blockIdx.x) * width, y = (grid.row() * warps + warp_in_block()) * rows;
  if (y >= p.extent[1]) return;
  int const lane = int(threadIdx.x) % 32;
  if (grid.words_in && grid.words_out && x0 > 0 && x0 + width + size <= p.extent[2] && y >= Radius && y + rows + Radius <= p.extent[1]) {
    filter_inside<T, Radius>(p, w, x0 + lane * size, y);
    return;
  }
  for (index_t r = y; r < min(y + rows, p.extent[1]); ++r)
    for (index_t x = x0 + lane; x < min(x0 + width, p.extent[2]); x += 32)
      p.out[r * p.out_stride[1] + x] = filter_element<T, Radius>(p, w, x, r);
}

template <class T, int Radius>
void launch_square(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  filter_weights<compute_t<T>, Radius> w{};
  for (int k = 0; k < taps.count; ++k) w.at[taps.offset[k][1] + Radius][taps.offset[k][2] + Radius] = taps.weight[k];
  near_grid const whole{0, 0, 1, rows_of_words(p.in, p.in_stride), rows_of_words(p.out, p.out_stride)};
  index_t const across = ceil_div(p.extent[2], index_t(lane_columns<T>::warp)), down = ceil_div(p.extent[1], index_t(warps * rows));
  in_parts(whole, across, down, 1, [&](near_grid const& grid, dim3 blocks) {
    launch_native(s, "stencil", blocks, threads, 0, where, filter_plane<T, Radius>, p, w, grid);
  });
}

}  // namespace

template <class T>
bool launch_filter(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  constexpr index_t smallest = index_t(1) << 24;  // elements; in smaller planes the warps at the edges take longer than all others
  if (p.extent[1] * p.extent[2] < smallest) return false;
  int const radius = taps.radius[1];
  bool const all = taps.radius[2] == radius && taps.count == (2 * radius + 1) * (2 * radius + 1);
  if (!all || !rows_of_words(p.in, p.in_stride) || !rows_of_words(p.out, p.out_stride)) return false;
  if (radius == 2) return launch_square<T, 2>(s, p, taps, where), true;
  if constexpr (lane_columns<T>::size >= 4) {
    if (radius == 3) return launch_square<T, 3>(s, p, taps, where), true;
    if (radius == 4) return launch_square<T, 4>(s, p, taps, where), true;
  }
  return false;
}

#define DOLMEN_FILTER(T) \
  template bool launch_filter<T>(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_FILTER)

}  // namespace dolmen::cuda::impl
