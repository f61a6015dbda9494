// a * b + c with one rounding, on every side: what is computed with it has the same bits on CPU and GPU.
#pragma once

#include "types.hpp"

namespace dolmen::detail {

DOLMEN_INLINE_FN float fused(float a, float b, float c) {
#if DOLMEN_ON_DEVICE
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}

DOLMEN_INLINE_FN double fused(double a, double b, double c) {
#if DOLMEN_ON_DEVICE
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

}  // namespace dolmen::detail
