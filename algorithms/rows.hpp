// What the algorithms that work on rows share: their plan and its checks.
#pragma once

#include "../core/overlap.hpp"
#include "element_types.hpp"

namespace dolmen::detail {

/// Rows of `width` contiguous elements, at strides in elements.
template <class T>
struct row_plan {
  T const* in;
  T* out;
  index_t planes, rows, width;
  index_t in_plane, in_row, out_plane, out_row;

  DOLMEN_FN constexpr index_t count() const { return planes * rows; }
  DOLMEN_FN constexpr T const* in_at(index_t i) const {
    return planes == 1 ? in + i * in_row : in + i / rows * in_plane + i % rows * in_row;
  }
  DOLMEN_FN constexpr T* out_at(index_t i) const {
    return planes == 1 ? out + i * out_row : out + i / rows * out_plane + i % rows * out_row;
  }
};

/// What rows of T are computed in.
template <class T>
using compute_t = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class T, int Rank>
row_plan<T> plan_rows(view<T const, Rank> in, view<T, Rank> out) {
  row_plan<T> p{in.data(), out.data(), 1, 1, in.extent(Rank - 1), 0, 0, 0, 0};
  if constexpr (Rank >= 2) {
    p.rows = in.extent(Rank - 2);
    p.in_row = in.stride(Rank - 2);
    p.out_row = out.stride(Rank - 2);
  }
  if constexpr (Rank == 3) {
    p.planes = in.extent(0);
    p.in_plane = in.stride(0);
    p.out_plane = out.stride(0);
    if (p.rows == 1) {
      p.in_row = p.in_plane;
      p.out_row = p.out_plane;
    }
    if (p.planes == 1 || p.rows == 1 || (p.in_plane == p.rows * p.in_row && p.out_plane == p.rows * p.out_row)) {
      p.rows *= p.planes;
      p.planes = 1;
    }
  }
  return p;
}

/// The result is where the input is, row for row, or shares nothing with it.
template <class T, class U, int Rank>
void require_rows_apart(view<T, Rank> in, view<U, Rank> out, char const* operation, source_location where) {
  bool same = in.data() == out.data();
  for (int d = 0; d < Rank - 1; ++d) same = same && (in.extent(d) <= 1 || in.stride(d) == out.stride(d));
  require(same || !share_elements(flat(in), flat(out)), where, operation, ": input and result, ", in.shape(),
          ", overlap; the result may be the input itself, or lie apart");
}

}  // namespace dolmen::detail
