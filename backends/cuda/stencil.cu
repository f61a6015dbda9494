#include "launch.cuh"
#include "stencil.hpp"
#include "words.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::compute_t;
using dolmen::detail::inside_index;
using dolmen::detail::stencil_plan;
using dolmen::detail::stencil_taps;

constexpr int threads = 256, warps = threads / 32;

// --- the element's next neighbours: 5 and 9 points of a plane, 7 and 27 of a space --------------------------------------
// Warps lie along a row, a vector of elements per thread, and march down the columns of a plane, or through the planes of a
// space. Each row (each plane: three rows) is read once on the way, while the one before is added to the three results that it
// is a neighbour of.

/// By the step of the march, the row of the section, and the column.
template <class C, int Rows>
struct near_weights {
  C at[3][Rows][3];
};

template <class T, int Size>
struct alignas(Size * sizeof(T)) vector {
  T values[Size];
};

template <class T, int Rank, bool Star, int Size>
class near_stencil {
 public:
  using C = compute_t<T>;
  static constexpr int rows = Rank == 3 ? 3 : 1;  // of a section

  __device__ near_stencil(stencil_plan<T> const& p, near_weights<C, rows> const& w, index_t y, index_t x)
      : p_(p), w_(w), y_(y), x_(x), columns_(p.extent[2]), lane_(int(threadIdx.x) % 32) {}

  /// The results [begin, end) of the march.
  __device__ void march(index_t begin, index_t end) {
    section now = load(begin - 1);
    for (index_t m = begin - 1; m <= end; ++m) {
      section next{};
      if (m < end) next = load(m + 1);
      add(now);
      if (m > begin) store(m - 1);
#pragma unroll
      for (int j = 0; j < Size; ++j) before_[j] = here_[j], here_[j] = behind_[j], behind_[j] = 0;
      now = next;
    }
  }

 private:
  struct section {
    vector<T, Size> middle[rows];
    T side[rows];  // what lies to the left of lane 0, to the right of lane 31
  };

  __device__ index_t steps() const { return p_.extent[Rank == 3 ? 0 : 1]; }
  /// The row, or null for zeros.
  __device__ T const* row_at(index_t m, int row) const {
    index_t const at = inside_index(m, steps(), p_.rule);
    if constexpr (Rank == 2) {
      return at < 0 ? nullptr : p_.in + at * p_.in_stride[1];
    } else {
      index_t const y = inside_index(y_ + row - 1, p_.extent[1], p_.rule);
      return at < 0 || y < 0 ? nullptr : p_.in + at * p_.in_stride[0] + y * p_.in_stride[1];
    }
  }
  __device__ T element(T const* row, index_t x) const {
    index_t const at = x > columns_ ? -1 : inside_index(x, columns_, p_.rule);
    return at < 0 ? T(0.0f) : row[at];
  }

  __device__ section load(index_t m) const {
    section s{};
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      T const* const row = row_at(m, r);
      if (!row) continue;
      if (x_ + Size <= columns_) {
        s.middle[r] = *reinterpret_cast<vector<T, Size> const*>(row + x_);
      } else {
#pragma unroll
        for (int j = 0; j < Size; ++j) s.middle[r].values[j] = element(row, x_ + j);
      }
      if (Star && r != rows / 2) continue;
      if (lane_ == 0) s.side[r] = element(row, x_ - 1);
      if (lane_ == 31) s.side[r] = element(row, x_ + Size);
    }
    return s;
  }

  /// Adds a section to the result before it (of which it is the last neighbour), its own, and the one behind.
  __device__ void add(section const& s) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      bool const middle_row = r == rows / 2;
      C row[Size + 2];
#pragma unroll
      for (int j = 0; j < Size; ++j) row[j + 1] = C(s.middle[r].values[j]);
      if (!Star || middle_row) {
        row[0] = __shfl_up_sync(0xffffffffu, row[Size], 1);
        row[Size + 1] = __shfl_down_sync(0xffffffffu, row[1], 1);
        if (lane_ == 0) row[0] = C(s.side[r]);
        if (lane_ == 31) row[Size + 1] = C(s.side[r]);
      }
#pragma unroll
      for (int j = 0; j < Size; ++j)
#pragma unroll
        for (int k = 0; k < 3; ++k) {
          if (!Star || (middle_row && k == 1)) {
            before_[j] += w_.at[2][r][k] * row[j + k];
            behind_[j] += w_.at[0][r][k] * row[j + k];
          }
          if (!Star || middle_row || k == 1) here_[j] += w_.at[1][r][k] * row[j + k];
        }
    }
  }

  __device__ void store(index_t m) const {
    index_t const z = Rank == 3 ? m : 0, y = Rank == 3 ? y_ : m, offset = z * p_.out_stride[0] + y * p_.out_stride[1] + x_;
    constexpr int radius[3] = {Rank == 3 ? 1 : 0, 1, 1};
    vector<T, Size> result;
#pragma unroll
    for (int j = 0; j < Size; ++j) result.values[j] = T(before_[j]);
    if (p_.rule == boundary::copy) {
      T const* const in = p_.in + z * p_.in_stride[0] + y * p_.in_stride[1] + x_;
#pragma unroll
      for (int j = 0; j < Size; ++j)
        if (x_ + j < columns_ && p_.at_edge(z, y, x_ + j, radius)) result.values[j] = in[j];
    }
    if (x_ + Size <= columns_) {
      impl::store_whole(p_.out + offset, result);
    } else {
#pragma unroll
      for (int j = 0; j < Size; ++j)
        if (x_ + j < columns_) p_.out[offset + j] = result.values[j];
    }
  }

  stencil_plan<T> const& p_;
  near_weights<C, rows> const& w_;
  index_t y_, x_, columns_;
  int lane_;
  C before_[Size] = {}, here_[Size] = {}, behind_[Size] = {};
};

/// Blocks by columns, then (in a space) rows, then pieces of the march.
struct near_grid {
  index_t across, down, length;
};

template <class T, int Rank, bool Star, int Size>
__global__ void __launch_bounds__(threads)
    march(__grid_constant__ stencil_plan<T> const p, __grid_constant__ near_weights<compute_t<T>, Rank == 3 ? 3 : 1> const w,
          near_grid const grid, index_t first) {
  index_t const block = first + blockIdx.x, rest = block / grid.across, piece = rest / grid.down;
  int const warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  index_t const column = block % grid.across;
  index_t const x = ((Rank == 2 ? column * warps + warp : column) * 32 + lane) * Size;
  index_t const y = Rank == 3 ? rest % grid.down * warps + warp : 0;
  if (Rank == 3 && y >= p.extent[1]) return;  // whole warps
  index_t const begin = piece * grid.length, end = min(begin + grid.length, p.extent[Rank == 3 ? 0 : 1]);
  near_stencil<T, Rank, Star, Size>(p, w, y, x).march(begin, end);
}

/// launch(first, blocks) for as many blocks at a time as a grid holds.
template <class Launch>
void in_grids(index_t blocks, Launch launch) {
  constexpr index_t most = 0x7fffffff;
  for (index_t first = 0; first < blocks; first += most) launch(first, unsigned(min(blocks - first, most)));
}

template <class T, int Rank, bool Star, int Size>
void launch_march(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  near_weights<compute_t<T>, Rank == 3 ? 3 : 1> w{};
  for (int k = 0; k < taps.count; ++k) {
    auto const* const o = taps.offset[k];
    if constexpr (Rank == 3)
      w.at[o[0] + 1][o[1] + 1][o[2] + 1] = taps.weight[k];
    else
      w.at[o[1] + 1][0][o[2] + 1] = taps.weight[k];
  }
  near_grid grid{ceil_div(p.extent[2], index_t(32) * Size * (Rank == 2 ? warps : 1)), Rank == 3 ? ceil_div(p.extent[1], index_t(warps)) : 1,
                 0};
  // Long marches read the rows (planes) between two pieces seldom twice; short ones keep the device full.
  index_t const steps = p.extent[Rank == 3 ? 0 : 1];
  grid.length = max(index_t(8), min(index_t(64), steps * grid.across * grid.down / 4096));
  in_grids(grid.across * grid.down * ceil_div(steps, grid.length), [&](index_t first, unsigned blocks) {
    impl::launch_native(s, "stencil", blocks, threads, 0, where, march<T, Rank, Star, Size>, p, w, grid, first);
  });
}

template <class T, int Rank, bool Star>
void launch_near(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  auto bits = reinterpret_cast<std::uintptr_t>(p.in) | reinterpret_cast<std::uintptr_t>(p.out);
  for (int d = 0; d < 2; ++d) bits |= std::uintptr_t(p.in_stride[d]) * sizeof(T) | std::uintptr_t(p.out_stride[d]) * sizeof(T);
  if (bits % 16 == 0)
    launch_march<T, Rank, Star, 16 / sizeof(T)>(s, p, taps, where);
  else
    launch_march<T, Rank, Star, 1>(s, p, taps, where);
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
      bool const keeps = p.rule == boundary::copy && p.at_edge(0, y, x, taps.radius);
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
  bool const at_edge = p.at_edge(z, y, x, taps.radius);
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
  if (plane && has_all(taps, 2, 1)) return launch_near<T, 2, true>(s, p, taps, where);
  if (plane && has_all(taps, 2, 2)) return launch_near<T, 2, false>(s, p, taps, where);
  if (has_all(taps, 3, 1)) return launch_near<T, 3, true>(s, p, taps, where);
  if (has_all(taps, 3, 3)) return launch_near<T, 3, false>(s, p, taps, where);
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
