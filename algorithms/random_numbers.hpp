// The distributions of fill_uniform and fill_normal: from a block of Philox's words to elements.
#pragma once

#include "../core/normal.hpp"
#include "../core/philox.hpp"
#include "element_types.hpp"

namespace dolmen::detail {

/// In what half and bfloat16 are computed, and what parameters they take.
template <class T>
using random_scalar = std::conditional_t<half_type<T>, float, T>;

// Each has the number of elements that one block of four words makes, and values(words, to), which makes them: without a
// loop, which would keep a CPU's compiler from vectorising over blocks.

/// lo + u (hi - lo), u a multiple of 2^-24 or 2^-53 below 1; `top` is the largest element below hi, where rounding could
/// reach hi.
template <class T>
struct uniform_numbers {
  using element = T;
  using scalar = random_scalar<T>;
  static constexpr int per_block = std::is_same_v<T, double> ? 2 : 4;
  scalar lo, width, top;

  DOLMEN_INLINE_FN T scaled(scalar u) const {
    scalar const x = fused(u, width, lo);
    return static_cast<T>(x < top ? x : top);
  }
  DOLMEN_INLINE_FN void values(philox_words const& w, T (&to)[per_block]) const {
    if constexpr (per_block == 4) {
      to[0] = unit(w.word[0]);
      to[1] = unit(w.word[1]);
      to[2] = unit(w.word[2]);
      to[3] = unit(w.word[3]);
    } else {
      to[0] = unit(std::uint64_t(w.word[1]) << 32 | w.word[0]);
      to[1] = unit(std::uint64_t(w.word[3]) << 32 | w.word[2]);
    }
  }

 private:
  DOLMEN_INLINE_FN T unit(std::uint32_t bits) const { return scaled(float(int(bits >> 8)) * 0x1p-24f); }
  // 52 bits behind a one, and the 53rd: exact.
  DOLMEN_INLINE_FN T unit(std::uint64_t bits) const {
    double const above_one = bits_as<double>(0x3ff0000000000000 | (bits >> 12));
    return scaled(above_one - bits_as<double>(0x3ff0000000000000 - ((bits >> 11) & 1)));
  }
};

/// floor(x span / 2^b) + lo for a random x of b bits (multiply-shift; Lemire, Fast Random Integer Generation in an Interval,
/// ACM TOMACS 29, 2019, without its rejection). b is 32 for bytes, 64 for 16 and 32 bits, 128 for 64 bits, so that no value's
/// probability is off by more than a factor of 1 + 2^-24, 2^-48, 2^-32, 2^-64.
template <class T>
struct uniform_integers {
  using element = T;
  static constexpr int per_block = sizeof(T) == 1 ? 4 : sizeof(T) == 8 ? 1 : 2;
  std::uint64_t lo, span;  // 0 stands for 2^64

  DOLMEN_INLINE_FN static std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t const low = (a & 0xffffffff) * (b & 0xffffffff), left = (a >> 32) * (b & 0xffffffff);
    std::uint64_t const right = (a & 0xffffffff) * (b >> 32), middle = left + (low >> 32);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (((middle & 0xffffffff) + right) >> 32);
  }
  DOLMEN_INLINE_FN void values(philox_words const& w, T (&to)[per_block]) const {
    if constexpr (per_block == 4) {
      to[0] = static_cast<T>(lo + (w.word[0] * span >> 32));
      to[1] = static_cast<T>(lo + (w.word[1] * span >> 32));
      to[2] = static_cast<T>(lo + (w.word[2] * span >> 32));
      to[3] = static_cast<T>(lo + (w.word[3] * span >> 32));
    } else if constexpr (per_block == 2) {
      // The span is at most 2^32, so that nothing is carried out of 64 bits.
      to[0] = static_cast<T>(lo + ((w.word[1] * span + (w.word[0] * span >> 32)) >> 32));
      to[1] = static_cast<T>(lo + ((w.word[3] * span + (w.word[2] * span >> 32)) >> 32));
    } else {
      std::uint64_t const low = std::uint64_t(w.word[1]) << 32 | w.word[0], high = std::uint64_t(w.word[3]) << 32 | w.word[2];
      std::uint64_t const below = high * span, carried = below + high_product(low, span);
      to[0] = static_cast<T>(lo + (span == 0 ? high : high_product(high, span) + (carried < below ? 1 : 0)));
    }
  }
};

template <class T>
struct normal_numbers {
  using element = T;
  using scalar = random_scalar<T>;
  static constexpr int per_block = std::is_same_v<T, double> ? 2 : 4;
  scalar mean, deviation;

  DOLMEN_INLINE_FN void values(philox_words const& w, T (&to)[per_block]) const {
    if constexpr (per_block == 4) {
      auto const y = normal_pair(w.word[0], w.word[1]), z = normal_pair(w.word[2], w.word[3]);
      to[0] = static_cast<T>(fused(deviation, y.cosine, mean));
      to[1] = static_cast<T>(fused(deviation, y.sine, mean));
      to[2] = static_cast<T>(fused(deviation, z.cosine, mean));
      to[3] = static_cast<T>(fused(deviation, z.sine, mean));
    } else {
      auto const z = normal_pair(std::uint64_t(w.word[1]) << 32 | w.word[0], std::uint64_t(w.word[3]) << 32 | w.word[2]);
      to[0] = fused(deviation, z.cosine, mean);
      to[1] = fused(deviation, z.sine, mean);
    }
  }
};

/// Numbers of a sequence: element i in row-major order is number first + i.
struct random_sequence {
  std::uint64_t seed, first;
};

}  // namespace dolmen::detail

// M(distribution) for each that bodies are instantiated for.
#define DOLMEN_EACH_DISTRIBUTION(M)                        \
  M(::dolmen::detail::uniform_numbers<float>)              \
  M(::dolmen::detail::uniform_numbers<double>)             \
  M(::dolmen::detail::uniform_numbers<::dolmen::half>)     \
  M(::dolmen::detail::uniform_numbers<::dolmen::bfloat16>) \
  M(::dolmen::detail::normal_numbers<float>)               \
  M(::dolmen::detail::normal_numbers<double>)              \
  M(::dolmen::detail::normal_numbers<::dolmen::half>)      \
  M(::dolmen::detail::normal_numbers<::dolmen::bfloat16>)  \
  M(::dolmen::detail::uniform_integers<std::uint8_t>)      \
  M(::dolmen::detail::uniform_integers<std::uint16_t>)     \
  M(::dolmen::detail::uniform_integers<std::uint32_t>)     \
  M(::dolmen::detail::uniform_integers<std::uint64_t>)
