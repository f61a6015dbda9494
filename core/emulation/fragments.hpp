// Fragments as arrays that vectorise. Elements are widened once, when they are loaded: half, bfloat16 and tf32 are floats
// here, int8 is int32, so that a product is a plain multiply-add.
#pragma once

#include "../fragment.hpp"
#include "../print.hpp"

namespace dolmen::emulation {

namespace detail {

using dolmen::detail::matrix_place;
using dolmen::detail::mma_use;

template <class Spec>
using fragment_word =
    std::conditional_t<Spec::use == mma_use::accumulator, typename Spec::value_type,
                       std::conditional_t<std::is_integral_v<typename Spec::value_type>, std::int32_t,
                                          std::conditional_t<std::is_same_v<typename Spec::type, double>, double, float>>>;

/// To nearest with ties away from zero, 10 bits of fraction.
DOLMEN_INLINE_FN float round_to_tf32(float x) {
  auto const bits = dolmen::detail::bits_as<std::uint32_t>(x);
  bool const finite = (bits & 0x7f800000u) != 0x7f800000u;
  return dolmen::detail::bits_as<float>(finite ? (bits + 0x1000u) & ~0x1fffu : bits);
}

/// Bytes of a vector register.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// Words side by side in at most one register. Compilers are told, for they do not find the product's best form: of loops
/// g++ 12 makes one that leaves a sum in memory, several times as slow.
template <class Word, int Count>
struct vector_of {
  static constexpr int bytes = Count * int(sizeof(Word)) < vector_bytes ? Count * int(sizeof(Word)) : vector_bytes;
  static constexpr int count = bytes / int(sizeof(Word));
  typedef Word type __attribute__((vector_size(bytes), may_alias));
};

/// c (M x N) += a (M x K) b (K x N). Host code only: nvcc knows no vectors on the device.
template <int M, int N, int K, class Word>
[[gnu::always_inline]] inline void multiply_words(Word* c, Word const* a, Word const* b) {
  using lane = std::conditional_t<std::is_same_v<Word, std::int32_t>, std::uint32_t, Word>;  // wraps, as the GPU's
  using vectors = vector_of<lane, N>;
  using vector = typename vectors::type;
  constexpr int n = N / vectors::count;
  constexpr int band = n < 8 ? 8 / n : 1;  // rows whose sums, eight vectors, stay in registers
  static_assert(M % band == 0);
  auto* const sums = reinterpret_cast<vector*>(c);
  auto const* const right = reinterpret_cast<vector const*>(b);
  for (int i0 = 0; i0 < M; i0 += band) {
    vector sum[band][n];
    for (int i = 0; i < band; ++i)
      for (int j = 0; j < n; ++j) sum[i][j] = sums[(i0 + i) * n + j];
    for (int p = 0; p < K; ++p)
      for (int i = 0; i < band; ++i)
        for (int j = 0; j < n; ++j) sum[i][j] += static_cast<lane>(a[(i0 + i) * K + p]) * right[p * n + j];
    for (int i = 0; i < band; ++i)
      for (int j = 0; j < n; ++j) sums[(i0 + i) * n + j] = sum[i][j];
  }
}

}  // namespace detail

namespace types {

/// Row-major in `words`: A is M x K, B is K x N, C is M x N, whatever the layout in memory.
template <class Spec>
struct fragment {
  using spec = Spec;
  using value_type = typename Spec::value_type;
  using word = detail::fragment_word<Spec>;
  static constexpr int rows = Spec::rows, columns = Spec::columns;

  alignas(64) word words[rows * columns];

  DOLMEN_INLINE_FN void fill(value_type value) {
    for (int i = 0; i < rows * columns; ++i) words[i] = widened(value);
  }

  DOLMEN_INLINE_FN void load(detail::matrix_place<value_type const> from, [[maybe_unused]] at where) {
    for (int i = 0; i < rows; ++i) DOLMEN_SIMD for (int j = 0; j < columns; ++j) {
        value_type const* element = from.data + offset(i, j, from.stride);
#if defined(DOLMEN_CHECK)
        element = opened(element, dolmen::detail::access_kind::read, where);
#endif
        words[i * columns + j] = widened(*element);
      }
  }
  DOLMEN_INLINE_FN void store(detail::matrix_place<value_type> to, [[maybe_unused]] at where) const {
    for (int i = 0; i < rows; ++i) DOLMEN_SIMD for (int j = 0; j < columns; ++j) {
        value_type* element = to.data + offset(i, j, to.stride);
#if defined(DOLMEN_CHECK)
        element = opened(element, dolmen::detail::access_kind::write, where);
#endif
        *element = static_cast<value_type>(words[i * columns + j]);
      }
  }

  template <class Body>
  DOLMEN_INLINE_FN void each(Body& body) {
    for (int i = 0; i < rows * columns; ++i) {
      auto x = static_cast<value_type>(words[i]);
      body(x);
      words[i] = widened(x);
    }
  }
  template <class Body>
  DOLMEN_INLINE_FN void each(fragment const& other, Body& body) {
    for (int i = 0; i < rows * columns; ++i) {
      auto x = static_cast<value_type>(words[i]);
      body(x, static_cast<value_type>(other.words[i]));
      words[i] = widened(x);
    }
  }

 private:
#if defined(DOLMEN_CHECK)
  template <class T>
  static T* opened(T* element, dolmen::detail::access_kind kind, at where) {
    return dolmen::detail::open(element, kind, where.line, memory_order::relaxed, memory_scope::device, true);
  }
#endif
  DOLMEN_INLINE_FN static word widened(value_type x) {
    if constexpr (std::is_same_v<typename Spec::type, tf32> && Spec::use != detail::mma_use::accumulator)
      return detail::round_to_tf32(x);
    else
      return static_cast<word>(x);
  }
  DOLMEN_INLINE_FN static index_t offset(int i, int j, index_t stride) {
    return Spec::layout == layout::row_major ? i * stride + j : j * stride + i;
  }
};

}  // namespace types

using types::fragment;

DOLMEN_NO_EXEC_CHECK
template <class C, class A, class B>
DOLMEN_INLINE_FN void multiply_accumulate(fragment<C>& c, fragment<A> const& a, fragment<B> const& b) {
  dolmen::detail::check_mma<C, A, B>();
  detail::multiply_words<C::rows, C::columns, A::columns>(c.words, a.words, b.words);
}

/// A launch ends with launch_error where a GPU could not load; tiles too, since it costs little here.
template <class T>
DOLMEN_INLINE_FN void assert_fragment_fits(dolmen::detail::matrix_place<T> place) {
  DOLMEN_ASSERT(place, dolmen::detail::fragment_fits(place) && "a fragment starts at a multiple of 16 bytes, as do its rows");
}

template <class Spec, class Matrix>
DOLMEN_INLINE_FN void load_fragment(fragment<Spec>& f, Matrix const& from, at row, at column) {
  dolmen::detail::check_load<Spec, Matrix>();
  auto const place = dolmen::detail::place_in(from, row.value, column.value);
  assert_fragment_fits(place);
  f.load({place.data, place.stride}, row);
}
template <class Spec, class Matrix>
DOLMEN_INLINE_FN void store_fragment(Matrix& to, at row, at column, fragment<Spec> const& f) {
  dolmen::detail::check_store<Spec, Matrix>();
  auto const place = dolmen::detail::place_in(to, row.value, column.value);
  assert_fragment_fits(place);
  f.store({place.data, place.stride}, row);
}

}  // namespace dolmen::emulation
