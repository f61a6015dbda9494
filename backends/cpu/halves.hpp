// Rows of halves to floats and back, by the CPU's instructions where it has them.
#pragma once

#include "../../core/half.hpp"

namespace dolmen::cpu::impl {

// The compilers' own words for what <immintrin.h> offers: that header is longer than all of this library.
#if defined(__F16C__)
using eight_floats = float __attribute__((vector_size(32)));
using eight_ints = int __attribute__((vector_size(32)));
using eight_shorts = short __attribute__((vector_size(16)));
#endif

/// NaNs become other NaNs than by float(half).
inline void widen(half const* from, float* to, index_t n) {
  index_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) {
    eight_shorts bits;
    __builtin_memcpy(&bits, from + i, sizeof bits);
    eight_floats const x = __builtin_ia32_vcvtph2ps256(bits);
    __builtin_memcpy(to + i, &x, sizeof x);
  }
#endif
  for (; i < n; ++i) to[i] = float(from[i]);
}

/// The bits of half(float), also of NaNs: the instruction keeps bits of theirs.
inline void narrow(float const* from, half* to, index_t n) {
  index_t i = 0;
#if defined(__F16C__)
  constexpr int nearest_quietly = 8, unordered = 3;
  for (; i + 8 <= n; i += 8) {
    eight_floats x;
    __builtin_memcpy(&x, from + i, sizeof x);
    auto const nan = (eight_ints)__builtin_ia32_cmpps256(x, x, unordered);
    auto const nans =
        (eight_shorts)__builtin_ia32_packssdw128(__builtin_ia32_vextractf128_si256(nan, 0), __builtin_ia32_vextractf128_si256(nan, 1));
    auto const rounded = (eight_shorts)__builtin_ia32_vcvtps2ph256(x, nearest_quietly);
    eight_shorts const bits = (~nans & rounded) | (nans & short(0x7fff));
    __builtin_memcpy(static_cast<void*>(to + i), &bits, sizeof bits);
  }
#endif
  for (; i < n; ++i) to[i] = half(from[i]);
}

}  // namespace dolmen::cpu::impl
