// matmul_naive, matmul_tiled (portable kernels) and gemm (native bodies).
#include "../../examples/kernels/matmul.hpp"
#include "../arrays.hpp"
#include "../peers/cublas.hpp"
#include "../peers/openblas.hpp"

namespace study {
namespace cases {

/// The vendor's product, where the build has one.
template <class B, class T>
void add_vendor([[maybe_unused]] variants_of<arrays<B, T>>& variants) {
  using data [[maybe_unused]] = arrays<B, T>;
  if constexpr (on_cpu<B>) {
#if STUDY_HAS_OPENBLAS
    variants.push_back({"openblas", [](data& d) { peers::openblas_gemm(d.n, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
  } else {
#if STUDY_HAS_CUBLAS
    variants.push_back({"cublas", [](data& d) { peers::cublas_gemm(d.stream, d.n, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
  }
}

template <class B, class T>
struct matmul_naive {
  using data = arrays<B, T>;
  static void portable(data& d) {
    using kernel = kernels::naive_matmul<T>;
    dolmen::launch(d.stream, kernel::blocks(d.n, d.n), kernel{d.matrix(0), d.matrix(1), d.out_matrix()});
  }
  static void by_hand(data& d) { peers::matmul_naive(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() { return with_twin<matmul_naive>(); }
};

template <class B, class T>
struct matmul_tiled {
  using data = arrays<B, T>;
  static void portable(data& d) {
    using kernel = kernels::tiled_matmul<T>;
    dolmen::launch(d.stream, kernel::blocks(d.n, d.n), kernel{d.matrix(0), d.matrix(1), d.out_matrix()});
  }
  static void by_hand(data& d) { peers::matmul_tiled(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() {
    auto list = with_twin<matmul_tiled>();
    add_vendor<B, T>(list);
    return list;
  }
};

template <class B, class T>
struct gemm {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::gemm(d.stream, T(gemm_alpha), d.matrix(0), d.matrix(1), T(gemm_beta), d.out_matrix()); }
  static auto variants() {
    variants_of<data> list{{"dolmen", portable}};
    add_vendor<B, T>(list);
    return list;
  }
};

}  // namespace cases

namespace {

template <class T>
case_info product_info(char const* name, char const* about) {
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = "8 sqrt(n) roundings of |row of A| |column of B|; above n = 512 in 32 rows and two checksums of all elements",
          .kind = traffic::compute,
          .bytes = [](double n) { return 3 * sizeof(T) * n * n; },
          .flops = [](double n) { return 2 * n * n * n; },
          .footprint = [](double n) { return 3 * sizeof(T) * n * n; },
          .cpu_sizes = {1024, 2048},
          .gpu_sizes = {1024, 4096},
          .make = product_problem<T>};
}

}  // namespace

void add_matrix_cases(registry& r) {
  constexpr tour_entry side_by_side{heading::kernels, 512, 4096};
  auto naive = product_info<float>("matmul_naive", "one element of C per thread, no shared memory");
  naive.cpu_sizes = {512};  // seconds a run at 1024 where columns fall into the same cache lines
  naive.tour = side_by_side;
  add_case<cases::matmul_naive, float>(r, naive);
  auto tiled = product_info<float>("matmul_tiled", "32 x 32 tiles in shared memory");
  tiled.tour = side_by_side;
  add_case<cases::matmul_tiled, float>(r, tiled);
  auto library = product_info<float>("gemm", "the library's matrix product");
  library.tour = {heading::products, 1024, 4096};
  add_case<cases::gemm, float>(r, library);
  add_case<cases::gemm, double>(r, product_info<double>("gemm", "the library's matrix product"));
}

}  // namespace study
