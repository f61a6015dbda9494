#include "histogram.hpp"

#include "lookback.cuh"
#include "ordered_bits.cuh"
#include "vectors.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::find_bin;
using dolmen::detail::histogram_plan;
using dolmen::detail::integer_bins;
using impl::vector_of;

/// Counters of a block in shared memory: a few times as many as there are bins, so that lanes of a warp seldom add to
/// the same one. With 256 bins or fewer every lane has a bank of its own.
constexpr int threads = 256, vectors = 4, shared_counters = 8192;

/// Apart from the code that is repeated for each of a thread's keys. `how` lies among a kernel's parameters: a copy of it would be in
/// local memory, and be read for every key.
__device__ __noinline__ std::uint64_t divided(integer_bins const& how, std::uint64_t d) { return how.divided(d); }

// Kernels know integers as unsigned ones. Those with a sign are moved up by half their range: `sign` is their sign bit, flipped in
// each key, and bounds are moved likewise.

/// Integers of 32 bits and less whose distances from the first bin's begin fit 32 bits. Shift: bins are a power of two wide.
template <bool Shift>
struct narrow_bins {
  std::uint32_t first, span, offset;  // the keys that count; from `low` to the first of them
  std::uint32_t sign;
  int shift;
  integer_bins general;

  template <class T, class Bin>
  __device__ __forceinline__ bool find(T key, Bin& bin) const {
    std::uint32_t const u = (static_cast<std::uint32_t>(key) ^ sign) - first, d = u + offset;
    if (u > span) return false;
    bin = Shift ? Bin(d >> shift) : Bin(divided(general, d));
    return true;
  }
};

template <class Bins>
struct any_bins {
  Bins how;
  std::uint64_t sign = 0;
  template <class T, class Bin>
  __device__ __forceinline__ bool find(T key, Bin& bin) const {
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t const d = (static_cast<std::uint64_t>(key) ^ sign) - how.low;
      if (d > how.last) return false;
      bin = Bin(how.shift >= 0 ? d >> how.shift : divided(how, d));
      return true;
    } else {
      std::uint64_t b = 0;
      bool const counted = find_bin(how, key, b);
      bin = Bin(b);
      return counted;
    }
  }
};

/// The counts that a histogram results in, of 32 or 64 bits: known when it runs, since few are written.
struct counts {
  void* bins;
  bool wide;
  __device__ __forceinline__ void set(index_t i, std::uint32_t n) const {
    if (wide)
      static_cast<std::uint64_t*>(bins)[i] = n;
    else
      static_cast<std::uint32_t*>(bins)[i] = n;
  }
  __device__ __forceinline__ void add(index_t i, std::uint32_t n) const {
    if (wide)
      atomicAdd(static_cast<unsigned long long*>(bins) + i, static_cast<unsigned long long>(n));
    else
      atomicAdd(static_cast<std::uint32_t*>(bins) + i, n);
  }
};
/// Counters of a block, in shared memory.
struct counters {
  std::uint32_t* bins;
  __device__ __forceinline__ void add(index_t i, std::uint32_t n) const { atomicAdd(bins + i, n); }
};

/// Whether all elements of a vector have the same bits.
template <class T, int N>
__device__ __forceinline__ bool all_alike(vector_of<T, N> const& v) {
  static_assert(sizeof(v) == 16);
  auto const w = __builtin_bit_cast(uint4, v);
  if constexpr (sizeof(T) == 8) {
    return w.x == w.z && w.y == w.w;
  } else {
    constexpr unsigned bits = 8 * sizeof(T);
    return w.x == w.y && w.z == w.w && w.x == w.z && (bits == 32 || w.x == __funnelshift_l(w.x, w.x, bits));
  }
}

/// Gives every key of a block's pieces to body(key, 1); a vector of keys that are all the same at once, to body(key, their number),
/// so that such input is not slow.
template <class T, class Body>
__device__ __forceinline__ void each_key(dolmen::detail::strided<T const> const& in, Body body) {
  constexpr int N = int(16 / sizeof(T)), piece = threads * vectors * N;
  index_t const columns = in.extent[2], in_row = (columns + piece - 1) / piece, pieces = in.extent[0] * in.extent[1] * in_row;
  for (index_t p = blockIdx.x; p < pieces; p += gridDim.x) {
    index_t const row = in_row == pieces ? 0 : p / in_row, begin = (p - row * in_row) * piece;
    int const count = int(min(columns - begin, index_t(piece)));
    T const* const from = in.data + row / in.extent[1] * in.stride[0] + row % in.extent[1] * in.stride[1] + begin;
    if (count < piece) {
      for (int i = int(threadIdx.x); i < count; i += threads) body(from[i], 1u);
      continue;
    }
    vector_of<T, N> v[vectors];
#pragma unroll
    for (int r = 0; r < vectors; ++r) load_vector(from + (r * threads + int(threadIdx.x)) * N, v[r], N);
#pragma unroll
    for (int r = 0; r < vectors; ++r) {
      if (all_alike(v[r])) {
        body(v[r].value[0], unsigned(N));
        continue;
      }
#pragma unroll
      for (int e = 0; e < N; ++e) body(v[r].value[e], 1u);
    }
  }
}

/// Neighbours in one bin are counted in a register before they are added: keys that are all the same cost one addition.
template <class Counts>
struct run_of {
  Counts to;
  index_t place = 0;
  unsigned length = 0;
  __device__ __forceinline__ void count(index_t p, unsigned n) {
    if (p != place) {
      flush();
      place = p;
    }
    length += n;
  }
  __device__ __forceinline__ void flush() {
    if (length > 0) to.add(place, length);
    length = 0;
  }
};

/// `alone`: the only block, which writes the counts; otherwise they are 0 before, and blocks add to them.
template <class T, class Finder>
__global__ void __launch_bounds__(threads) count_shared(dolmen::detail::strided<T const> const in, counts const to, int bins,
                                                        int log_copies, bool alone, __grid_constant__ Finder const finder) {
  __shared__ std::uint32_t counter[shared_counters];
  int const used = bins << log_copies;
  for (int i = int(threadIdx.x); i < used; i += threads) counter[i] = 0;
  __syncthreads();
  std::uint32_t* const mine = counter + (threadIdx.x & ((1u << log_copies) - 1));
  run_of<counters> run{{mine}};
  each_key(in, [&](T key, unsigned n) {
    unsigned bin = 0;
    if (!finder.find(key, bin)) return;
    if (n > 1)
      run.count(index_t(bin) << log_copies, n);
    else
      atomicAdd(mine + (bin << log_copies), 1u);
  });
  run.flush();
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < bins; bin += threads) {
    std::uint32_t sum = 0;
    for (int k = 0; k < 1 << log_copies; ++k) sum += counter[(bin << log_copies) + ((k + int(threadIdx.x)) & ((1 << log_copies) - 1))];
    if (alone)
      to.set(bin, sum);
    else if (sum > 0)
      to.add(bin, sum);
  }
}

/// Keys of 8 bits are counted by their value, whatever the bins; at the end a thread finds the bin of one value.
template <class T, class Finder>
__global__ void __launch_bounds__(threads) count_bytes(dolmen::detail::strided<T const> const in, counts const to, index_t bins, bool alone,
                                                       __grid_constant__ Finder const finder) {
  static_assert(sizeof(T) == 1 && threads == 256 && shared_counters == 256 * 32);
  __shared__ std::uint32_t counter[shared_counters];  // every lane has a bank of its own
  for (int i = int(threadIdx.x); i < shared_counters; i += threads) counter[i] = 0;
  if (alone)
    for (index_t i = threadIdx.x; i < bins; i += threads) to.set(i, 0);
  __syncthreads();
  std::uint32_t* const mine = counter + threadIdx.x % 32;
  each_key(in, [&](T key, unsigned n) { atomicAdd(mine + static_cast<std::uint8_t>(key) * 32, n); });
  __syncthreads();
  std::uint32_t sum = 0;
  for (unsigned k = 0; k < 32; ++k) sum += counter[threadIdx.x * 32 + (k + threadIdx.x) % 32];
  index_t bin = 0;
  if (sum > 0 && finder.find(static_cast<T>(threadIdx.x), bin)) to.add(bin, sum);
}

/// More bins than a block can hold.
template <class T, class Finder>
__global__ void __launch_bounds__(threads)
    count_global(dolmen::detail::strided<T const> const in, counts const to, __grid_constant__ Finder const finder) {
  run_of<counts> run{to};
  each_key(in, [&](T key, unsigned n) {
    index_t bin = 0;
    if (finder.find(key, bin)) run.count(bin, n);
  });
  run.flush();
}

/// What is counted, where `bins` counts go, and how many.
template <class T>
struct work {
  dolmen::detail::strided<T const> in;
  counts to;
  index_t bins;
};

void clear(stream const& s, counts const& to, index_t bins, source_location where) {
  impl::check(cudaMemsetAsync(to.bins, 0, std::size_t(bins) * (to.wide ? 8 : 4), s.native()), "histogram", where);
}

template <class T, class Finder>
void count(stream const& s, work<T> const& w, Finder const& finder, source_location where) {
  constexpr index_t piece = threads * vectors * index_t(16 / sizeof(T)), most_alone = 4;
  static impl::kept<int> known[64];
  constexpr bool by_value = sizeof(T) == 1;
  auto const& in = w.in;
  index_t const pieces = in.extent[0] * in.extent[1] * ceil_div(in.extent[2], piece);
  bool const shared = by_value || w.bins <= shared_counters, alone = shared && pieces <= most_alone;
  auto const kernel = [] {
    if constexpr (by_value)
      return count_bytes<T, Finder>;
    else
      return count_shared<T, Finder>;
  }();
  unsigned const blocks =
      alone ? 1u : impl::persistent_grid(s.device_index(), reinterpret_cast<void const*>(kernel), threads, pieces, known, where);
  if (!alone) clear(s, w.to, w.bins, where);
  if constexpr (by_value) {
    impl::launch_native(s, "histogram", blocks, threads, 0, where, kernel, in, w.to, w.bins, alone, finder);
  } else if (shared) {
    int log_copies = 5;
    while ((w.bins << log_copies) > shared_counters) --log_copies;
    impl::launch_native(s, "histogram", blocks, threads, 0, where, kernel, in, w.to, int(w.bins), log_copies, alone, finder);
  } else {
    impl::launch_native(s, "histogram", blocks, threads, 0, where, count_global<T, Finder>, in, w.to, finder);
  }
}

template <class Word>
void count_integers(stream const& s, work<Word> const& w, bool has_sign, integer_bins how, source_location where) {
  constexpr bool narrow = sizeof(Word) <= 4;
  std::uint64_t const sign = has_sign && sizeof(Word) < 8 ? std::uint64_t(impl::sign_bit<Word>) : 0;
  if constexpr (narrow) {
    if (how.last >> 32 == 0) {
      // The keys of the type that lie in the range, moved up if they have a sign: as 128 bits would have it.
      using wide = __int128;
      wide const low = (has_sign ? wide(std::int64_t(how.low)) : wide(how.low)) + wide(sign), last = low + how.last;
      wide const first_key = max(low, wide(0)), last_key = min(last, wide(std::numeric_limits<Word>::max()));
      if (first_key > last_key) return clear(s, w.to, w.bins, where);
      auto const bins_by = [&](auto shift) {
        return narrow_bins<decltype(shift)::value>{std::uint32_t(first_key),
                                                   std::uint32_t(last_key - first_key),
                                                   std::uint32_t(first_key - low),
                                                   std::uint32_t(sign),
                                                   how.shift,
                                                   how};
      };
      if (how.shift >= 0) return count(s, w, bins_by(std::true_type()), where);
      return count(s, w, bins_by(std::false_type()), where);
    }
  }
  how.low += sign;
  count(s, w, any_bins<integer_bins>{how, sign}, where);
}

}  // namespace

template <class T, class Count>
void launch_histogram(stream const& s, histogram_plan<T, Count> const& plan, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  counts const to{plan.counts, sizeof(Count) == 8};
  if constexpr (std::is_integral_v<T>) {
    using word = std::make_unsigned_t<T>;
    auto const& in = plan.in;
    work<word> const w{
        {reinterpret_cast<word const*>(in.data), {in.extent[0], in.extent[1], in.extent[2]}, {in.stride[0], in.stride[1]}}, to, plan.bins};
    count_integers(s, w, std::is_signed_v<T>, plan.how, where);
  } else {
    count(s, work<T>{plan.in, to, plan.bins}, any_bins<std::remove_cvref_t<decltype(plan.how)>>{plan.how}, where);
  }
}

#define DOLMEN_HISTOGRAM(T, Count) \
  template DOLMEN_API void launch_histogram(stream const&, histogram_plan<T, Count> const&, source_location);
#define DOLMEN_HISTOGRAMS(T) DOLMEN_EACH_HISTOGRAM_OF(DOLMEN_HISTOGRAM, T)
DOLMEN_EACH_NUMBER(DOLMEN_HISTOGRAMS)

}  // namespace dolmen::cuda
