// cuBLAS as a peer, where the build found it (STUDY_HAS_CUBLAS).
#pragma once

#include <dolmen/core/half.hpp>
#include <dolmen/dolmen.hpp>

namespace study::peers {

#if STUDY_HAS_CUBLAS
/// C = A B for square row-major matrices, in the precision of the type (no tf32).
void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, float const* a, float const* b, float* c);
void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, double const* a, double const* b, double* c);
/// Of halves, in float, on tensor cores.
void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, dolmen::half const* a, dolmen::half const* b, float* c);
/// y += alpha x
void cublas_axpy(dolmen::cuda::stream const& s, float alpha, float const* x, float* y, dolmen::index_t n);
void cublas_axpy(dolmen::cuda::stream const& s, double alpha, double const* x, double* y, dolmen::index_t n);
/// The sum of products of fewer than 2^31 elements.
void cublas_dot(dolmen::cuda::stream const& s, dolmen::index_t n, float const* a, float const* b, float* out);
void cublas_dot(dolmen::cuda::stream const& s, dolmen::index_t n, double const* a, double const* b, double* out);
#endif

}  // namespace study::peers
