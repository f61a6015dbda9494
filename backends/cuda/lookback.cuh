// Decoupled look-back: what all tiles before a tile come to, in a kernel that reads its input once (Merrill and Garland,
// Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA 2016).
//
// Here values are joined in an order that does not depend on timing, so that floating-point results are the same bits from run
// to run. The tiles of a line form groups of 32. Within a group, a tile takes the values of the group's tiles before it and
// joins them by a scan of its warp, whose shape is fixed. The last tile of a group hands on the group's value. The first tile of
// a group finds what all groups before come to, always (value of all groups before) op (value of the group), whichever of them
// are ready, and hands it on to the others of its group.
#pragma once

#include "../../core/buffer.hpp"
#include "lanes.cuh"
#include "launch.cuh"
#include "memory.hpp"

namespace dolmen::cuda::impl {

/// A value for other blocks: 64-bit words of which each carries four of its bytes, and a bit that says that they are there. Each
/// word is written at once and holds all that it promises, so nothing else has to be ordered. Memory is zero before.
template <class T>
struct mailbox {
  static constexpr int words = int((sizeof(T) + 3) / 4);
  using word = unsigned long long;

  static __device__ __forceinline__ void put(word* to, T const& value) {
    unsigned part[words] = {};
    memcpy(part, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < words; ++k) asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(to + k), "l"(word(1) << 32 | part[k]) : "memory");
  }
  /// False if the value is not there yet.
  static __device__ __forceinline__ bool get(word const* from, T& value) {
    unsigned part[words];
    bool there = true;
#pragma unroll
    for (int k = 0; k < words; ++k) {
      word w;
      asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(w) : "l"(from + k) : "memory");
      there = there && w >> 32 != 0;
      part[k] = unsigned(w);
    }
    if (there) memcpy(&value, part, sizeof(T));
    return there;
  }
};

/// What the blocks of one launch tell each other: a counter that gives out tiles in order, and the values of tiles, of groups,
/// and of all groups before a group, per line.
struct tile_words {
  using word = unsigned long long;
  word* words = nullptr;                     // null: every line is one tile
  index_t lines = 1, tiles = 1, groups = 1;  // tiles and groups of a line

  static constexpr int group = 32;
  tile_words() = default;
  tile_words(index_t lines_, index_t tiles_) : lines(lines_), tiles(tiles_), groups(ceil_div(tiles_, index_t(group))) {}
  index_t size(int width) const { return 1 + lines * (tiles + 2 * groups) * width; }

  __device__ __forceinline__ word* of_tile(index_t line, index_t tile, int width) const {
    return words + 1 + (line * tiles + tile) * width;
  }
  __device__ __forceinline__ word* of_group(index_t line, index_t g, int width) const {
    return words + 1 + (lines * tiles + line * groups + g) * width;
  }
  __device__ __forceinline__ word* before_group(index_t line, index_t g, int width) const {
    return words + 1 + (lines * (tiles + groups) + line * groups + g) * width;
  }
  /// The next tile of all, in order: a block that holds one may wait for those before it, as blocks that hold them run.
  __device__ __forceinline__ index_t ticket() const { return index_t(atomicAdd(words, 1ull)); }
};

/// For one warp: tells the tiles that come after what this one comes to.
template <class T>
__device__ __forceinline__ void tell_tile(tile_words const& all, index_t line, index_t tile, T const& mine) {
  constexpr int width = mailbox<T>::words, group = tile_words::group;
  if (lane() == 0 && tile % group != group - 1 && tile != all.tiles - 1) mailbox<T>::put(all.of_tile(line, tile, width), mine);
}

/// For all lanes of one warp, after tell_tile: finds what all tiles before this one in its line come to, after `before` if
/// `has_before` is set. False if there is nothing before.
template <class T, class Op>
__device__ __forceinline__ bool look_back(tile_words const& all, index_t line, index_t tile, T const& mine, bool has_before, T& before,
                                          Op op) {
  constexpr int width = mailbox<T>::words, group = tile_words::group;
  using box = mailbox<T>;
  int const me = lane(), place = int(tile % group);
  index_t const g = tile / group, last_tile = all.tiles - 1;
  if (last_tile == 0) return has_before;

  T in_group = mine;
  if (place > 0) {
    bool const member = me < place;
    T value{};
    if (member)
      while (!box::get(all.of_tile(line, g * group + me, width), value)) __nanosleep(20);
    __syncwarp();
#pragma unroll
    for (int d = 1; d < group; d *= 2) {
      T const other = from_up(value, d, warp_size);
      if (member && unrelated(me) >= d) value = combine(op, other, value);
    }
    in_group = from_lane(value, place - 1, warp_size);
    if (place == group - 1 && tile != last_tile && me == 0) box::put(all.of_group(line, g, width), T(combine(op, in_group, mine)));
  }
  if (g > 0) {
    // The first tile of a group asks what all groups before come to, and tells the others: many that ask for the same words at
    // once keep each other waiting.
    T outside{};
    if (place > 0) {
      while (!box::get(all.before_group(line, g, width), outside)) __nanosleep(20);
    } else {
      index_t const earlier = g - 1 - me;  // is asked for by this lane: before it, and its own
      T so_far{}, of_group{};
      bool has_so_far = earlier == 0, has_group = false;
      for (;;) {
        if (earlier >= 0 && !has_group) has_group = box::get(all.of_group(line, earlier, width), of_group);
        if (earlier > 0 && !has_so_far) has_so_far = box::get(all.before_group(line, earlier, width), so_far);
        unsigned const known = __ballot_sync(~0u, has_so_far && has_group), filled = __ballot_sync(~0u, has_group);
        int const nearest = __ffs(int(known)) - 1;
        if (known == 0 || (~filled & ((1u << nearest) - 1)) != 0) continue;
        if (earlier > 0 && me == nearest) of_group = combine(op, so_far, of_group);
        outside = from_lane(of_group, nearest, warp_size);
        for (int i = nearest - 1; i >= 0; --i) outside = combine(op, outside, from_lane(of_group, i, warp_size));
        break;
      }
      if (me == 0 && tile != last_tile) box::put(all.before_group(line, g, width), outside);
    }
    before = has_before ? T(combine(op, before, outside)) : outside;
    has_before = true;
  }
  if (place > 0) {
    before = has_before ? T(combine(op, before, in_group)) : in_group;
    has_before = true;
  }
  return has_before;
}

/// Memory for tile_words, zero, for kernels launched while this lives.
class tile_memory {
 public:
  tile_memory(stream const& s, tile_words& words, int width, source_location where) : memory_(s, words.size(width), memory::pooled, where) {
    words.words = memory_.data();
    check(cudaMemsetAsync(words.words, 0, std::size_t(memory_.size()) * sizeof(tile_words::word), s.native()), "look-back", where);
  }

 private:
  buffer<tile_words::word, backend> memory_;
};

/// Blocks of a persistent grid: as many as run at once, and not more than there is work for. `known` keeps what was asked of
/// CUDA; it belongs to one kernel. `shared`: bytes of dynamic shared memory.
inline unsigned persistent_grid(int device, void const* kernel, int threads, index_t work, kept<int> (&known)[64], source_location where,
                                int shared = 0) {
  int blocks = known[device].load();
  if (blocks == 0) {
    int resident = 0, processors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, std::size_t(shared)), "cudaOccupancy", where);
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute", where);
    blocks = max(1, resident) * processors;
    known[device].store(blocks);
  }
  return unsigned(min(index_t(blocks), max(work, index_t(1))));
}

}  // namespace dolmen::cuda::impl
