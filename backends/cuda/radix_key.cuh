// Keys as CUB's radix sort knows them: integers by their own types; floats by a type with the order of sort, which is not CUB's:
// NaNs of either sign come last in both orders, and keep the order in which they were, whatever their bits.
#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <limits>

#include "../../core/bits.hpp"
#include "../../core/half.hpp"

namespace dolmen::cuda::impl {

/// The bits of a float; Infinity are those of infinity.
template <class Word, Word Infinity, bool Descending>
struct float_key {
  Word bits;
};

template <class T, bool Descending>
struct radix_key {
  using word = dolmen::detail::word_of<T>;
  using type = float_key<word, dolmen::detail::bits_of(T(std::numeric_limits<float>::infinity())), Descending>;
};
template <std::integral T, bool Descending>
struct radix_key<T, Descending> {
  using type = T;
};

}  // namespace dolmen::cuda::impl

CUB_NAMESPACE_BEGIN

/// Bits to unsigned numbers in ascending order, and back.
template <class Word, Word Infinity, bool Descending>
struct NumericTraits<dolmen::cuda::impl::float_key<Word, Infinity, Descending>> : NumericTraits<Word> {
  static constexpr Word sign = Word(Word(1) << (8 * sizeof(Word) - 1)), turn = Descending ? Word(~Word(0)) : Word(0);
  static constexpr Word LOWEST_KEY = Descending ? Word(~sign) : Word(~Word(0));  // as bits: they become 0
  static constexpr Word MAX_KEY = Descending ? Word(~Word(0)) : Word(~sign);     // and these the largest

  static __host__ __device__ __forceinline__ Word TwiddleIn(Word bits) {
    return Word(bits ^ ((bits & sign) != 0 ? Word(~Word(0)) : sign) ^ turn);
  }
  static __host__ __device__ __forceinline__ Word TwiddleOut(Word number) {
    Word const up = Word(number ^ turn);
    return Word(up ^ ((up & sign) != 0 ? sign : Word(~Word(0))));
  }
};

/// What digits are taken from, of such a number: zeros of both signs, which are neighbours, are one, and so are NaNs, which lie
/// beyond the infinities on either side. The keys themselves stay as they are.
template <class Word, Word Infinity, bool Descending>
struct BaseDigitExtractor<dolmen::cuda::impl::float_key<Word, Infinity, Descending>, false> {
  using TraitsT = NumericTraits<dolmen::cuda::impl::float_key<Word, Infinity, Descending>>;
  using UnsignedBits = Word;

  static __host__ __device__ __forceinline__ Word ProcessFloatMinusZero(Word number) {
    constexpr Word sign = TraitsT::sign, last = Word(sign | Infinity), first = Word(~last);
    if (Word(number - first) > Word(last - first)) return Word(~Word(0));
    return number == Word(~sign) ? sign : number;
  }
};

CUB_NAMESPACE_END
