// OpenBLAS as a peer, where the build found it (STUDY_HAS_OPENBLAS).
#pragma once

#include <dolmen/core/half.hpp>
#include <dolmen/core/types.hpp>
#include <string>

namespace study::peers {

#if STUDY_HAS_OPENBLAS
/// C = A B for square row-major matrices, with as many threads as the cpu backend uses.
void openblas_gemm(dolmen::index_t side, float const* a, float const* b, float* c);
void openblas_gemm(dolmen::index_t side, double const* a, double const* b, double* c);
/// Of halves, which it does not know: they become floats first, as part of the work.
void openblas_gemm(dolmen::index_t side, dolmen::half const* a, dolmen::half const* b, float* c);

/// The sum of products of fewer than 2^31 elements.
void openblas_dot(dolmen::index_t n, float const* a, float const* b, float* out);
void openblas_dot(dolmen::index_t n, double const* a, double const* b, double* out);

struct openblas_facts {
  std::string core, version;  // the kernels it chose, its build
  int threads;
  std::string coretype;  // OPENBLAS_CORETYPE, which may have forced other kernels on it
};
openblas_facts describe_openblas();

/// OpenBLAS takes the kernels of the oldest x86 for a CPU that is newer than itself, which is no peer. Where that happened
/// and OPENBLAS_CORETYPE does not say otherwise, names the newest kernels that this CPU can run and starts the program
/// again: OpenBLAS chooses once, when it is loaded.
void restart_with_better_kernels(char** argv);
#endif

}  // namespace study::peers
