// histogram: bytes counted in shared memory, with atomics, by a portable kernel; byte_counts: by the library.
#include "../../examples/kernels/histogram.hpp"
#include "../arrays.hpp"
#include "../peers/cub.hpp"

namespace study {
namespace cases {

/// Setting the counts to zero is part of the work.
template <class B, class T>
struct histogram {
  using data = arrays<B, T, std::uint32_t>;
  static void portable(data& d) {
    using kernel = kernels::histogram;
    static index_t const most = dolmen::persistent_blocks<kernel>(d.stream);
    dolmen::fill(d.stream, d.out, 0u);
    dolmen::launch(d.stream, kernel::blocks(d.n, most), kernel{d.input(0), d.out});
  }
  static void by_hand(data& d) { peers::histogram(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() {
    auto list = with_twin<histogram>();
#if DOLMEN_HAS_CUDA
    if constexpr (!on_cpu<B>) list.push_back({"cub", [](data& d) { peers::cub_histogram(d.stream, d.in_data(0), d.out.data(), d.n); }});
#endif
    return list;
  }
};

template <class B, class T>
struct byte_counts {
  using data = arrays<B, T, std::uint32_t>;
  static variants_of<data> variants() {
    variants_of<data> list{{"dolmen", [](data& d) { dolmen::histogram(d.stream, d.input(0), d.out); }}};
    if constexpr (on_cpu<B>) {
      list.push_back({"openmp", [](data& d) { peers::histogram(d.stream, d.in_data(0), d.out.data(), d.n); }});
    } else {
#if DOLMEN_HAS_CUDA
      list.push_back({"cub", [](data& d) { peers::cub_histogram(d.stream, d.in_data(0), d.out.data(), d.n); }});
#endif
    }
    return list;
  }
};

}  // namespace cases

void add_histogram_cases(registry& r) {
  double (*const read_once)(double) = [](double n) { return n; };
  add_case<cases::histogram, std::uint8_t>(r, {.name = "histogram",
                                               .type = {},
                                               .about = "counts of random bytes, in shared memory, by atomics",
                                               .accuracy = "exact",
                                               .kind = traffic::read,
                                               .bytes = read_once,
                                               .flops = nullptr,
                                               .footprint = read_once,
                                               .cpu_sizes = cpu_lengths<std::uint8_t>(),
                                               .gpu_sizes = gpu_lengths<std::uint8_t>(),
                                               .tour = tour_of_arrays<std::uint8_t>(heading::kernels),
                                               .make = histogram_problem});
  case_info counts{.name = "byte_counts",
                   .type = {},
                   .about = "the library's histogram of random bytes",
                   .accuracy = "exact",
                   .kind = traffic::read,
                   .bytes = read_once,
                   .flops = nullptr,
                   .footprint = read_once,
                   .cpu_sizes = with_small(cpu_lengths<std::uint8_t>()),
                   .gpu_sizes = {1000, 100000, 1 << 20, index_t(1) << 30},
                   .tour = tour_of_arrays<std::uint8_t>(heading::selections),
                   .make = histogram_problem};
  add_case<cases::byte_counts, std::uint8_t>(r, counts);
  counts.name = "counts_skewed";
  counts.about = "the library's histogram of bytes that are all the same";
  counts.tour = {};
  counts.make = constant_histogram_problem;
  add_case<cases::byte_counts, std::uint8_t>(r, counts);
}

}  // namespace study
