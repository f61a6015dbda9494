// Wide rows of whole vectors, for compute capability 9.0: clusters of blocks take row after row. Every warp has its own piece of each,
// which bulk copies bring into its own ring in shared memory, some rows ahead. Warps meet once per row, in an exchange of what their
// pieces are known by; with it comes the number of the next row to be fetched, so that clusters which are faster take more of them.
#pragma once

#include "cluster.cuh"
#include "row_vectors.cuh"
#include "tickets.hpp"

namespace dolmen::cuda {
namespace {

/// Threads of a block, vectors of a thread, rows on their way to a warp, blocks of a multiprocessor, and where threads keep what
/// belongs to their columns.
template <int Threads, int Vectors, int Stages, int Resident, kept_in Weights = kept_in::registers>
struct ring_shape {
  static constexpr int threads = Threads, vectors = Vectors, stages = Stages, resident = Resident;
  static constexpr kept_in weights = Weights;
  static constexpr int warps = Threads / 32, most_blocks = 8, piece = 32 * Vectors * 16, slice = piece * warps;
  static constexpr int data = slice * (stages + (weights == kept_in::shared ? 2 : 0));
};

template <class Shape, class Part>
struct ring_control {
  static constexpr int most_parts = Shape::most_blocks * Shape::warps;
  static_assert(most_parts % 32 == 0);
  impl::arrival_barrier full[Shape::warps][Shape::stages], met[2];  // met, parts and next: of every other row
  Part parts[2][most_parts];
  int next[2], row_of[Shape::warps][Shape::stages];
};

/// `counted`: rows dealt out, and clusters that have ended.
template <class T, class Work, class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::resident)
    rows_by_ring(row_plan<T> const p, __grid_constant__ Work const work, unsigned* const counted) {
#if DOLMEN_HAS_CLUSTERS
  constexpr int V = Shape::vectors, stages = Shape::stages, piece = Shape::piece / int(sizeof(T));
  using row_part = typename Work::part;
  using ring_memory = ring_control<Shape, row_part>;
  constexpr int per_lane = ring_memory::most_parts / 32;
  extern __shared__ __align__(128) unsigned char row_ring_memory[];
  auto& control = *reinterpret_cast<ring_memory*>(row_ring_memory + Shape::data);
  int const warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32, blocks = impl::cluster_blocks(), rank = impl::cluster_rank();
  int const parts = blocks * Shape::warps, part = rank * Shape::warps + warp;
  int const width = int(p.width);
  auto const elements_of = [&](int of) { return min(max(width - of * piece, 0), piece); };
  int const elements = elements_of(part), bytes = elements * int(sizeof(T));
  int const clusters = int(gridDim.x) / blocks, first = int(blockIdx.x) / blocks, count = int(p.count()), column = part * piece;
  bool const deals = part == 0;
  unsigned char* const ring = row_ring_memory + warp * (Shape::piece * stages);
  auto& full = control.full[warp];
  auto& row_of = control.row_of[warp];
  auto const fetch = [&](int stage, int row) {
    row_of[stage] = row;
    if (bytes == 0 || row >= count) return;
    full[stage].arrive_expecting(bytes);
    impl::bulk_load(ring + stage * Shape::piece, p.in_at(row) + column, bytes, full[stage]);
  };
  if (lane == 0) {
    for (auto& b : full) b.init(1);
    if (warp == 0)
      for (auto& b : control.met) b.init(1);
    impl::arrival_barrier::init_done();
    for (int k = 0; k < stages; ++k) fetch(k, first + k * clusters);
  }
  // The first rows are everyone's own, so that the answer to each question for another has a whole row's time.
  int const first_dealt = (stages + 1) * clusters;
  int coming = first + stages * clusters;
  unsigned dealt = 0;
  if (deals && lane == 0) dealt = atomicAdd(counted, 1u);
  __syncwarp();
  impl::cluster_barrier();

  using registers = row_registers<T, V, false>;
  registers v;
#pragma unroll
  for (int i = 0; i < V; ++i) v.there[i] = (i * 32 + lane) * per_vector<T> < elements;
  auto* const own_words = reinterpret_cast<uint4*>(row_ring_memory + Shape::slice * stages) + threadIdx.x;
  typename Work::template weights<V, Shape::weights> const weights(work, column / per_vector<T> + lane, 32, v.there, own_words,
                                                                   Shape::threads);
  int stage = 0, parity = 0, turn = 0, turn_parity = 0;
  for (int row; (row = row_of[stage]) < count;) {
    if (bytes != 0) full[stage].wait(parity);
    auto const* const from = reinterpret_cast<uint4 const*>(ring + stage * Shape::piece) + lane;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      uint4 word = vector_of<T>(Work::padding());
      if (v.there[i]) word = from[i * 32];
      v.read(i, word);
    }

    row_part const own = work.template measure<32>(v, float(elements));
    auto& met = control.met[turn];
    auto& shared = control.parts[turn];
    if (threadIdx.x == 0) met.arrive_expecting(parts * int(sizeof(row_part)) + int(sizeof(int)));
    if (lane < blocks) impl::send(shared[part], own, met, lane);
    if (deals) {
      int const next = first_dealt + int(__shfl_sync(0xffffffffu, dealt, 0));
      if (lane < blocks) impl::send(control.next[turn], next, met, lane);
      if (lane == 0) dealt = atomicAdd(counted, 1u);
    }
    // Only now: the part's measure depends on all that was read, so that no read is still on its way when a copy fills its place.
    __syncwarp();
    if (lane == 0) fetch(stage, coming);
    if (++stage == stages) stage = 0, parity ^= 1;
    met.wait(turn_parity);
    row_part all[per_lane];
    float each[per_lane];
#pragma unroll
    for (int i = 0; i < per_lane; ++i) {
      all[i] = Work::nothing();
      if (i * 32 + lane < parts) all[i] = shared[i * 32 + lane];
      each[i] = float(elements_of(i * 32 + lane));
    }
    coming = control.next[turn];
    turn_parity ^= turn;
    turn ^= 1;

    auto const state = work.template finish<registers>(work.template merge<32>(all, each, float(width)), own, float(width));
    auto* const to = reinterpret_cast<uint4*>(p.out_at(row) + column) + lane;
    uint4 words[V];
#pragma unroll
    for (int i = 0; i < V; ++i) {
      float x[per_vector<T>];
      v.get(i, x);
      work.template apply<registers>(x, state, weights, i);
      words[i] = narrowed<T>(x);
    }
#pragma unroll
    for (int i = 0; i < V; ++i)
      if (v.there[i]) impl::store_word(to + i * 32, words[i]);
    __syncwarp();  // row_of
  }
  // The last cluster leaves zeros: no other asks any more.
  if (threadIdx.x == 0 && rank == 0) {
    __threadfence();
    if (atomicAdd(counted + 1, 1u) == unsigned(clusters) - 1) counted[0] = counted[1] = 0;
  }
  __syncwarp();
  impl::cluster_barrier();
#endif
}

/// Clusters that the device holds at once; 0 if none.
template <class T, class Work, class Shape>
int resident_clusters(stream const& s, int blocks, std::size_t memory, source_location where) {
  static impl::kept<int> known[64][Shape::most_blocks];  // and one
  auto& clusters = known[s.device_index()][blocks - 1];
  if (int const n = clusters.load(); n != 0) return n - 1;
  auto const kernel = rows_by_ring<T, Work, Shape>;
  int n = 0, processors = 0;
  impl::check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, s.device_index()), "cudaDeviceGetAttribute", where);
  auto config = impl::configuration(s, dim3(unsigned(blocks * processors)), dim3(Shape::threads), memory);
  auto together = impl::cluster_of(blocks);
  config.attrs = &together;
  config.numAttrs = 1;
  bool const fits = impl::has_clusters<this_file>(s, where) &&
                    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(memory)) == cudaSuccess &&
                    cudaOccupancyMaxActiveClusters(&n, kernel, &config) == cudaSuccess;
  if (!fits) {
    cudaGetLastError();
    n = 0;
  }
  clusters.store(n + 1);
  return n;
}

/// False where the device cannot do it.
template <class T, class Work, class Shape>
bool launch_ring(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where) {
  index_t const slices = ceil_div(p.width * index_t(sizeof(T)), index_t(Shape::slice));
  if (slices > Shape::most_blocks || p.count() > 0x3fffffff) return false;
  constexpr std::size_t memory = Shape::data + sizeof(ring_control<Shape, typename Work::part>);
  int const blocks = int(slices);
  int const resident = resident_clusters<T, Work, Shape>(s, blocks, memory, where);
  if (resident == 0) return false;
  auto config = impl::configuration(s, dim3(unsigned(min(p.count(), index_t(resident)) * blocks)), dim3(Shape::threads), memory);
  auto together = impl::cluster_of(blocks);
  config.attrs = &together;
  config.numAttrs = 1;
  impl::tickets const counted(s, 2, where);
  impl::launch_configured(s, name, config, where, rows_by_ring<T, Work, Shape>, p, work, counted.words());
  return true;
}

}  // namespace
}  // namespace dolmen::cuda
