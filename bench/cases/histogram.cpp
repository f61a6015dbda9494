// histogram: bytes counted in shared memory, with atomics.
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
                                               .make = histogram_problem});
}

}  // namespace study
