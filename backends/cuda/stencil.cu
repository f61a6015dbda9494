#include "stencil_near.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::compute_t;
using dolmen::detail::inside_index;
using dolmen::detail::stencil_plan;
using dolmen::detail::stencil_taps;

constexpr int threads = 256, warps = threads / 32;

/// launch(first, blocks) for as many blocks at a time as a grid holds.
template <class Launch>
void in_grids(index_t blocks, Launch launch) {
  constexpr index_t most = 0x7fffffff;
  for (index_t first = 0; first < blocks; first += most) launch(first, unsigned(min(blocks - first, most)));
}

// --- any neighbours of a plane: tiles with their surroundings in shared memory -------------------------------------------
constexpr int tile_rows = 32, tile_columns = 64, halo = 2 * dolmen::detail::most_radius;

template <class T>
__global__ void __launch_bounds__(threads)
    stencil_tiles(__grid_constant__ stencil_plan<T> const p, __grid_constant__ stencil_taps<compute_t<T>> const taps, index_t across,
                  index_t first) {
  using C = compute_t<T>;
  __shared__ C tile[(tile_rows + halo) * (tile_columns + halo)];
  index_t const block = first + blockIdx.x, y0 = block / across * tile_rows, x0 = block % across * tile_columns;
  int const ry = taps.radius[1], rx = taps.radius[2], pitch = tile_columns + 2 * rx, height = tile_rows + 2 * ry;
  index_t const rows = p.extent[1], columns = p.extent[2];
  for (int k = int(threadIdx.x); k < pitch * height; k += threads) {
    index_t y = y0 - ry + k / pitch, x = x0 - rx + k % pitch;
    // Of what lies beyond the edge only neighbours of elements are asked for.
    bool const wanted = y < rows + ry && x < columns + rx;
    y = wanted ? inside_index(y, rows, p.rule) : -1;
    x = wanted ? inside_index(x, columns, p.rule) : -1;
    tile[k] = y < 0 || x < 0 ? C(0) : C(p.in[y * p.in_stride[1] + x]);
  }
  __syncthreads();
  constexpr int per_column = tile_rows / warps;
  int const tx = int(threadIdx.x) % 32, ty = int(threadIdx.x) / 32;
  C sum[per_column][2] = {};
  for (int k = 0; k < taps.count; ++k) {
    C const weight = taps.weight[k];
    C const* const from = tile + (ty + ry + taps.offset[k][1]) * pitch + tx + rx + taps.offset[k][2];
#pragma unroll
    for (int r = 0; r < per_column; ++r)
#pragma unroll
      for (int c = 0; c < 2; ++c) sum[r][c] += weight * from[r * warps * pitch + c * 32];
  }
#pragma unroll
  for (int r = 0; r < per_column; ++r)
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      index_t const y = y0 + ty + r * warps, x = x0 + tx + c * 32;
      if (y >= rows || x >= columns) continue;
      bool const keeps = p.rule == boundary::copy && p.at_edge(0, y, x, taps.before, taps.behind);
      p.out[y * p.out_stride[1] + x] = keeps ? p.in[y * p.in_stride[1] + x] : T(sum[r][c]);
    }
}

// --- any neighbours of a space: a thread for each element, through the first cache --------------------------------------
template <class T>
__global__ void __launch_bounds__(threads)
    stencil_elements(__grid_constant__ stencil_plan<T> const p, __grid_constant__ stencil_taps<compute_t<T>> const taps, index_t across,
                     index_t first) {
  using C = compute_t<T>;
  index_t const block = first + blockIdx.x, row = block / across, x = block % across * threads + threadIdx.x;
  index_t const z = row / p.extent[1], y = row % p.extent[1];
  if (x >= p.extent[2]) return;
  bool const at_edge = p.at_edge(z, y, x, taps.before, taps.behind);
  T const* const middle = p.in + z * p.in_stride[0] + y * p.in_stride[1] + x;
  T& out = p.out[z * p.out_stride[0] + y * p.out_stride[1] + x];
  if (at_edge && p.rule == boundary::copy) {
    out = *middle;
    return;
  }
  C sum = 0;
  for (int k = 0; k < taps.count; ++k) {
    auto const* const o = taps.offset[k];
    if (!at_edge) {
      sum += taps.weight[k] * C(middle[o[0] * p.in_stride[0] + o[1] * p.in_stride[1] + o[2]]);
    } else {
      index_t const zk = inside_index(z + o[0], p.extent[0], p.rule), yk = inside_index(y + o[1], p.extent[1], p.rule),
                    xk = inside_index(x + o[2], p.extent[2], p.rule);
      if (zk >= 0 && yk >= 0 && xk >= 0) sum += taps.weight[k] * C(p.in[zk * p.in_stride[0] + yk * p.in_stride[1] + xk]);
    }
  }
  out = T(sum);
}

/// All of the next neighbours along the dimensions (distance 1), or all of the box (distance up to `rank`).
template <class C>
bool has_all(stencil_taps<C> const& taps, int rank, int distance) {
  if (taps.radius[0] != (rank == 3) || taps.radius[1] != 1 || taps.radius[2] != 1) return false;
  for (int k = 0; k < taps.count; ++k) {
    auto const* const o = taps.offset[k];
    if (o[0] * o[0] + o[1] * o[1] + o[2] * o[2] > distance) return false;
  }
  return taps.count == (distance == 1 ? 2 * rank + 1 : rank == 3 ? 27 : 9);
}

}  // namespace

template <class T>
void launch_stencil(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  bool const plane = p.extent[0] == 1 && taps.radius[0] == 0;
  if (plane && has_all(taps, 2, 1)) return impl::launch_near_plane<T, true>(s, p, taps, where);
  if (plane && has_all(taps, 2, 2)) return impl::launch_near_plane<T, false>(s, p, taps, where);
  if (has_all(taps, 3, 1)) return impl::launch_near_space<T, true>(s, p, taps, where);
  if (has_all(taps, 3, 3)) return impl::launch_near_space<T, false>(s, p, taps, where);
  if (plane && impl::launch_filter(s, p, taps, where)) return;
  if (plane) {
    index_t const across = ceil_div(p.extent[2], index_t(tile_columns));
    return in_grids(across * ceil_div(p.extent[1], index_t(tile_rows)), [&](index_t first, unsigned blocks) {
      impl::launch_native(s, "stencil", blocks, threads, 0, where, stencil_tiles<T>, p, taps, across, first);
    });
  }
  index_t const across = ceil_div(p.extent[2], index_t(threads));
  in_grids(across * p.extent[0] * p.extent[1], [&](index_t first, unsigned blocks) {
    impl::launch_native(s, "stencil", blocks, threads, 0, where, stencil_elements<T>, p, taps, across, first);
  });
}

#define DOLMEN_STENCIL(T) \
  template DOLMEN_API void launch_stencil(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_STENCIL)

}  // namespace dolmen::cuda
