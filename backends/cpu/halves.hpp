// Rows of halves to floats and back, by the CPU's instructions where it has them.
#pragma once

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "../../core/half.hpp"

namespace dolmen::cpu::impl {

/// NaNs become other NaNs than by float(half).
inline void widen(half const* from, float* to, index_t n) {
  index_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i))));
#endif
  for (; i < n; ++i) to[i] = float(from[i]);
}

/// The bits of half(float), also of NaNs: the instruction keeps bits of theirs.
inline void narrow(float const* from, half* to, index_t n) {
  index_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) {
    __m256 const x = _mm256_loadu_ps(from + i);
    __m256i const nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    __m128i const nans = _mm_packs_epi32(_mm256_castsi256_si128(nan), _mm256_extractf128_si256(nan, 1));
    __m128i const rounded = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m128i const bits = _mm_or_si128(_mm_andnot_si128(nans, rounded), _mm_and_si128(nans, _mm_set1_epi16(0x7fff)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
  }
#endif
  for (; i < n; ++i) to[i] = half(from[i]);
}

}  // namespace dolmen::cpu::impl
