// Sums of unsigned integers of 8 and 16 bits in vectors of 16 bytes, by dot products: an instruction adds two or four elements.
#pragma once

#include "vectors.cuh"

namespace dolmen::cuda::impl {

/// Bit 8 k of `which`: element k of a word counts.
template <class T>
__device__ __forceinline__ std::uint32_t add_word(std::uint32_t word, std::uint32_t which, std::uint32_t sum) {
  if constexpr (sizeof(T) == 1) {
    return __dp4a(word, which, sum);
  } else {
    std::uint32_t result;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(which), "r"(sum));
    return result;
  }
}

struct narrow_vector {
  std::uint32_t word[4];
};

template <class T, int N>
__device__ __forceinline__ std::uint32_t narrow_total(vector_of<T, N> const& v) {
  auto const w = __builtin_bit_cast(narrow_vector, v);
  std::uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) sum = add_word<T>(w.word[k], sizeof(T) == 1 ? 0x01010101 : 0x0101, sum);
  return sum;
}

/// Every element's sum with all before it and with `before`; exclusive ones leave the element out.
template <bool Exclusive, class T, int N>
__device__ __forceinline__ vector_of<T, N> narrow_scan(vector_of<T, N> const& v, std::uint32_t before) {
  auto w = __builtin_bit_cast(narrow_vector, v);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    std::uint32_t const x = w.word[k];
    if constexpr (sizeof(T) == 1) {
      std::uint32_t const a = __dp4a(x, 0x01u, before), b = __dp4a(x, 0x0101u, before), c = __dp4a(x, 0x010101u, before),
                          d = __dp4a(x, 0x01010101u, before);
      // The lowest bytes of four words, one behind the other.
      w.word[k] = Exclusive ? __byte_perm(__byte_perm(before, a, 0x0040), __byte_perm(b, c, 0x0040), 0x5410)
                            : __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
      before = d;
    } else {
      std::uint32_t const a = add_word<T>(x, 0x01, before), b = add_word<T>(x, 0x0101, before);
      w.word[k] = Exclusive ? __byte_perm(before, a, 0x5410) : __byte_perm(a, b, 0x5410);
      before = b;
    }
  }
  return __builtin_bit_cast(vector_of<T, N>, w);
}

/// Whether these sums serve a scan.
template <class In, class Out, class Value, class Op, int N>
inline constexpr bool by_narrow_sums = std::is_same_v<Op, plus>&& std::is_same_v<In, Out>&& std::is_same_v<Value, std::uint32_t> &&
                                       (std::is_same_v<In, std::uint8_t> || std::is_same_v<In, std::uint16_t>)&&N * sizeof(In) == 16;

}  // namespace dolmen::cuda::impl
