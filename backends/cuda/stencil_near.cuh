// What the stencils of the next neighbours share. Each lane of a warp has a vector of 16 bytes of a row and loads all rows that
// its results need, those of other warps too: they come from the first cache.
#pragma once

#include "launch.cuh"
#include "stencil.hpp"
#include "words.cuh"

namespace dolmen::cuda::impl {

using dolmen::detail::compute_t;
using dolmen::detail::stencil_plan;
using dolmen::detail::stencil_taps;

/// 5 or 9 points of a plane, 7 or 27 of a space; the taps are all of them.
template <class T, bool Star>
void launch_near_plane(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where);
template <class T, bool Star>
void launch_near_space(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where);

/// A plane's filter of 5 x 5, 7 x 7 or 9 x 9 weights of which none is 0 (double: 5 x 5). False if it is none, if rows are not whole
/// words, or if the plane is too small for it to be faster.
template <class T>
bool launch_filter(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where);

/// By plane, row and column.
template <class C, int Planes>
struct near_weights {
  C at[Planes][3][3];
};

/// Blocks by columns, rows and (in a space) pieces of so many planes; which are the first ones of this launch.
struct near_grid {
  index_t first_row, first_piece, length;
  bool words_in, words_out;  // whether vectors lie at multiples of 16 bytes
  index_t rows = 0;

  /// Those at the edges first: they take longer, and the last ones to begin are waited for.
  __device__ index_t row() const {
    index_t const i = first_row + blockIdx.y;
    return i < 2 ? i * (rows - 1) : i - 1;
  }
  __device__ index_t piece() const { return first_piece + blockIdx.z; }
};
/// launch(part, blocks): CUDA's y and z end at 65535, so larger grids come in several parts.
template <class Launch>
void in_parts(near_grid grid, index_t across, index_t down, index_t pieces, Launch launch) {
  constexpr index_t most = 65535;
  grid.rows = down;
  for (index_t z = 0; z < pieces; z += most)
    for (index_t y = 0; y < down; y += most) {
      grid.first_row = y, grid.first_piece = z;
      launch(grid, dim3(unsigned(across), unsigned(min(down - y, most)), unsigned(min(pieces - z, most))));
    }
}
template <class T>
bool rows_of_words(T const* data, index_t const (&stride)[2]) {
  return fits_words<int(16 / sizeof(T))>(data, stride);
}

/// The index that stands for -1 <= i <= n; -1 for a zero, and where nobody asks.
__device__ __forceinline__ index_t near_index(index_t i, index_t n, boundary rule) {
  if (i >= 0 && i < n) return i;
  if (rule == boundary::periodic) return i < 0 ? n - 1 : 0;
  if (rule == boundary::reflect) return n == 1 ? 0 : i < 0 ? 1 : n - 2;
  return -1;
}

/// The same for all lanes, which the compiler then knows.
__device__ __forceinline__ int warp_in_block() { return __shfl_sync(0xffffffffu, int(threadIdx.x) / 32, 0); }

/// What a lane reads of rows: a vector, and at the sides of the warp's columns, which begin at x0, their neighbour. A row is
/// given by the address of the lane's first column.
template <class T>
struct lane_columns {
  static constexpr int size = int(16 / sizeof(T)), warp = 32 * size;
  using vector = elements<T, size>;

  int lane;
  index_t x;
  index_t side;   // what stands beside the warp's columns, counted from x
  bool has_side;  // for lanes 0 and 31, and if it is not a zero

  __device__ __forceinline__ lane_columns(stencil_plan<T> const& p, index_t x0) : lane(int(threadIdx.x) % 32), x(x0 + lane * size) {
    index_t const columns = p.extent[2], beside = lane == 0 ? x0 - 1 : x0 + warp;
    side = beside <= columns ? near_index(beside, columns, p.rule) : -1;
    has_side = side >= 0 && (lane == 0 || lane == 31);
    side -= x;
  }
  __device__ __forceinline__ T load_side(T const* row) const { return has_side ? row[side] : T(0.0f); }

  /// The row's numbers, with what lies at the sides of the vector if they are asked for.
  template <class C>
  __device__ __forceinline__ void widen(vector const& v, T beside, bool sides, C (&row)[size + 2]) const {
#pragma unroll
    for (int j = 0; j < size; ++j) row[j + 1] = C(v.values[j]);
    if (!sides) return;
    C const left = __shfl_up_sync(0xffffffffu, row[size], 1), right = __shfl_down_sync(0xffffffffu, row[1], 1);
    row[0] = lane == 0 ? C(beside) : left;
    row[size + 1] = lane == 31 ? C(beside) : right;
  }
};

/// Words that all lie within the grid.
template <class T>
struct inner_words : lane_columns<T> {
  using lane_columns<T>::lane_columns;
  using typename lane_columns<T>::vector;

  __device__ __forceinline__ vector load(T const* row) const { return load_elements<lane_columns<T>::size>(row); }
  __device__ __forceinline__ void store(T* row, vector const& v) const { store_elements(row, v); }
};

/// Elements, or words of which each lies within the grid or beyond it.
template <class T, bool Words>
struct edge_columns : lane_columns<T> {
  using typename lane_columns<T>::vector;
  static constexpr int size = lane_columns<T>::size;

  int count;      // elements of the vector that lie within the grid
  index_t edge;   // what stands for the one behind the last, counted from x
  bool has_edge;  // if that is a neighbour, and not a zero

  __device__ __forceinline__ edge_columns(stencil_plan<T> const& p, index_t x0) : lane_columns<T>(p, x0) {
    index_t const columns = p.extent[2];
    count = int(max(index_t(0), min(columns - this->x, index_t(size))));
    edge = near_index(columns, columns, p.rule) - this->x;
    has_edge = count < size && this->x <= columns && edge + this->x >= 0;
  }
  __device__ __forceinline__ vector load(T const* row) const {
    vector v{};
    if (Words && count == size) v = load_elements<size>(row);
    T const last = has_edge ? row[edge] : T(0.0f);
#pragma unroll
    for (int j = 0; j < (Words ? 1 : size); ++j) {
      if (!Words && j < count) v.values[j] = row[j];
      if (j == count) v.values[j] = last;
    }
    return v;
  }
  __device__ __forceinline__ void store(T* row, vector const& v) const {
    if constexpr (Words) {
      if (count == size) store_elements(row, v);
    } else {
#pragma unroll
      for (int j = 0; j < size; ++j)
        if (j < count) row[j] = v.values[j];
    }
  }
};

/// What stands for row r - 1 of those from y on; Inside: none of `rows` rows and their neighbours lies beyond an edge.
template <bool Inside>
class near_rows {
 public:
  template <class T>
  __device__ __forceinline__ near_rows(stencil_plan<T> const& p, index_t y, int rows) : stride_(p.in_stride[1]), at_top_(y == 0) {
    if constexpr (!Inside) {
      index_t const height = p.extent[1], first = near_index(-1, height, p.rule);
      wraps_ = first >= 0;
      count_ = int(min(height - y, index_t(rows) + 1));
      top_ = at_top_ ? first + 1 : 0;
      bottom_ = near_index(height, height, p.rule) - (y - 1);
    }
  }
  /// Whether it is not a row of zeros, and a neighbour.
  __device__ __forceinline__ bool has(int r) const {
    if (Inside) return true;
    return r <= count_ ? r > 0 || !at_top_ || wraps_ : r == count_ + 1 && wraps_;
  }
  /// Elements from row y - 1 on.
  __device__ __forceinline__ index_t offset(int r) const {
    if (Inside) return r * stride_;
    return (r == 0 ? top_ : r == count_ + 1 ? bottom_ : r) * stride_;
  }

 private:
  index_t stride_, top_, bottom_;
  int count_;  // rows within the grid from y on
  bool at_top_, wraps_;
};

/// body(columns, inside) for what a warp with results of `rows` rows from y on reads; inside: no row lies beyond an edge.
template <class T, class Body>
__device__ __forceinline__ void with_columns(stencil_plan<T> const& p, near_grid const& g, index_t x0, index_t y, int rows, Body body) {
  constexpr int size = lane_columns<T>::size;
  bool const words = g.words_in && g.words_out, whole = words && x0 + lane_columns<T>::warp <= p.extent[2];
  if (whole && y > 0 && y + rows < p.extent[1])
    body(inner_words<T>(p, x0), std::true_type());
  else if (whole)
    body(inner_words<T>(p, x0), std::false_type());
  else if (words && p.extent[2] % size == 0)
    body(edge_columns<T, true>(p, x0), std::false_type());
  else
    body(edge_columns<T, false>(p, x0), std::false_type());
}

/// Elements of a lane's vector with a neighbour beyond the edge get the input's value.
template <class T>
__device__ __forceinline__ void keep_edges(stencil_plan<T> const& p, index_t z, index_t y, bool row_at_edge, index_t x) {
  constexpr int size = lane_columns<T>::size;
  if (!row_at_edge && x > 0 && x + size < p.extent[2]) return;
#pragma unroll 1
  for (index_t c = x; c < min(x + size, p.extent[2]); ++c)
    if (row_at_edge || c == 0 || c == p.extent[2] - 1)
      p.out[z * p.out_stride[0] + y * p.out_stride[1] + c] = p.in[z * p.in_stride[0] + y * p.in_stride[1] + c];
}

}  // namespace dolmen::cuda::impl
