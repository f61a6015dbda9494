// wmma_matmul: halves multiplied on tensor cores, the result in float.
#include "../../examples/kernels/wmma_matmul.hpp"
#include "../padded.hpp"
#include "../peers/cublas.hpp"
#include "../peers/openblas.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct wmma_matmul {
  using data = padded_matrices<B, T, float>;
  static void portable(data& d) {
    using kernel = kernels::wmma_matmul<T>;
    dolmen::launch(d.stream, kernel::blocks(d.side, d.side),
                   kernel{d.matrix(0).template as_packs<8>(), d.matrix(1).template as_packs<8>(), d.out_matrix()});
  }
  static void by_hand(data& d) { peers::wmma_matmul(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.side); }
  static auto variants() {
    auto list = with_twin<wmma_matmul>();
    if constexpr (on_cpu<B>) {
#if STUDY_HAS_OPENBLAS
      list.push_back({"openblas", [](data& d) { peers::openblas_gemm(d.side, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
    } else {
#if STUDY_HAS_CUBLAS
      list.push_back({"cublas", [](data& d) { peers::cublas_gemm(d.stream, d.side, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
    }
    return list;
  }
};

}  // namespace cases

void add_tensor_cases(registry& r) {
  double (*const matrices)(double) = [](double n) { return (2 * sizeof(dolmen::half) + sizeof(float)) * n * n; };
  add_case<cases::wmma_matmul, dolmen::half>(
      r, {.name = "wmma_matmul",
          .type = {},
          .about = "halves multiplied in float, fragments and tiles copied ahead",
          .accuracy = "16 sqrt(n) roundings of |row of A| |column of B|; above n = 512 in 32 rows and two checksums of all elements",
          .kind = traffic::compute,
          .bytes = matrices,
          .flops = [](double n) { return 2 * n * n * n; },
          .footprint = matrices,
          .cpu_sizes = {512, 1024},
          .gpu_sizes = {1024, 4096, 8192},
          .tour = {heading::kernels, 512, 4096},
          .make = half_product_problem});
}

}  // namespace study
