// The library's stencils (native bodies): 5 and 9 points of a plane, 7 and 27 of a space, and a convolution of a plane.
#include "../arrays.hpp"

namespace study {
namespace cases {

template <class B, class T, int Rank, bool Star>
struct near_stencil {
  using data = arrays<B, T>;
  static void portable(data& d) {
    if constexpr (Rank == 2)
      dolmen::stencil(d.stream, d.matrix(0), d.out_matrix(), weights(), dolmen::boundary::zero);
    else
      dolmen::stencil(d.stream, d.in[0].view(d.n, d.n, d.n), d.out.view(d.n, d.n, d.n), weights(), dolmen::boundary::zero);
  }
  static void by_hand(data& d) {
    peers::near_stencil(d.stream, d.in_data(0), d.out.data(), Rank == 3 ? d.n : 1, d.n, near_weights_of(Rank, Star));
  }
  static auto variants() { return with_twin<near_stencil>(); }

 private:
  static auto const& weights() {
    static auto const made = [] {
      auto const w = near_weights_of(Rank, Star);
      std::vector<double> const box(w.box + (Rank == 3 ? 0 : 9), w.box + (Rank == 3 ? 27 : 18));
      dolmen::array<int, Rank> radius{};
      for (int d = 0; d < Rank; ++d) radius[d] = 1;
      return dolmen::stencil_weights<Rank>(radius, box);
    }();
    return made;
  }
};

template <class B, class T>
using plane_star = near_stencil<B, T, 2, true>;
template <class B, class T>
using plane_box = near_stencil<B, T, 2, false>;
template <class B, class T>
using space_star = near_stencil<B, T, 3, true>;
template <class B, class T>
using space_box = near_stencil<B, T, 3, false>;

template <class B, class T>
struct convolution {
  using data = arrays<B, T>;
  static void portable(data& d) {
    static std::vector<double> const filter = [] {
      auto const f = study_filter();
      return std::vector<double>(std::begin(f.weight), std::end(f.weight));
    }();
    constexpr int side = filter_weights::side;
    dolmen::convolve(d.stream, d.matrix(0), filter, side, side, d.out_matrix(), dolmen::boundary::zero);
  }
  static void by_hand(data& d) { peers::convolution(d.stream, d.in_data(0), d.out.data(), d.n, study_filter()); }
  static auto variants() { return with_twin<convolution>(); }
};

}  // namespace cases

void add_stencil_cases(registry& r) {
  double (*const squares)(double) = [](double n) { return 2 * sizeof(float) * n * n; };
  double (*const cubes)(double) = [](double n) { return 2 * sizeof(float) * n * n * n; };
  case_info info{.name = "neighbours_5",
                 .type = {},
                 .about = "the library's stencil, 5 points of a plane, zeros beyond the edge",
                 .accuracy = "28 roundings of the sum of magnitudes",
                 .kind = traffic::copy,
                 .bytes = squares,
                 .flops = [](double n) { return 9 * n * n; },
                 .footprint = squares,
                 .cpu_sizes = {256, 8192},
                 .gpu_sizes = {1024, 16384},
                 .tour = tour_of_matrices(heading::stencils),
                 .make = near_problem<2, true>};
  add_case<cases::plane_star, float>(r, info);
  auto const of_planes = info.tour;
  info.tour = {};
  info.name = "neighbours_9";
  info.about = "the same, 9 points of a plane";
  info.flops = [](double n) { return 17 * n * n; };
  info.make = near_problem<2, false>;
  add_case<cases::plane_box, float>(r, info);
  constexpr int taps = filter_weights::side * filter_weights::side;
  info.name = "convolution";
  info.about = "a plane's convolution with 5 x 5 weights, zeros beyond the edge";
  info.accuracy = "26 roundings of the sum of magnitudes";
  info.flops = [](double n) { return (2 * taps - 1) * n * n; };
  info.tour = of_planes;
  info.make = convolution_problem;
  add_case<cases::convolution, float>(r, info);
  info.accuracy = "28 roundings of the sum of magnitudes";
  info.name = "neighbours_7";
  info.about = "the library's stencil, 7 points of a space, zeros beyond the edge";
  info.bytes = info.footprint = cubes;
  info.flops = [](double n) { return 13 * n * n * n; };
  info.cpu_sizes = {32, 384};
  info.gpu_sizes = {128, 640};
  info.tour = {};
  info.make = near_problem<3, true>;
  add_case<cases::space_star, float>(r, info);
  info.name = "neighbours_27";
  info.about = "the same, 27 points of a space";
  info.tour = {heading::stencils, 256, 512};
  info.flops = [](double n) { return 53 * n * n * n; };
  info.make = near_problem<3, false>;
  add_case<cases::space_box, float>(r, info);
}

}  // namespace study
