#include "cublas.hpp"

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "raw_launch.hpp"

namespace study::peers {
namespace {

void check(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

cublasHandle_t handle_on(dolmen::cuda::stream const& s) {
  forget_pending_error();
  static cublasHandle_t const handle = [] {
    cublasHandle_t h;
    check(cublasCreate(&h), "cublasCreate");
    check(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
    return h;
  }();
  check(cublasSetStream(handle, s.native()), "cublasSetStream");
  return handle;
}

}  // namespace

// cuBLAS is column-major: it gets the transposed problem, C^T = B^T A^T, which is the same memory.
void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, float const* a, float const* b, float* c) {
  int const n = int(side);
  float const one = 1, zero = 0;
  check(cublasSgemm(handle_on(s), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n), "cublasSgemm");
}

void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, double const* a, double const* b, double* c) {
  int const n = int(side);
  double const one = 1, zero = 0;
  check(cublasDgemm(handle_on(s), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n), "cublasDgemm");
}

void cublas_gemm(dolmen::cuda::stream const& s, dolmen::index_t side, dolmen::half const* a, dolmen::half const* b, float* c) {
  int const n = int(side);
  float const one = 1, zero = 0;
  auto* const handle = handle_on(s);
  // Not pedantic, which would keep it from the tensor cores; the sums are in float all the same.
  check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  auto const status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16F, n, a, CUDA_R_16F, n, &zero, c,
                                   CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  check(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
  check(status, "cublasGemmEx");
}

void cublas_axpy(dolmen::cuda::stream const& s, float alpha, float const* x, float* y, dolmen::index_t n) {
  check(cublasSaxpy_64(handle_on(s), n, &alpha, x, 1, y, 1), "cublasSaxpy");
}
void cublas_axpy(dolmen::cuda::stream const& s, double alpha, double const* x, double* y, dolmen::index_t n) {
  check(cublasDaxpy_64(handle_on(s), n, &alpha, x, 1, y, 1), "cublasDaxpy");
}

namespace {

/// The result stays on the device.
cublasHandle_t results_on_device(dolmen::cuda::stream const& s) {
  auto* const handle = handle_on(s);
  check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
  return handle;
}
void results_on_host(cublasHandle_t handle) { check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode"); }

}  // namespace

void cublas_dot(dolmen::cuda::stream const& s, dolmen::index_t n, float const* a, float const* b, float* out) {
  auto* const handle = results_on_device(s);
  check(cublasSdot(handle, int(n), a, 1, b, 1, out), "cublasSdot");
  results_on_host(handle);
}

void cublas_dot(dolmen::cuda::stream const& s, dolmen::index_t n, double const* a, double const* b, double* out) {
  auto* const handle = results_on_device(s);
  check(cublasDdot(handle, int(n), a, 1, b, 1, out), "cublasDdot");
  results_on_host(handle);
}

}  // namespace study::peers
