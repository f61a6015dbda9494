// Fragments: the small matrices that a warp multiplies as a whole, by tensor cores on a GPU and by vectors on a CPU.
#pragma once

#include "half.hpp"
#include "tile.hpp"
#include "view.hpp"

namespace dolmen {

namespace types {

/// C (M x N) += A (M x K) B (K x N).
template <int M, int N, int K>
struct mma_shape {
  static constexpr int m = M, n = N, k = K;
};

/// How a fragment lies in memory: row_major reads element (i, j) at (row + i, column + j) of its matrix, column_major
/// at (row + j, column + i), as the transpose of what is stored.
enum class layout { row_major, column_major };

/// An element type of fragments: float in memory, rounded to 10 bits of fraction (nearest, ties away from zero) when it is
/// loaded. Products are exact in float.
struct tf32 {};

}  // namespace types

using types::layout;
using types::mma_shape;
using types::tf32;

namespace detail {

// What is stored, what it accumulates to, the shape where none is given. Here: no element type of fragments.
template <class T>
struct mma_type {
  using stored = T;
  using sum = T;
  using shape = mma_shape<0, 0, 0>;
};
template <>
struct mma_type<half> {
  using stored = half;
  using sum = float;
  using shape = mma_shape<16, 16, 16>;
};
template <>
struct mma_type<bfloat16> : mma_type<half> {
  using stored = bfloat16;
};
template <>
struct mma_type<std::int8_t> : mma_type<half> {
  using stored = std::int8_t;
  using sum = std::int32_t;
};
template <>
struct mma_type<std::uint8_t> : mma_type<std::int8_t> {
  using stored = std::uint8_t;
};
template <>
struct mma_type<tf32> {
  using stored = float;
  using sum = float;
  using shape = mma_shape<16, 16, 8>;
};
template <>
struct mma_type<double> {
  using stored = double;
  using sum = double;
  using shape = mma_shape<8, 8, 4>;
};

template <class T>
concept mma_element = mma_type<T>::shape::m != 0;

template <class T, class Shape>
consteval bool mma_supported() {
  constexpr auto is = [](int m, int n, int k) { return Shape::m == m && Shape::n == n && Shape::k == k; };
  if constexpr (std::is_same_v<T, tf32>) return is(16, 16, 8);
  if constexpr (std::is_same_v<T, double>) return is(8, 8, 4);
  return is(16, 16, 16) || is(32, 8, 16) || is(8, 32, 16);
}

enum class mma_use { a, b, accumulator };

}  // namespace detail

namespace types {

template <detail::mma_use Use, class T, class Shape, layout Layout>
struct fragment_spec {
  static_assert(detail::mma_element<T>, "fragments hold half, bfloat16, int8, uint8, tf32 or double");
  static_assert(!detail::mma_element<T> || detail::mma_supported<T, Shape>(),
                "fragments are 16x16x16, 32x8x16 or 8x32x16 for half, bfloat16, int8 and uint8, 16x16x8 for tf32, 8x8x4 for double");
  static constexpr detail::mma_use use = Use;
  static constexpr dolmen::layout layout = Layout;
  static constexpr int rows = Use == detail::mma_use::b ? Shape::k : Shape::m;
  static constexpr int columns = Use == detail::mma_use::a ? Shape::k : Shape::n;
  using type = T;
  using shape = Shape;
  /// What an element is in memory and to each_element.
  using value_type =
      std::conditional_t<Use == detail::mma_use::accumulator, typename detail::mma_type<T>::sum, typename detail::mma_type<T>::stored>;
};

}  // namespace types

/// What a fragment holds. T is the type that is multiplied: half, bfloat16 (accumulated in float), int8, uint8 (in int32),
/// tf32 (in float), double.
template <class T, class Shape = typename detail::mma_type<T>::shape, layout Layout = layout::row_major>
using matrix_a = types::fragment_spec<detail::mma_use::a, T, Shape, Layout>;
template <class T, class Shape = typename detail::mma_type<T>::shape, layout Layout = layout::row_major>
using matrix_b = types::fragment_spec<detail::mma_use::b, T, Shape, Layout>;
template <class T, class Shape = typename detail::mma_type<T>::shape, layout Layout = layout::row_major>
using accumulator = types::fragment_spec<detail::mma_use::accumulator, T, Shape, Layout>;

/// The fragment of a kernel's block. It belongs to a warp: a local variable of each_warp's body, or block.per_warp(...) at
/// block scope, where it survives barriers; an array of them is dolmen::array<fragment<...>, N>. It starts with zeros if it
/// is value-initialised.
///
///     using left = dolmen::fragment<Block, dolmen::matrix_a<dolmen::half>>;
///     using right = dolmen::fragment<Block, dolmen::matrix_b<dolmen::half>>;
///     auto sums = block.per_warp(dolmen::fragment<Block, dolmen::accumulator<dolmen::half>>{});
///     block.each_warp([&](auto& warp) {
///       left a;
///       right b;
///       warp.load(a, mem.a, row, 0);           // from a tile or a view of rank 2
///       warp.load(b, mem.b, 0, column);
///       warp.mma(sums[warp], a, b);             // sums += a b
///       warp.each_element(sums[warp], [](float& x) { x = dolmen::max(x, 0.0f); });
///       warp.store(out, row, column, sums[warp]);
///     });
///
/// Where a fragment is read or written, its rows (those of memory, whatever the layout) must lie a multiple of 16 bytes from
/// each other and it must start at an address that is a multiple of 16; see require_fragments_fit. A fragment has no bounds:
/// parts outside the matrix are the caller's to avoid. Which lane holds which element is not defined, and each_element may
/// call its body several times for an element of a matrix_a or matrix_b, each time for a copy that has the value before: what
/// the body writes must depend on its arguments only.
///
/// Precision: int32 wraps. Products of half, bfloat16 and tf32 are exact as far as a float reaches; sums in float are rounded
/// in an order, and on a GPU by a rule, of the device's own. So results are exact, and the same on every backend, where all
/// sums of some of the products are whole multiples of one power of two and less than 2^24 of it, as with small integers.
/// Otherwise c + a b over a depth of k, in one mma or in many, is within k 2^-22 (|c| + sum |a| |b|) of the exact value: a tensor core
/// adds at least four products to the sum at a time, aligned with the largest of these terms and cut off below 2^-23 of it, which
/// costs four products less than six such units. double sums are rounded to nearest, with or without the product between.
///
/// CUDA: half needs compute capability 7.0; int8 7.2; bfloat16, tf32 and double 8.0.
template <class Block, class Spec>
using fragment = typename Block::template fragment<Spec>;

namespace detail {

// What every backend asks, in the same words.
template <class C, class A, class B>
consteval void check_mma() {
  static_assert(A::use == mma_use::a && B::use == mma_use::b && C::use == mma_use::accumulator,
                "mma(c, a, b) takes an accumulator, a matrix_a and a matrix_b");
  static_assert(std::is_same_v<typename A::type, typename B::type> && std::is_same_v<typename A::type, typename C::type> &&
                    std::is_same_v<typename A::shape, typename B::shape> && std::is_same_v<typename A::shape, typename C::shape>,
                "the fragments of one mma have the same element type and shape");
}
template <class Spec, class Matrix>
consteval void check_load() {
  static_assert(std::is_same_v<typename Matrix::value_type, typename Spec::value_type>,
                "a fragment is loaded from a tile or view of its elements; an accumulator's are float, int32 or double, tf32's are float");
}
template <class Spec, class Matrix>
consteval void check_store() {
  static_assert(Spec::use == mma_use::accumulator, "only an accumulator can be stored");
  static_assert(std::is_same_v<typename Matrix::value_type, typename Spec::value_type>,
                "an accumulator is stored to a tile or view of its elements: float, int32 or double");
}

template <class Matrix>
struct is_tile : std::false_type {};
template <class T, int... Sizes>
struct is_tile<tile<T, Sizes...>> : std::true_type {};

/// Where a fragment begins in a tile or a view, and the elements from row to row.
template <class T>
struct matrix_place {
  T* data;
  index_t stride;
};

template <class T, int R, int C>
DOLMEN_INLINE_FN matrix_place<T const> place_in(tile<T, R, C> const& t, index_t row, index_t column) {
  static_assert(C * sizeof(T) % 16 == 0,
                "fragments in a tile: its rows must be multiples of 16 bytes long (8 halves, 4 floats): pad them by 8 halves, not by 1");
  return {t.elements + row * C + column, C};
}
template <class T, int R, int C>
DOLMEN_INLINE_FN matrix_place<T> place_in(tile<T, R, C>& t, index_t row, index_t column) {
  static_assert(C * sizeof(T) % 16 == 0,
                "fragments in a tile: its rows must be multiples of 16 bytes long (8 halves, 4 floats): pad them by 8 halves, not by 1");
  return {t.elements + row * C + column, C};
}
template <class T>
DOLMEN_INLINE_FN matrix_place<T> place_in(view<T, 2> const& v, index_t row, index_t column) {
  return {v.data() + row * v.stride(0) + column, v.stride(0)};
}

/// Rows a multiple of 16 bytes apart, the fragment's start at one. (NVIDIA's guide asks for 32 at the start, but lets rows lie
/// 16 apart, so that every other row starts between; and no fragment of bytes could begin in the middle of 32.)
template <class T>
DOLMEN_INLINE_FN bool fragment_fits(matrix_place<T> place) {
  return place.stride * index_t(sizeof(T)) % 16 == 0 && reinterpret_cast<std::uintptr_t>(place.data) % 16 == 0;
}

}  // namespace detail

/// Throws invalid_argument unless this view starts at a multiple of 16 bytes and its rows lie a multiple of 16 bytes from
/// each other (8 halves, 4 floats, 16 int8, 2 doubles). To be called before a launch: a kernel that loads from such a view
/// ends in a failed assertion, which on a GPU costs the device.
template <class T>
void require_fragments_fit(view<T, 2> const& v, char const* name, source_location where = source_location::current()) {
  constexpr index_t step = 16 / index_t(sizeof(T));
  auto const offset = reinterpret_cast<std::uintptr_t>(v.data()) % 16;
  detail::require(v.empty() || offset == 0, where, "fragments of ", name, ": the view must start at a multiple of 16 bytes, it starts ",
                  index_t(offset), " bytes behind one");
  detail::require(v.stride(0) % step == 0, where, "fragments of ", name, ": the leading dimension is ", v.stride(0),
                  " elements, it must be a multiple of ", step, " (16 bytes)");
}

}  // namespace dolmen
