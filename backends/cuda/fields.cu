// Tiles of records pass through shared memory, so that both the records and the arrays of their members are read and written
// in whole lines.
#include "fields.hpp"
#include "launch.cuh"

namespace dolmen::cuda {

using dolmen::detail::fields_plan;

namespace {

constexpr int threads = 256, tile_bytes = 16 * 1024;
constexpr int most_record_bytes = 512;  // of which 32 fit a tile; larger ones are moved directly

/// A word of every 32 is left out, so that neighbouring records, often a power of two apart, are not in one bank.
__device__ __forceinline__ int padded(int byte) { return byte + byte / 128 * 4; }
constexpr int padded_bytes(int bytes) { return bytes + (bytes + 127) / 128 * 4; }

template <class Unit>
__device__ __forceinline__ Unit& shared_unit(unsigned char* shared, int byte) {
  return *reinterpret_cast<Unit*>(shared + padded(byte));
}

/// The bytes [0, bytes) of global memory from or to shared memory. `wide`: in pieces of 16, of which four words each keep
/// together, as a gap comes only every 128 bytes.
template <class Unit, bool Load>
__device__ __forceinline__ void move_tile(unsigned char* shared, char* global, int bytes, bool wide) {
  int done = 0;
  if (sizeof(Unit) == 4 && wide) {
    auto* const words = reinterpret_cast<uint4*>(global);
#pragma unroll 4
    for (int i = int(threadIdx.x); i < bytes / 16; i += threads) {
      auto* const to = &shared_unit<unsigned>(shared, i * 16);
      if constexpr (Load) {
        uint4 const w = words[i];
        to[0] = w.x, to[1] = w.y, to[2] = w.z, to[3] = w.w;
      } else {
        words[i] = make_uint4(to[0], to[1], to[2], to[3]);
      }
    }
    done = bytes / 16 * 16;
  }
#pragma unroll 4
  for (int i = done + int(threadIdx.x * sizeof(Unit)); i < bytes; i += threads * int(sizeof(Unit))) {
    auto& at = *reinterpret_cast<Unit*>(global + i);
    if constexpr (Load)
      shared_unit<Unit>(shared, i) = at;
    else
      at = shared_unit<Unit>(shared, i);
  }
}

/// The values of one member between a tile and its array.
template <class Unit, bool Split>
__device__ __forceinline__ void move_values(unsigned char* shared, char* values, int records, int record_bytes, int offset, int width) {
  int const per_value = width / int(sizeof(Unit));
  auto* const units = reinterpret_cast<Unit*>(values);
#pragma unroll 4
  for (int k = int(threadIdx.x); k < records * per_value; k += threads) {
    int const record = per_value == 1 ? k : k / per_value, part = k - record * per_value;
    Unit& member = shared_unit<Unit>(shared, record * record_bytes + offset + part * int(sizeof(Unit)));
    if constexpr (Split)
      units[k] = member;
    else
      member = units[k];
  }
}

/// The values of all members, from their arrays into a tile, 16 bytes at a time: four loads per thread are under way at once.
/// `skipped`: bytes of a member's values before the tile in an array's row, `bytes`: those in the tile, a multiple of 16.
__device__ __forceinline__ void gather_values(unsigned char* shared, fields_plan const& plan, index_t plane, index_t row, index_t skipped,
                                              int bytes) {
  constexpr int batch = 4;
  int const per_value = plan.arrays[0].width / 4, per_member = bytes / 16, n = plan.count * per_member;
  for (int first = int(threadIdx.x); first < n; first += threads * batch) {
    uint4 v[batch];
    int word[batch], offset[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      int const k = min(first + b * threads, n - 1), m = int(unsigned(k) / unsigned(per_member)), vector = k - m * per_member;
      auto const& a = plan.arrays[m];
      v[b] = reinterpret_cast<uint4 const*>(static_cast<char*>(a.data) + plane * a.stride[0] + row * a.stride[1] + skipped)[vector];
      word[b] = vector * 4;
      offset[b] = a.offset;
    }
#pragma unroll
    for (int b = 0; b < batch; ++b) {
      if (first + b * threads >= n) break;
      unsigned const part[4] = {v[b].x, v[b].y, v[b].z, v[b].w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int const w = word[b] + i, record = per_value == 1 ? w : int(unsigned(w) / unsigned(per_value));
        shared_unit<unsigned>(shared, record * plan.record_bytes + offset[b] + (w - record * per_value) * 4) = part[i];
      }
    }
  }
}

/// `wide`: records, `wide_values`: the values of all members can be moved 16 bytes at a time.
template <class Unit, bool Split>
__global__ void __launch_bounds__(threads)
    move_fields(__grid_constant__ fields_plan const plan, int const tile, index_t const tiles, bool const wide, bool const wide_values) {
  extern __shared__ __align__(16) unsigned char shared[];
  index_t const line = blockIdx.x / tiles, first = (blockIdx.x - line * tiles) * tile;
  index_t const plane = line / plan.extent[1], row = line - plane * plan.extent[1];
  int const records = int(min(index_t(tile), plan.extent[2] - first)), bytes = records * plan.record_bytes;
  char* const from = static_cast<char*>(plan.records) + plane * plan.stride[0] + row * plan.stride[1] + first * plan.record_bytes;
  if (Split || plan.covered < plan.record_bytes) {
    move_tile<Unit, true>(shared, from, bytes, wide);
    __syncthreads();
  }
  int const width = plan.arrays[0].width;
  if (!Split && sizeof(Unit) == 4 && wide_values && records * width % 16 == 0) {
    gather_values(shared, plan, plane, row, first * width, records * width);
  } else {
    for (int k = 0; k < plan.count; ++k) {
      auto const& a = plan.arrays[k];
      char* const values = static_cast<char*>(a.data) + plane * a.stride[0] + row * a.stride[1] + first * a.width;
      move_values<Unit, Split>(shared, values, records, plan.record_bytes, a.offset, a.width);
    }
  }
  if constexpr (!Split) {
    __syncthreads();
    move_tile<Unit, false>(shared, from, bytes, wide);
  }
}

/// For large records: each thread moves units of one member, of which lines hold few anyway.
template <class Unit, bool Split>
__global__ void __launch_bounds__(threads) move_large(__grid_constant__ fields_plan const plan, index_t const tiles) {
  index_t const line = blockIdx.x / tiles, first = (blockIdx.x - line * tiles) * threads;
  index_t const plane = line / plan.extent[1], row = line - plane * plan.extent[1];
  int const records = int(min(index_t(threads), plan.extent[2] - first));
  char* const from = static_cast<char*>(plan.records) + plane * plan.stride[0] + row * plan.stride[1] + first * plan.record_bytes;
  for (int k = 0; k < plan.count; ++k) {
    auto const& a = plan.arrays[k];
    auto* const values = reinterpret_cast<Unit*>(static_cast<char*>(a.data) + plane * a.stride[0] + row * a.stride[1] + first * a.width);
    int const per_value = a.width / int(sizeof(Unit));
    for (int i = int(threadIdx.x); i < records * per_value; i += threads) {
      Unit& member = *(reinterpret_cast<Unit*>(from + index_t(i / per_value) * plan.record_bytes + a.offset) + i % per_value);
      if constexpr (Split)
        values[i] = member;
      else
        member = values[i];
    }
  }
}

/// All that is not a multiple of a unit rules it out.
std::uintptr_t all_bits(fields_plan const& plan) {
  std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(plan.records) | std::uintptr_t(plan.record_bytes) |
                        std::uintptr_t(plan.stride[0]) | std::uintptr_t(plan.stride[1]);
  for (int k = 0; k < plan.count; ++k) {
    auto const& a = plan.arrays[k];
    bits |= reinterpret_cast<std::uintptr_t>(a.data) | std::uintptr_t(a.stride[0]) | std::uintptr_t(a.stride[1]) |
            std::uintptr_t(a.offset) | std::uintptr_t(a.width);
  }
  return bits;
}

template <bool Split, class Unit>
void launch_units(stream const& s, char const* name, fields_plan const& plan, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  bool const large = plan.record_bytes > most_record_bytes;
  // Multiples of 32 records, so that tiles of aligned rows are aligned to 16 bytes.
  int const tile = large ? threads : max(32, min(1024, tile_bytes / plan.record_bytes / 32 * 32));
  index_t const tiles = ceil_div(plan.extent[2], index_t(tile)), blocks = plan.extent[0] * plan.extent[1] * tiles;
  dolmen::detail::require<launch_error>(blocks <= 0x7fffffff, where, name, ": ", plan.extent[0] * plan.extent[1], " rows need ", blocks,
                                        " blocks, more than a grid has");
  if (large) return impl::launch_native(s, name, unsigned(blocks), threads, 0, where, move_large<Unit, Split>, plan, tiles);
  bool const wide =
      (reinterpret_cast<std::uintptr_t>(plan.records) | std::uintptr_t(plan.stride[0]) | std::uintptr_t(plan.stride[1])) % 16 == 0;
  bool wide_values = true;
  for (int k = 0; k < plan.count; ++k) {
    auto const& a = plan.arrays[k];
    auto const bits = reinterpret_cast<std::uintptr_t>(a.data) | std::uintptr_t(a.stride[0]) | std::uintptr_t(a.stride[1]);
    wide_values = wide_values && bits % 16 == 0 && a.width == plan.arrays[0].width;
  }
  impl::launch_native(s, name, unsigned(blocks), threads, std::size_t(padded_bytes(tile * plan.record_bytes)), where,
                      move_fields<Unit, Split>, plan, tile, tiles, wide, wide_values);
}

template <bool Split>
void launch_fields(stream const& s, char const* name, fields_plan const& plan, source_location where) {
  auto const bits = all_bits(plan);
  if (bits % 4 == 0) return launch_units<Split, std::uint32_t>(s, name, plan, where);
  if (bits % 2 == 0) return launch_units<Split, std::uint16_t>(s, name, plan, where);
  launch_units<Split, std::uint8_t>(s, name, plan, where);
}

}  // namespace

void launch_split_fields(stream const& s, fields_plan const& plan, source_location where) {
  launch_fields<true>(s, "split_fields", plan, where);
}

void launch_join_fields(stream const& s, fields_plan const& plan, source_location where) {
  launch_fields<false>(s, "join_fields", plan, where);
}

}  // namespace dolmen::cuda
