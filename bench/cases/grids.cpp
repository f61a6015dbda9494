// transpose, transpose_pack, stencil5: two-dimensional grids through tiles in shared memory.
#include "../../examples/kernels/stencil.hpp"
#include "../../examples/kernels/transpose.hpp"
#include "../../examples/kernels/transpose_packs.hpp"
#include "../arrays.hpp"
#include "../padded.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct transpose {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::tiled_transpose::blocks(d.n, d.n), kernels::tiled_transpose{d.matrix(0), d.out_matrix()});
  }
  static void by_hand(data& d) { peers::transpose(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<transpose>(); }
};

template <class B, class T>
struct transpose_packs {
  using data = padded_matrices<B, T>;
  static void portable(data& d) {
    using kernel = kernels::transpose_packs;
    dolmen::launch(d.stream, kernel::blocks(d.side, d.side),
                   kernel{d.matrix(0).template as_packs<4>(), d.out_matrix().template as_packs<4>()});
  }
  static void by_hand(data& d) { peers::transpose_packs(d.stream, d.in_data(0), d.out.data(), d.side); }
  static auto variants() { return with_twin<transpose_packs>(); }
};

template <class B, class T>
struct stencil {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::stencil5::blocks(d.n, d.n), kernels::stencil5{d.matrix(0), d.out_matrix()});
  }
  static void by_hand(data& d) { peers::stencil(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<stencil>(); }
};

}  // namespace cases

void add_grid_cases(registry& r) {
  double (*const in_and_out)(double) = [](double n) { return 2 * sizeof(float) * n * n; };
  case_info info{.name = "transpose",
                 .type = {},
                 .about = "transpose of a square matrix through padded tiles",
                 .accuracy = "exact",
                 .kind = traffic::copy,
                 .bytes = in_and_out,
                 .flops = nullptr,
                 .footprint = in_and_out,
                 .cpu_sizes = {256, 8192},
                 .gpu_sizes = {1024, 16384},
                 .tour = tour_of_matrices(heading::kernels),
                 .make = transpose_problem<float>};
  add_case<cases::transpose, float>(r, info);
  info.name = "transpose_pack";
  info.about = "the same through tiles of 64 x 64, 16 bytes at a time on both sides";
  add_case<cases::transpose_packs, float>(r, info);
  info.name = "stencil5";
  info.about = "mean of the four neighbours, tiles with a halo";
  info.accuracy = "three roundings of the sum of magnitudes";
  info.flops = [](double n) { return 4 * n * n; };
  info.make = stencil_problem<float>;
  add_case<cases::stencil, float>(r, info);
}

}  // namespace study
