// What a file was compiled for, seen from inside.
#pragma once

#include <string>

static inline std::string describe_flags() {
  std::string text;
#if defined(__OPTIMIZE__)
  text += " optimize";
#endif
#if defined(__AVX2__)
  text += " avx2";
#endif
#if defined(__FMA__)
  text += " fma";
#endif
#if defined(__AVX512F__)
  text += " avx512f";
#endif
#if defined(__FAST_MATH__)
  text += " fast-math";
#endif
#if defined(NDEBUG)
  text += " ndebug";
#endif
  return text;
}
