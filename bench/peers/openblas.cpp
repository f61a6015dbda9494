#include "openblas.hpp"

#include <unistd.h>

#include <cstdlib>
#include <dolmen/dolmen.hpp>
#include <thread>
#include <vector>

#include "../affinity.hpp"

// Declared here since <cblas.h> may be another BLAS's.
extern "C" {
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, float const* a, int lda, float const* b, int ldb,
                 float beta, float* c, int ldc);
void cblas_dgemm(int order, int trans_a, int trans_b, int m, int n, int k, double alpha, double const* a, int lda, double const* b, int ldb,
                 double beta, double* c, int ldc);
float cblas_sdot(int n, float const* x, int step_x, float const* y, int step_y);
double cblas_ddot(int n, double const* x, int step_x, double const* y, int step_y);
void openblas_set_num_threads(int threads);
int openblas_get_num_threads(void);
char* openblas_get_corename(void);
char* openblas_get_config(void);
}

namespace study::peers {
namespace {

constexpr int row_major = 101, no_transpose = 111;

// OMP_PROC_BIND pins the calling thread, and threads that it makes inherit one core. So OpenBLAS's threads are made by a
// thread that may use all of them.
void start_threads() {
  [[maybe_unused]] static bool const once = [] {
    int const threads = dolmen::cpu::workers();
    std::thread([threads] {
      allow_all_cores();
      openblas_set_num_threads(threads);
    }).join();
    return true;
  }();
}

}  // namespace

void openblas_gemm(dolmen::index_t side, float const* a, float const* b, float* c) {
  start_threads();
  int const n = int(side);
  cblas_sgemm(row_major, no_transpose, no_transpose, n, n, n, 1, a, n, b, n, 0, c, n);
}

void openblas_gemm(dolmen::index_t side, double const* a, double const* b, double* c) {
  start_threads();
  int const n = int(side);
  cblas_dgemm(row_major, no_transpose, no_transpose, n, n, n, 1, a, n, b, n, 0, c, n);
}

void openblas_gemm(dolmen::index_t side, dolmen::half const* a, dolmen::half const* b, float* c) {
  static std::vector<float> left, right;  // kept from call to call
  start_threads();
  left.resize(std::size_t(side * side)), right.resize(std::size_t(side * side));
  float *const l = left.data(), *const r = right.data();
#pragma omp parallel for simd
  for (dolmen::index_t i = 0; i < side * side; ++i) l[i] = float(a[i]), r[i] = float(b[i]);
  int const n = int(side);
  cblas_sgemm(row_major, no_transpose, no_transpose, n, n, n, 1, l, n, r, n, 0, c, n);
}

void openblas_dot(dolmen::index_t n, float const* a, float const* b, float* out) {
  start_threads();
  *out = cblas_sdot(int(n), a, 1, b, 1);
}

void openblas_dot(dolmen::index_t n, double const* a, double const* b, double* out) {
  start_threads();
  *out = cblas_ddot(int(n), a, 1, b, 1);
}

openblas_facts describe_openblas() {
  start_threads();
  char const* coretype = std::getenv("OPENBLAS_CORETYPE");
  return {openblas_get_corename(), openblas_get_config(), openblas_get_num_threads(), coretype ? coretype : ""};
}

void restart_with_better_kernels([[maybe_unused]] char** argv) {
#if defined(__x86_64__)
  std::string const chosen = openblas_get_corename();
  bool const without_avx = chosen == "Prescott" || chosen == "Core2" || chosen == "Penryn" || chosen == "Dunnington" ||
                           chosen == "Nehalem" || chosen == "Barcelona" || chosen == "Opteron" || chosen == "Unknown";
  __builtin_cpu_init();
  if (!without_avx || std::getenv("OPENBLAS_CORETYPE") || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
  bool const avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  setenv("OPENBLAS_CORETYPE", avx512 ? "SkylakeX" : "Haswell", 1);
  allow_all_cores();              // the new program would inherit a pinned thread's one core
  execv("/proc/self/exe", argv);  // where that fails, the slow kernels stay, and the study names them
#endif
}

}  // namespace study::peers
