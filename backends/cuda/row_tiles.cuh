// Rows of pieces (elements, or vectors of them) shared out over blocks of threads: four pieces per thread, without a
// division per piece, whatever the rows' length.
#pragma once

#include "launch.cuh"

namespace dolmen::cuda::impl {

struct row_tiles {
  static constexpr int threads = 256, slots = 4;

  index_t lines, rows, pieces;  // lines are the rows of all planes; pieces of one line
  unsigned groups;              // tiles along a line
  int width_bits;               // 2^width_bits neighbouring threads work on one line
  bool along;                   // a thread's pieces lie along one line, not on neighbouring lines

  static row_tiles of(index_t planes, index_t rows, index_t pieces) {
    constexpr index_t turn = threads * slots;
    row_tiles t{planes * rows, rows, pieces, 1, 0, pieces >= turn || planes * rows == 1};
    while ((1 << t.width_bits) < threads && (t.along || (1 << t.width_bits) < pieces)) ++t.width_bits;
    t.groups = unsigned(ceil_div(pieces, t.along ? turn : index_t(1) << t.width_bits));
    return t;
  }
  index_t lines_per_block() const { return along ? 1 : slots * (threads >> width_bits); }
  unsigned blocks(char const* what, source_location where) const {
    index_t const count = ceil_div(lines, lines_per_block()) * groups;
    dolmen::detail::require<launch_error>(count <= 0x7fffffff, where, what, ": ", lines, " rows need ", count,
                                          " blocks, more than a grid has");
    return unsigned(count);
  }

  struct slot {
    index_t plane, row, piece;
    bool inside;
  };
  __device__ __forceinline__ slot at(int k) const {
    unsigned const line_group = groups == 1 ? blockIdx.x : blockIdx.x / groups;
    unsigned const group = groups == 1 ? 0 : blockIdx.x % groups;
    int const x = int(threadIdx.x) & ((1 << width_bits) - 1), y = int(threadIdx.x) >> width_bits;
    slot s;
    index_t line;
    if (along) {
      line = line_group;
      s.piece = index_t(group) * (threads * slots) + k * threads + x;
    } else {
      int const high = threads >> width_bits;
      line = index_t(line_group) * (slots * high) + k * high + y;
      s.piece = (index_t(group) << width_bits) + x;
    }
    s.inside = line < lines && s.piece < pieces;
    if (lines == rows) {
      s.plane = 0;
      s.row = line;
    } else {
      bool const narrow = ((line | rows) >> 32) == 0;  // 64-bit divisions are slow
      s.plane = narrow ? index_t(unsigned(line) / unsigned(rows)) : line / rows;
      s.row = line - s.plane * rows;
    }
    return s;
  }
};

}  // namespace dolmen::cuda::impl
