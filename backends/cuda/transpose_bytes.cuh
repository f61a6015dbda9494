// Transposes of matrices of bytes. Squares of 16 x 16 bytes per thread, as transpose.cu has for wider elements, take 16 vectors of
// registers; here a thread turns 4 x 4 bytes at a time.
//
// A word of shared memory holds four neighbours of one column. A thread loads 16 bytes of each of four rows, turns them in
// registers, and writes a word for each of its 16 columns. The words of a column lie one after the other, in groups of four that are
// permuted by the column: eight threads across and four down write 32 banks, and eight threads along a column read 16 bytes each
// from 32 banks.
#pragma once

#include "launch.cuh"
#include "words.cuh"

namespace dolmen::cuda::impl {

/// X vectors of 16 columns, Y words of four rows.
template <int X, int Y, int Threads>
struct byte_tiling {
  static constexpr int x = X, y = Y, threads = Threads, rows = 4 * Y, columns = 16 * X, turns = X * Y / Threads;
  static constexpr int shared = columns * Y * 4;
  static_assert(X % 8 == 0 && Y % 32 == 0 && X * Y % Threads == 0);
  static __device__ __forceinline__ int place(int column, int word) { return column * Y + ((word / 4 ^ (column / 16 & 7)) * 4 | word % 4); }
};

struct alignas(16) four_words {
  unsigned word[4];
};

/// The tile at `from`, of which `rows` and `columns` exist, to the place in `to` that is its own in the transposed matrix. Rows of both
/// begin at multiples of 16 bytes.
template <class Tiling>
__device__ __forceinline__ void transpose_byte_tile(std::uint8_t const* from, index_t from_row, std::uint8_t* to, index_t to_row, int rows,
                                                    int columns) {
  extern __shared__ __align__(16) unsigned turned[];
  constexpr int warps = Tiling::threads / 32, across = Tiling::x / 8;
  int const warp = int(threadIdx.x) / 32, lane_x = int(threadIdx.x) % 8, lane_y = int(threadIdx.x) % 32 / 8;
  bool const whole = rows == Tiling::rows && columns == Tiling::columns;
  four_words read[Tiling::turns][4];
#pragma unroll
  for (int t = 0; t < Tiling::turns; ++t) {
    int const piece = t * warps + warp, x = piece % across * 8 + lane_x, y = piece / across * 4 + lane_y;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      std::uint8_t const* const at = from + (y * 4 + k) * from_row + x * 16;
      int const there = whole ? 16 : y * 4 + k < rows ? columns - x * 16 : 0;
      if (there >= 16) {
        read[t][k] = *reinterpret_cast<four_words const*>(at);
      } else {
        std::uint8_t bytes[16] = {};
#pragma unroll
        for (int j = 0; j < 16; ++j)
          if (j < there) bytes[j] = at[j];
        memcpy(&read[t][k], bytes, 16);
      }
    }
  }
#pragma unroll
  for (int t = 0; t < Tiling::turns; ++t) {
    int const piece = t * warps + warp, x = piece % across * 8 + lane_x, y = piece / across * 4 + lane_y;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      unsigned const a = read[t][0].word[j], b = read[t][1].word[j], c = read[t][2].word[j], d = read[t][3].word[j];
      unsigned const ab = __byte_perm(a, b, 0x5140), ab_high = __byte_perm(a, b, 0x7362);
      unsigned const cd = __byte_perm(c, d, 0x5140), cd_high = __byte_perm(c, d, 0x7362);
      int const column = x * 16 + j * 4;
      turned[Tiling::place(column, y)] = __byte_perm(ab, cd, 0x5410);
      turned[Tiling::place(column + 1, y)] = __byte_perm(ab, cd, 0x7632);
      turned[Tiling::place(column + 2, y)] = __byte_perm(ab_high, cd_high, 0x5410);
      turned[Tiling::place(column + 3, y)] = __byte_perm(ab_high, cd_high, 0x7632);
    }
  }
  __syncthreads();
  constexpr int vectors = Tiling::y / 4;  // of a column
#pragma unroll
  for (int i = 0; i < Tiling::columns * vectors / Tiling::threads; ++i) {
    int const k = i * Tiling::threads + int(threadIdx.x), column = k / vectors, v = k % vectors;
    four_words const value = *reinterpret_cast<four_words const*>(turned + Tiling::place(column, v * 4));
    std::uint8_t* const at = to + column * to_row + v * 16;
    if (whole || (column < columns && (v + 1) * 16 <= rows)) {
      store_whole(at, value);
    } else if (column < columns) {
      std::uint8_t bytes[16];
      memcpy(bytes, &value, 16);
#pragma unroll
      for (int j = 0; j < 16; ++j)
        if (v * 16 + j < rows) at[j] = bytes[j];
    }
  }
}

}  // namespace dolmen::cuda::impl
