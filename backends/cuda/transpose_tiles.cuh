// The bodies of transpositions by the width of an element; transpose_narrow.cu has those of 1 and 2 bytes.
#pragma once

#include "launch.cuh"
#include "transpose.hpp"
#include "transpose_bytes.cuh"
#include "words.cuh"

namespace dolmen::cuda {

namespace impl {
void transpose_narrow(stream const& s, dolmen::detail::transpose_plan const& plan, source_location where);
}

namespace {

using dolmen::detail::pair_of_tiles;
using dolmen::detail::tile_pair;
using dolmen::detail::transpose_plan;

// Matrices go through tiles, 16 bytes at a time on both sides. A vector holds `per_vector` elements; each thread transposes
// squares of that side in registers, so that shared memory too is written and read by vectors. The tile lies transposed in
// shared memory, its vectors permuted within each row: the eight threads of a 128-byte access meet eight different places.

template <int Width>
using word = std::conditional_t<
    Width == 1, std::uint8_t,
    std::conditional_t<Width == 2, std::uint16_t,
                       std::conditional_t<Width == 4, std::uint32_t, std::conditional_t<Width == 8, std::uint64_t, uint4>>>>;

template <int Width>
struct alignas(16) vector {
  static constexpr int size = 16 / Width;
  word<Width> values[size];
};

/// X x Y threads transpose a tile of Squares * Y * per_vector rows and X * per_vector columns.
template <int Width, int X, int Y, int Squares>
struct tiling {
  static constexpr int width = Width, x = X, y = Y, squares = Squares, threads = X * Y;
  static constexpr int per_vector = 16 / Width;
  static constexpr int row_vectors = Squares * Y;  // of a row in shared memory, which is a column of the source
  static constexpr int rows = row_vectors * per_vector, columns = X * per_vector;
  static_assert(X % 8 == 0 && row_vectors % 8 == 0, "the permutation works on eights");
  static __device__ int place(int column, int v) { return column * row_vectors + (v ^ (column / per_vector % 8)); }
};

// Tiles of 8 to 32 KB: 256 bytes of a row at once where registers allow it.
template <int Width>
using tiles_of =
    std::conditional_t<Width == 1, tiling<1, 8, 8, 1>,
                       std::conditional_t<Width == 2, tiling<2, 16, 16, 1>,
                                          std::conditional_t<Width == 4, tiling<4, 16, 16, 1>,
                                                             std::conditional_t<Width == 8, tiling<8, 16, 16, 2>, tiling<16, 16, 16, 4>>>>>;
// Square, and two of them fit in shared memory.
template <int Width>
using squares_of = std::conditional_t<Width <= 2, tiling<Width, 8, 8, 1>, tiling<Width, 16, 16, 1>>;

/// Where a tile lies in its matrix, and how much of it there is.
struct part {
  index_t row, column;
  int rows, columns;
};

template <class Tiling, bool Vectors>
__device__ vector<Tiling::width> load_vector(word<Tiling::width> const* from, int count) {
  constexpr int n = Tiling::per_vector;
  if (Vectors && count >= n) return *reinterpret_cast<vector<Tiling::width> const*>(from);
  vector<Tiling::width> v = {};
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (i < count) v.values[i] = from[i];
  return v;
}

/// The tile at `from`, transposed, into shared memory.
template <class Tiling, bool Vectors>
__device__ void load_tile(word<Tiling::width> const* from, index_t from_row, part const& at, vector<Tiling::width>* shared) {
  constexpr int n = Tiling::per_vector;
  int const x = int(threadIdx.x) % Tiling::x, y = int(threadIdx.x) / Tiling::x;
  from += at.row * from_row + at.column + x * n;
  vector<Tiling::width> read[Tiling::squares][n];
  if (at.rows == Tiling::rows && at.columns == Tiling::columns) {
#pragma unroll
    for (int k = 0; k < Tiling::squares; ++k)
#pragma unroll
      for (int i = 0; i < n; ++i) read[k][i] = load_vector<Tiling, Vectors>(from + ((k * Tiling::y + y) * n + i) * from_row, n);
  } else {
#pragma unroll
    for (int k = 0; k < Tiling::squares; ++k)
#pragma unroll
      for (int i = 0; i < n; ++i) {
        int const row = (k * Tiling::y + y) * n + i;
        read[k][i] = load_vector<Tiling, Vectors>(from + row * from_row, row < at.rows ? at.columns - x * n : 0);
      }
  }
#pragma unroll
  for (int k = 0; k < Tiling::squares; ++k)
#pragma unroll
    for (int i = 0; i < n; ++i) {
      vector<Tiling::width> turned;
#pragma unroll
      for (int j = 0; j < n; ++j) turned.values[j] = read[k][j].values[i];
      shared[Tiling::place(x * n + i, k * Tiling::y + y)] = turned;
    }
}

/// What load_tile has put into shared memory, to the place in `to` that is its own in the transposed matrix.
template <class Tiling, bool Vectors>
__device__ void store_tile(vector<Tiling::width> const* shared, word<Tiling::width>* to, index_t to_row, part const& at) {
  constexpr int n = Tiling::per_vector;
  to += at.column * to_row + at.row;
  if constexpr (Vectors) {
    constexpr int vectors = Tiling::columns * Tiling::row_vectors;
    bool const whole = at.rows == Tiling::rows && at.columns == Tiling::columns;
#pragma unroll
    for (int i = 0; i < vectors / Tiling::threads; ++i) {
      int const k = i * Tiling::threads + int(threadIdx.x);
      int const column = k / Tiling::row_vectors, v = k % Tiling::row_vectors;
      vector<Tiling::width> const value = shared[Tiling::place(column, v)];
      word<Tiling::width>* const there = to + column * to_row + v * n;
      if (whole || (column < at.columns && (v + 1) * n <= at.rows)) {
        impl::store_whole(there, value);
      } else if (column < at.columns) {
#pragma unroll
        for (int j = 0; j < n; ++j)
          if (v * n + j < at.rows) there[j] = value.values[j];
      }
    }
  } else {
    // Neighbouring threads store neighbouring elements.
    for (int k = int(threadIdx.x); k < at.columns * Tiling::rows; k += Tiling::threads) {
      int const column = k / Tiling::rows, row = k % Tiling::rows;
      if (row < at.rows) to[column * to_row + row] = shared[Tiling::place(column, row / n)].values[row % n];
    }
  }
}

/// A number of tiles in bands of 16 rows of tiles, column by column within a band: the tiles that are under way at one time
/// are neighbours in rows and in columns, so that both matrices are touched in long pieces.
template <class Index>
__device__ tile_pair place_of_tile(Index number, Index down, Index across) {
  constexpr Index band = 16;
  Index const first = number / (band * across) * band, rest = number % (band * across);
  Index const height = down - first < band ? down - first : band;
  return {index_t(first + rest % height), index_t(rest / height)};
}

template <class Tiling>
__device__ part part_at(tile_pair tile, index_t rows, index_t columns) {
  index_t const row = tile.row * Tiling::rows, column = tile.column * Tiling::columns;
  return {row, column, int(min(index_t(Tiling::rows), rows - row)), int(min(index_t(Tiling::columns), columns - column))};
}

template <class Tiling, class Index, bool From, bool To>
__global__ void __launch_bounds__(Tiling::threads) transpose_tiles(transpose_plan const p, index_t first, Index down, Index across) {
  using element = word<Tiling::width>;
  __shared__ vector<Tiling::width> shared[Tiling::columns * Tiling::row_vectors];
  Index const number = Index(first) + blockIdx.x, plane = number / (down * across);
  part const at = part_at<Tiling>(place_of_tile<Index>(number % (down * across), down, across), p.rows, p.columns);
  load_tile<Tiling, From>(static_cast<element const*>(p.from) + index_t(plane) * p.from_plane, p.from_row, at, shared);
  __syncthreads();
  store_tile<Tiling, To>(shared, static_cast<element*>(p.to) + index_t(plane) * p.to_plane, p.to_row, at);
}

template <class Tiling, class Index>
__global__ void __launch_bounds__(Tiling::threads) transpose_bytes(transpose_plan const p, index_t first, Index down, Index across) {
  Index const number = Index(first) + blockIdx.x, plane = number / (down * across);
  part const at = part_at<Tiling>(place_of_tile<Index>(number % (down * across), down, across), p.rows, p.columns);
  impl::transpose_byte_tile<Tiling>(
      static_cast<std::uint8_t const*>(p.from) + index_t(plane) * p.from_plane + at.row * p.from_row + at.column, p.from_row,
      static_cast<std::uint8_t*>(p.to) + index_t(plane) * p.to_plane + at.column * p.to_row + at.row, p.to_row, at.rows, at.columns);
}

/// In place: a tile and its mirror image change places.
template <class Tiling, bool Vectors>
__global__ void __launch_bounds__(Tiling::threads) transpose_squares(transpose_plan const p, index_t first, index_t across, index_t pairs) {
  using element = word<Tiling::width>;
  __shared__ vector<Tiling::width> upper[Tiling::columns * Tiling::row_vectors], lower[Tiling::columns * Tiling::row_vectors];
  index_t const number = first + blockIdx.x;
  tile_pair const pair = pair_of_tiles(number % pairs, across);
  if (pair.row < 0) return;
  part const above = part_at<Tiling>(pair, p.rows, p.rows), below = part_at<Tiling>({pair.column, pair.row}, p.rows, p.rows);
  element* const plane = static_cast<element*>(p.to) + number / pairs * p.to_plane;
  load_tile<Tiling, Vectors>(plane, p.to_row, above, upper);
  if (pair.row != pair.column) load_tile<Tiling, Vectors>(plane, p.to_row, below, lower);
  __syncthreads();
  store_tile<Tiling, Vectors>(upper, plane, p.to_row, above);
  if (pair.row != pair.column) store_tile<Tiling, Vectors>(lower, plane, p.to_row, below);
}

/// Elements at addresses that their width does not divide, or too few for tiles: one thread moves one element.
template <int Width>
struct bytes {
  unsigned char values[Width];
};
constexpr int threads = 256;
template <class Element>
__global__ void __launch_bounds__(threads) transpose_elements(transpose_plan const p) {
  index_t const n = p.planes * p.rows * p.columns;
  for (index_t i = index_t(blockIdx.x) * threads + threadIdx.x; i < n; i += index_t(gridDim.x) * threads) {
    index_t const plane = i / (p.rows * p.columns), c = i / p.rows % p.columns, r = i % p.rows;
    auto const* from = static_cast<Element const*>(p.from) + plane * p.from_plane + r * p.from_row + c;
    auto* to = static_cast<Element*>(p.to) + plane * p.to_plane + c * p.to_row + r;
    if (!p.in_place())
      *to = *from;
    else if (r < c) {
      Element const mirrored = *to;
      *to = *from;
      *const_cast<Element*>(from) = mirrored;
    }
  }
}

/// launch(first, blocks) for as many blocks at a time as a grid holds.
template <class Launch>
void in_grids(index_t blocks, Launch launch) {
  constexpr index_t most = 0x7fffffff;
  for (index_t first = 0; first < blocks; first += most) launch(first, unsigned(min(blocks - first, most)));
}

/// `narrow` and `wide` are one kernel: numbers of tiles that 32 bits hold are divided faster.
template <class Tiling>
void launch_tiles(stream const& s, transpose_plan const& p, std::size_t shared, source_location where,
                  void (*narrow)(transpose_plan, index_t, std::uint32_t, std::uint32_t),
                  void (*wide)(transpose_plan, index_t, index_t, index_t)) {
  index_t const down = ceil_div(p.rows, index_t(Tiling::rows)), across = ceil_div(p.columns, index_t(Tiling::columns));
  index_t const tiles = p.planes * down * across;
  if (tiles < (index_t(1) << 31) - 16 * across && across < (index_t(1) << 27))
    impl::launch_native(s, "transpose", unsigned(tiles), Tiling::threads, shared, where, narrow, p, index_t(0), std::uint32_t(down),
                        std::uint32_t(across));
  else
    in_grids(tiles, [&](index_t first, unsigned blocks) {
      impl::launch_native(s, "transpose", blocks, Tiling::threads, shared, where, wide, p, first, down, across);
    });
}

template <class Tiling, bool From, bool To>
void launch_tiles(stream const& s, transpose_plan const& p, source_location where) {
  // So many tiles need rows or columns of a few elements: they are moved one by one in any case.
  launch_tiles<Tiling>(s, p, 0, where, transpose_tiles<Tiling, std::uint32_t, From, To>, transpose_tiles<Tiling, index_t, false, false>);
}

template <class Tiling>
void launch_bytes(stream const& s, transpose_plan const& p, source_location where) {
  auto const narrow = transpose_bytes<Tiling, std::uint32_t>;
  auto const wide = transpose_bytes<Tiling, index_t>;
  if constexpr (Tiling::shared > 48 * 1024) {
    static impl::kept<std::uint64_t> raised;
    std::uint64_t const bit = std::uint64_t(1) << s.device_index();
    if ((raised.load() & bit) == 0) {
      for (void const* kernel : {reinterpret_cast<void const*>(narrow), reinterpret_cast<void const*>(wide)})
        impl::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tiling::shared), "transpose", where);
      raised.set_bits(bit);
    }
  }
  launch_tiles<Tiling>(s, p, Tiling::shared, where, narrow, wide);
}

/// Tiles of 256 x 256, and in a small matrix, of which more processors take part then, of 128 x 128.
void transpose_bytes_by_vectors(stream const& s, transpose_plan const& p, source_location where) {
  using large = impl::byte_tiling<16, 64, 512>;
  using small = impl::byte_tiling<8, 32, 256>;
  constexpr index_t few = 512;
  index_t const tiles = p.planes * ceil_div(p.rows, index_t(large::rows)) * ceil_div(p.columns, index_t(large::columns));
  return (tiles < few ? launch_bytes<small> : launch_bytes<large>)(s, p, where);
}

template <class Tiling, bool Vectors>
void launch_squares(stream const& s, transpose_plan const& p, source_location where) {
  index_t const across = ceil_div(p.rows, index_t(Tiling::rows)), pairs = ceil_div(across, index_t(2)) * (across + 1);
  in_grids(p.planes * pairs, [&](index_t first, unsigned blocks) {
    impl::launch_native(s, "transpose", blocks, Tiling::threads, 0, where, transpose_squares<Tiling, Vectors>, p, first, across, pairs);
  });
}

bool takes_vectors(void const* data, index_t plane, index_t row, int width) {
  return (reinterpret_cast<std::uintptr_t>(data) | std::uintptr_t(plane * width) | std::uintptr_t(row * width)) % 16 == 0;
}

template <int Width>
void transpose_width(stream const& s, transpose_plan const& p, source_location where) {
  if (!p.aligned()) {
    index_t const blocks = min(ceil_div(p.planes * p.rows * p.columns, index_t(threads)), index_t(1) << 20);
    return impl::launch_native(s, "transpose", unsigned(blocks), threads, 0, where, transpose_elements<bytes<Width>>, p);
  }
  bool const from = takes_vectors(p.from, p.from_plane, p.from_row, Width), to = takes_vectors(p.to, p.to_plane, p.to_row, Width);
  using tiles = tiles_of<Width>;
  using squares = squares_of<Width>;
  if (p.in_place()) return (to ? launch_squares<squares, true> : launch_squares<squares, false>)(s, p, where);
  if (Width == 1 && from && to) return transpose_bytes_by_vectors(s, p, where);
  if (from) return (to ? launch_tiles<tiles, true, true> : launch_tiles<tiles, true, false>)(s, p, where);
  return (to ? launch_tiles<tiles, false, true> : launch_tiles<tiles, false, false>)(s, p, where);
}

}  // namespace
}  // namespace dolmen::cuda
