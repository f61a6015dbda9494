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
using fragment_word = std::conditional_t<Spec::use == mma_use::accumulator, typename Spec::value_type,
                                         std::conditional_t<std::is_integral_v<typename Spec::value_type>, std::int32_t,
                                                            std::conditional_t<std::is_same_v<typename Spec::type, double>, double, float>>>;

/// To nearest with ties away from zero, 10 bits of fraction.
DOLMEN_INLINE_FN float round_to_tf32(float x) {
  auto const bits = dolmen::detail::bits_as<std::uint32_t>(x);
  bool const finite = (bits & 0x7f800000u) != 0x7f800000u;
  return dolmen::detail::bits_as<float>(finite ? (bits + 0x1000u) & ~0x1fffu : bits);
}

}  // namespace detail

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

  DOLMEN_INLINE_FN void load(detail::matrix_place<value_type const> from) {
    for (int i = 0; i < rows; ++i)
      DOLMEN_SIMD for (int j = 0; j < columns; ++j) words[i * columns + j] = widened(from.data[offset(i, j, from.stride)]);
  }
  DOLMEN_INLINE_FN void store(detail::matrix_place<value_type> to) const {
    for (int i = 0; i < rows; ++i)
      DOLMEN_SIMD for (int j = 0; j < columns; ++j) to.data[offset(i, j, to.stride)] = static_cast<value_type>(words[i * columns + j]);
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

template <class C, class A, class B>
DOLMEN_INLINE_FN void multiply_accumulate(fragment<C>& c, fragment<A> const& a, fragment<B> const& b) {
  dolmen::detail::check_mma<C, A, B>();
  constexpr int m = C::rows, n = C::columns, k = A::columns, band = 8;
  using word = typename fragment<C>::word;
  static_assert(m % band == 0);
  // A band of rows at a time, whose sums stay in registers.
  for (int i0 = 0; i0 < m; i0 += band) {
    word sum[band][n];
    for (int i = 0; i < band; ++i)
      for (int j = 0; j < n; ++j) sum[i][j] = c.words[(i0 + i) * n + j];
    for (int p = 0; p < k; ++p)
      for (int i = 0; i < band; ++i) {
        word const left = a.words[(i0 + i) * k + p];
        for (int j = 0; j < n; ++j) {
          if constexpr (std::is_integral_v<word>)  // wraps, as the GPU's
            sum[i][j] = word(std::uint32_t(sum[i][j]) + std::uint32_t(left) * std::uint32_t(b.words[p * n + j]));
          else
            sum[i][j] += left * b.words[p * n + j];
        }
      }
    for (int i = 0; i < band; ++i)
      for (int j = 0; j < n; ++j) c.words[(i0 + i) * n + j] = sum[i][j];
  }
}

/// A launch ends with launch_error where a GPU could not load; tiles too, since it costs little here.
template <class T>
DOLMEN_INLINE_FN void assert_fragment_fits(dolmen::detail::matrix_place<T> place) {
  DOLMEN_ASSERT(place, dolmen::detail::fragment_fits(place) && "a fragment starts at a multiple of 16 bytes, as do its rows");
}

template <class Spec, class Matrix>
DOLMEN_INLINE_FN void load_fragment(fragment<Spec>& f, Matrix const& from, index_t row, index_t column) {
  dolmen::detail::check_load<Spec, Matrix>();
  auto const place = dolmen::detail::place_in(from, row, column);
  assert_fragment_fits(place);
  f.load({place.data, place.stride});
}
template <class Spec, class Matrix>
DOLMEN_INLINE_FN void store_fragment(Matrix& to, index_t row, index_t column, fragment<Spec> const& f) {
  dolmen::detail::check_store<Spec, Matrix>();
  auto const place = dolmen::detail::place_in(to, row, column);
  assert_fragment_fits(place);
  f.store({place.data, place.stride});
}

}  // namespace dolmen::emulation
