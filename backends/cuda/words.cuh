// Neighbouring elements that move in one access of up to 16 bytes.
#pragma once

#include "../../core/layout.hpp"
#include "runtime.hpp"

namespace dolmen::cuda::impl {

template <int Bytes>
struct word_type;
template <>
struct word_type<1> {
  using type = std::uint8_t;
};
template <>
struct word_type<2> {
  using type = std::uint16_t;
};
template <>
struct word_type<4> {
  using type = std::uint32_t;
};
template <>
struct word_type<8> {
  using type = uint2;
};
template <>
struct word_type<16> {
  using type = uint4;
};
template <class T, int V>
using word_of_elements = typename word_type<int(sizeof(T)) * V>::type;

template <class T, int V>
struct elements {
  T values[V];
};

template <int V, class T>
__device__ __forceinline__ elements<T, V> load_elements(T const* from) {
  return __builtin_bit_cast(elements<T, V>, *reinterpret_cast<word_of_elements<T, V> const*>(from));
}
/// Stores a word in one access. An assignment of 8 or 16 bytes is one of members, which the compiler may join with the stores of
/// single elements on another path, and so takes apart.
template <class Word>
__device__ __forceinline__ void store_word(Word* to, Word const& w) {
  if constexpr (sizeof(Word) == 16)
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(w.x), "r"(w.y), "r"(w.z), "r"(w.w)
                 : "memory");
  else if constexpr (sizeof(Word) == 8)
    asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)), "r"(w.x), "r"(w.y) : "memory");
  else
    *to = w;
}
template <int V, class T>
__device__ __forceinline__ void store_elements(T* to, elements<T, V> const& e) {
  store_word(reinterpret_cast<word_of_elements<T, V>*>(to), __builtin_bit_cast(word_of_elements<T, V>, e));
}
/// A whole vector of 1, 2, 4, 8 or 16 bytes, of any structure of elements.
template <class Vector>
__device__ __forceinline__ void store_whole(void* to, Vector const& v) {
  using word = typename word_type<int(sizeof(Vector))>::type;
  store_word(static_cast<word*>(to), __builtin_bit_cast(word, v));
}

/// Elements per access such that the widest type moves 16 bytes; 0 where a type has no size for that.
template <class... T>
inline constexpr int elements_per_word = [] {
  bool const words = ((sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0 && std::is_trivially_default_constructible_v<T>)&&...);
  std::size_t widest = 1;
  ((widest = sizeof(T) > widest ? sizeof(T) : widest), ...);
  return words ? int(16 / widest) : 0;
}();

/// Whether all words of a view's rows begin at multiples of their size.
template <int V, class T>
bool fits_words(T const* data, index_t const (&stride)[2]) {
  return reinterpret_cast<std::uintptr_t>(data) % (V * sizeof(T)) == 0 && stride[0] % V == 0 && stride[1] % V == 0;
}

}  // namespace dolmen::cuda::impl
