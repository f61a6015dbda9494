// gemm: the general matrix product.
#pragma once

#include "../core/overlap.hpp"

namespace dolmen {

namespace detail {

/// C (m x n) = alpha A (m x k) B (k x n) + beta C; rows start lda, ldb, ldc elements apart.
template <class T>
struct gemm_plan {
  index_t m, n, k;
  T alpha, beta;
  T const *a, *b;
  T* c;
  index_t lda, ldb, ldc;
};

template <class T>
concept gemm_element = std::same_as<T, float> || std::same_as<T, double>;

}  // namespace detail

/// c = alpha a b + beta c for row-major matrices with any row strides, as BLAS defines it: with beta = 0, c is not read;
/// with alpha = 0 or k = 0, a and b are not read. float or double. Does not synchronise.
/// Throws invalid_argument that names the shapes if they do not fit, or if c overlaps a or b, whatever alpha and beta are.
template <stream_type Stream, view_like A, view_like B, view_like C>
void gemm(Stream const& stream, std::type_identity_t<detail::element_of<C>> alpha, A const& a, B const& b,
          std::type_identity_t<detail::element_of<C>> beta, C&& c, source_location where = source_location::current()) {
  detail::require_handles("gemm", where, stream, a, b, c);
  using T = detail::element_of<C>;
  static_assert(detail::gemm_element<T>, "gemm: the elements are float or double, and c is not constant");
  static_assert(std::is_same_v<detail::value_of<A const>, T> && std::is_same_v<detail::value_of<B const>, T>,
                "gemm: a, b and c have the same element type");
  auto const x = detail::as_view(a);
  auto const y = detail::as_view(b);
  auto const z = detail::as_view(c);
  static_assert(decltype(x)::rank == 2 && decltype(y)::rank == 2 && decltype(z)::rank == 2, "gemm: a, b and c are matrices");
  detail::require(x.extent(1) == y.extent(0) && x.extent(0) == z.extent(0) && y.extent(1) == z.extent(1), where, "gemm: the shapes ",
                  x.shape(), " and ", y.shape(), " do not multiply to ", z.shape());
  detail::require_output_apart(x, z, "gemm", where);
  detail::require_output_apart(y, z, "gemm", where);
  if (z.empty()) return;
  detail::with_host_memory("gemm", where, [&] {
    launch_gemm(stream,
                detail::gemm_plan<T>{z.extent(0), z.extent(1), alpha == T(0) ? 0 : x.extent(1), alpha, beta, x.data(), y.data(), z.data(),
                                     x.stride(0), y.stride(0), z.stride(0)},
                where);
  });
}

}  // namespace dolmen
