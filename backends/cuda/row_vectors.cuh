// Rows of whole vectors of 16 bytes, computed in float: one read, one write, no element by itself. Every warp measures its part of a
// row; the parts meet once.
#pragma once

#include "../../algorithms/rows.hpp"
#include "launch.cuh"
#include "words.cuh"

namespace dolmen::cuda {
namespace {

using dolmen::detail::row_plan;

template <class T>
inline constexpr int per_vector = 16 / int(sizeof(T));

template <class T>
__device__ __forceinline__ void widen(uint4 const& word, float (&x)[per_vector<T>]) {
  auto const e = __builtin_bit_cast(impl::elements<T, per_vector<T>>, word);
#pragma unroll
  for (int j = 0; j < per_vector<T>; ++j) x[j] = float(e.values[j]);
}

/// The compiler is not to keep what it converted before.
template <class T>
__device__ __forceinline__ void widen_anew(uint4 word, float (&x)[per_vector<T>]) {
  if constexpr (half_type<T>) asm volatile("" : "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w));
  widen<T>(word, x);
}

/// Two elements by one instruction where there is one; the bits are those of two conversions.
template <class T>
__device__ __forceinline__ std::uint32_t narrowed(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t pair;
  if constexpr (std::is_same_v<T, half>)
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
#else
  return T(low).bits() | std::uint32_t(T(high).bits()) << 16;
#endif
}
template <class T>
__device__ __forceinline__ uint4 narrowed(float const (&x)[per_vector<T>]) {
  if constexpr (half_type<T>)
    return make_uint4(narrowed<T>(x[0], x[1]), narrowed<T>(x[2], x[3]), narrowed<T>(x[4], x[5]), narrowed<T>(x[6], x[7]));
  else
    return make_uint4(__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]), __float_as_uint(x[3]));
}
template <class T>
__device__ __forceinline__ uint4 vector_of(float value) {
  float x[per_vector<T>];
#pragma unroll
  for (float& v : x) v = value;
  return narrowed<T>(x);
}

/// Of two pairs of elements; a number rather than NaN.
template <class T>
__device__ __forceinline__ std::uint32_t larger_pair(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  std::uint32_t pair;
  if constexpr (std::is_same_v<T, half>)
    asm("max.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
  else
    asm("max.bf16x2 %0, %1, %2;" : "=r"(pair) : "r"(a), "r"(b));
  return pair;
#else
  auto const larger = [](unsigned x, unsigned y) {
    return T(fmaxf(float(T::from_bits(std::uint16_t(x))), float(T::from_bits(std::uint16_t(y))))).bits();
  };
  return larger(a, b) | std::uint32_t(larger(a >> 16, b >> 16)) << 16;
#endif
}

/// Over neighbouring lanes, a power of two; all of them have the same bits.
template <int Lanes>
__device__ __forceinline__ float sum_over(float x) {
#pragma unroll
  for (int k = Lanes / 2; k > 0; k /= 2) x += __shfl_xor_sync(0xffffffffu, x, k);
  return x;
}
/// A number rather than NaN: where there is a NaN, the sums tell.
template <int Lanes>
__device__ __forceinline__ float most_over(float x) {
#pragma unroll
  for (int k = Lanes / 2; k > 0; k /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, k));
  return x;
}

/// A thread's vectors of a row. Packed: types of two bytes stay as they were read, which takes half the registers and a conversion
/// each time that one is asked for.
template <class T, int Vectors, bool Packed>
class row_registers {
 public:
  static constexpr int size = Vectors;
  static constexpr bool floats = !Packed || std::is_same_v<T, float>;
  bool there[Vectors];

  __device__ __forceinline__ void read(int i, uint4 const& word) {
    if constexpr (floats)
      widen<T>(word, x_[i]);
    else
      word_[i] = word;
  }
  __device__ __forceinline__ void get(int i, float (&x)[per_vector<T>]) {
    if constexpr (floats) {
#pragma unroll
      for (int j = 0; j < per_vector<T>; ++j) x[j] = x_[i][j];
    } else {
      widen_anew<T>(word_[i], x);
    }
  }
  __device__ __forceinline__ void set(int i, float const (&x)[per_vector<T>]) {
    static_assert(floats);
#pragma unroll
    for (int j = 0; j < per_vector<T>; ++j) x_[i][j] = x[j];
  }
  /// A number rather than NaN.
  __device__ __forceinline__ float most() const {
    if constexpr (floats) {
      float most = x_[0][0];
#pragma unroll
      for (int i = 0; i < Vectors; ++i)
#pragma unroll
        for (int j = 0; j < per_vector<T>; ++j) most = fmaxf(most, x_[i][j]);
      return most;
    } else {
      std::uint32_t most = word_[0].x;
#pragma unroll
      for (int i = 0; i < Vectors; ++i)
        most = larger_pair<T>(most, larger_pair<T>(larger_pair<T>(word_[i].x, word_[i].y), larger_pair<T>(word_[i].z, word_[i].w)));
      return fmaxf(float(T::from_bits(std::uint16_t(most))), float(T::from_bits(std::uint16_t(most >> 16))));
    }
  }

 private:
  float x_[floats ? Vectors : 1][per_vector<T>];
  uint4 word_[floats ? 1 : Vectors];
};

/// Where a thread keeps what belongs to its columns (gamma, beta) from row to row, or that it reads them again.
enum class kept_in { memory, registers, shared };

// `Work` has
//   static float padding()                            what vectors are full of that are not there
//   part, static part nothing()                       what a part is known by: 8 or 16 bytes; and one that has no elements
//   weights<Vectors, kept_in>(work, first, step, there, own, apart)  of the columns of vectors first, first + step, ...; in shared
//                                                     memory at own[0], own[apart], ..., which are this thread's alone
//   part measure<Lanes>(registers, elements)          of the elements that these lanes hold; may put something else in their place
//   part merge<Lanes>(parts, elements, width)         a few parts per lane
//   state finish<Registers>(row, part, width)         what elements are computed with, by the measures of the row and this part
//   apply<Registers>(vector, state, weights, i)

/// Threads that have a row, and their block.
template <int Threads>
struct row_threads {
  static constexpr int lanes = Threads < 32 ? Threads : 32, warps = Threads < 32 ? 1 : Threads / 32;
  static constexpr int block = Threads <= 32 ? 128 : Threads, rows = block / Threads;
  static constexpr int resident = 1024 / block;  // so that all have 64 registers
};

/// The elements that a warp's lanes hold, where the vectors of a row are dealt out thread by thread.
template <class T, int Threads>
__device__ __forceinline__ float elements_of(int warp, int vectors) {
  return float((vectors / Threads * 32 + min(max(vectors % Threads - warp * 32, 0), 32)) * per_vector<T>);
}

template <class T, class Work, int Threads, int Vectors>
__global__ void __launch_bounds__(row_threads<Threads>::block, row_threads<Threads>::resident)
    rows_of_vectors(row_plan<T> const p, __grid_constant__ Work const work, index_t first_row) {
  using shape = row_threads<Threads>;
  index_t const row = first_row + index_t(blockIdx.x) * shape::rows + int(threadIdx.x) / Threads;
  bool const exists = row < p.count();  // those of a warp that have no row take part in its reductions
  int const me = int(threadIdx.x) % Threads, vectors = exists ? int(p.width) / per_vector<T> : 0;
  auto const* const from = reinterpret_cast<uint4 const*>(p.in_at(exists ? row : 0)) + me;
  using registers = row_registers<T, Vectors, true>;
  registers v;
  uint4 words[Vectors];  // all on their way before the first is used
#pragma unroll
  for (int i = 0; i < Vectors; ++i) {
    v.there[i] = i * Threads + me < vectors;
    words[i] = vector_of<T>(Work::padding());
    if (v.there[i]) words[i] = from[i * Threads];
  }
#pragma unroll
  for (int i = 0; i < Vectors; ++i) v.read(i, words[i]);

  float const width = float(p.width);
  using part = typename Work::part;
  part own, whole;
  if constexpr (shape::warps == 1) {
    own = whole = work.template measure<shape::lanes>(v, width);
  } else {
    __shared__ part parts[shape::warps];
    int const warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
    own = work.template measure<32>(v, elements_of<T, Threads>(warp, vectors));
    if (lane == 0) parts[warp] = own;
    __syncthreads();
    part const all[1] = {parts[lane % shape::warps]};
    float const elements[1] = {elements_of<T, Threads>(lane % shape::warps, vectors)};
    whole = work.template merge<shape::warps>(all, elements, width);
  }
  auto const state = work.template finish<registers>(whole, own, width);
  if (!exists) return;
  typename Work::template weights<Vectors, kept_in::memory> const weights(work, me, Threads, v.there, nullptr, 0);
  auto* const to = reinterpret_cast<uint4*>(p.out_at(row)) + me;
#pragma unroll
  for (int i = 0; i < Vectors; ++i) {
    if (!v.there[i]) break;
    float x[per_vector<T>];
    v.get(i, x);
    work.template apply<registers>(x, state, weights, i);
    impl::store_word(to + i * Threads, narrowed<T>(x));
  }
}

template <class T, class Work, int Threads, int Vectors>
void launch_vectors(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where) {
  constexpr index_t rows = row_threads<Threads>::rows, most = index_t(0x7fffffff) * rows;
  for (index_t first = 0; first < p.count(); first += most)
    impl::launch_native(s, name, dim3(unsigned(ceil_div(min(p.count() - first, most), rows))), row_threads<Threads>::block, 0, where,
                        rows_of_vectors<T, Work, Threads, Vectors>, p, work, first);
}

/// Whether rows begin at addresses of 16 bytes and end there.
template <class T>
bool whole_vectors(row_plan<T> const& p) {
  auto const in = reinterpret_cast<std::uintptr_t>(p.in), out = reinterpret_cast<std::uintptr_t>(p.out);
  return (in | out | std::uintptr_t((p.in_plane | p.in_row | p.out_plane | p.out_row | p.width) * index_t(sizeof(T)))) % 16 == 0;
}

inline constexpr int most_vectors = 4096;

/// Up to most_vectors: 64 bytes per thread where there are few, so that many loads are under way, then 128.
template <class T, class Work>
void launch_vectors(stream const& s, char const* name, row_plan<T> const& p, Work const& work, source_location where) {
  index_t const vectors = p.width / per_vector<T>;
  if (vectors <= 8) return launch_vectors<T, Work, 8, 1>(s, name, p, work, where);
  if (vectors <= 32) return launch_vectors<T, Work, 8, 4>(s, name, p, work, where);
  if (vectors <= 64) return launch_vectors<T, Work, 16, 4>(s, name, p, work, where);
  if (vectors <= 128) return launch_vectors<T, Work, 32, 4>(s, name, p, work, where);
  if (vectors <= 256) return launch_vectors<T, Work, 32, 8>(s, name, p, work, where);
  if (vectors <= 512) return launch_vectors<T, Work, 128, 4>(s, name, p, work, where);
  if (vectors <= 1024) return launch_vectors<T, Work, 256, 4>(s, name, p, work, where);
  if (vectors <= 2048) return launch_vectors<T, Work, 256, 8>(s, name, p, work, where);
  launch_vectors<T, Work, 512, 8>(s, name, p, work, where);
}

}  // namespace
}  // namespace dolmen::cuda
