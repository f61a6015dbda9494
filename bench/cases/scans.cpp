// Scans of all elements.
#include "../peers/scans.hpp"
#include "../arrays.hpp"
#include "../peers/cub.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct inclusive_scan {
  using data = arrays<B, T>;
  static variants_of<data> variants() {
    variants_of<data> list{{"dolmen", [](data& d) { dolmen::inclusive_scan(d.stream, d.input(0), d.out); }}};
    if constexpr (on_cpu<B>) {
      list.push_back({"openmp", [](data& d) { peers::openmp_scan(d.in_data(0), d.out.data(), d.n); }});
      list.push_back({"kokkos", [](data& d) { peers::kokkos_scan(d.in_data(0), d.out.data(), d.n); }});
    } else {
#if DOLMEN_HAS_CUDA
      if constexpr (!dolmen::half_type<T>)  // which CUB adds in half: another result
        list.push_back({"cub", [](data& d) { peers::cub_scan(d.stream, d.in_data(0), d.out.data(), d.n); }});
#endif
    }
    return list;
  }
};

}  // namespace cases

namespace {

template <class T>
void add_scan(registry& r) {
  double (*const read_and_written)(double) = [](double n) { return 2 * sizeof(T) * n; };
  add_case<cases::inclusive_scan, T>(r, {.name = "inclusive_scan",
                                         .type = {},
                                         .about = "running sums of all elements",
                                         .accuracy = "exact: sums of the data are exact in any order",
                                         .kind = traffic::copy,
                                         .bytes = read_and_written,
                                         .flops = [](double n) { return n; },
                                         .footprint = read_and_written,
                                         .cpu_sizes = with_small(cpu_lengths<T>()),
                                         .gpu_sizes = {1000, 100000, 1 << 20, (index_t(1) << 30) / index_t(sizeof(T))},
                                         .tour = std::is_same_v<T, float> ? tour_of_arrays<T>(heading::reductions) : tour_entry{},
                                         .make = prefix_sum_problem<T>});
}

}  // namespace

void add_scan_cases(registry& r) {
  add_scan<float>(r);
  add_scan<double>(r);
  add_scan<dolmen::half>(r);
  add_scan<std::int32_t>(r);
  add_scan<std::uint8_t>(r);
}

}  // namespace study
