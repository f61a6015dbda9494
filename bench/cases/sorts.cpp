// sort: random keys. The library sorts in place, so that its time includes a copy.
#include <algorithm>

#include "../arrays.hpp"
#include "../peers/cub.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct sorts {
  using data = arrays<B, T>;
  static variants_of<data> variants() {
    variants_of<data> list{{"dolmen", [](data& d) {
                              dolmen::copy(d.stream, d.input(0), d.out);
                              dolmen::sort(d.stream, d.out);
                            }}};
    if constexpr (on_cpu<B>) {
      list.push_back({"std_sort", [](data& d) {
                        std::copy_n(d.in_data(0), d.n, d.out.data());
                        std::sort(d.out.data(), d.out.data() + d.n);
                      }});
    } else {
#if DOLMEN_HAS_CUDA
      list.push_back({"cub", [](data& d) { peers::cub_sort(d.stream, d.in_data(0), d.out.data(), d.n); }});
#endif
    }
    return list;
  }
};

}  // namespace cases

void add_sort_cases(registry& r) {
  double (*const read_and_written)(double) = [](double n) { return 2 * sizeof(std::int32_t) * n; };
  add_case<cases::sorts, std::int32_t>(r, {.name = "sort",
                                           .type = {},
                                           .about = "random keys in ascending order",
                                           .accuracy = "exact",
                                           .kind = traffic::copy,
                                           .bytes = read_and_written,
                                           .flops = nullptr,
                                           .footprint = read_and_written,
                                           .cpu_sizes = {1 << 16, 1 << 22},
                                           .gpu_sizes = {100000, 1 << 20, 1 << 28},
                                           .tour = {heading::selections, 1 << 20, 1 << 26},
                                           .make = sorting_problem<std::int32_t>});
}

}  // namespace study
