// sort and sort_by_key: random keys. The library sorts in place, so that its time includes a copy; so does that of those beside it.
#include <algorithm>

#include "../arrays.hpp"
#include "../peers/cub.hpp"
#include "../peers/sorts.hpp"

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
#if STUDY_HAS_HIGHWAY
      if constexpr (sizeof(T) >= 4)
        list.push_back({"vqsort", [](data& d) {
                          std::copy_n(d.in_data(0), d.n, d.out.data());
                          peers::vqsort(d.out.data(), d.n);
                        }});
#endif
    } else {
#if DOLMEN_HAS_CUDA
      list.push_back({"cub", [](data& d) { peers::cub_sort_in_place(d.stream, d.in_data(0), d.out.data(), d.n); }});
      list.push_back({"cub_elsewhere", [](data& d) { peers::cub_sort(d.stream, d.in_data(0), d.out.data(), d.n); }});
#endif
    }
    return list;
  }
};

/// The output holds the keys, and the values behind them.
template <class B, class T>
struct pair_sorts {
  using data = arrays<B, T>;
  static void copy_input(data& d) {
    dolmen::copy(d.stream, d.input(0), d.out.view().slice(0, d.n));
    dolmen::copy(d.stream, d.input(1), d.out.view().slice(d.n, d.n));
  }
  static variants_of<data> variants() {
    variants_of<data> list{{"dolmen", [](data& d) {
                              copy_input(d);
                              dolmen::sort_by_key(d.stream, d.out.view().slice(0, d.n), d.out.view().slice(d.n, d.n));
                            }}};
    if constexpr (on_cpu<B>) {
      list.push_back({"std_stable_sort", [](data& d) { peers::stable_sort_pairs(d.in_data(0), d.in_data(1), d.out.data(), d.n); }});
    } else {
#if DOLMEN_HAS_CUDA
      list.push_back({"cub", [](data& d) {
                        copy_input(d);
                        peers::cub_sort_pairs_in_place(d.stream, d.out.data(), d.out.data() + d.n, d.n);
                      }});
#endif
    }
    return list;
  }
};

template <class T>
void add_sort(registry& r, tour_entry tour = {}) {
  double (*const read_and_written)(double) = [](double n) { return 2 * sizeof(T) * n; };
  add_case<sorts, T>(r, {.name = "sort",
                         .type = {},
                         .about = "random keys in ascending order",
                         .accuracy = "exact",
                         .kind = traffic::copy,
                         .bytes = read_and_written,
                         .flops = nullptr,
                         .footprint = read_and_written,
                         .cpu_sizes = {1000, 1 << 16, 1 << 22},
                         .gpu_sizes = {100000, 1 << 20, 1 << 28},
                         .tour = tour,
                         .make = sorting_problem<T>});
}

}  // namespace cases

void add_sort_cases(registry& r) {
  cases::add_sort<std::int32_t>(r, {heading::selections, 1 << 20, 1 << 26});
  cases::add_sort<std::int64_t>(r);
  cases::add_sort<std::uint8_t>(r);
  cases::add_sort<float>(r);
  cases::add_sort<double>(r);
  double (*const read_and_written)(double) = [](double n) { return 4 * sizeof(std::int32_t) * n; };
  add_case<cases::pair_sorts, std::int32_t>(r, {.name = "sort_by_key",
                                                .type = {},
                                                .about = "random keys in ascending order, with their indices",
                                                .accuracy = "exact",
                                                .kind = traffic::copy,
                                                .bytes = read_and_written,
                                                .flops = nullptr,
                                                .footprint = read_and_written,
                                                .cpu_sizes = {1000, 1 << 16, 1 << 22},
                                                .gpu_sizes = {100000, 1 << 20, 1 << 27},
                                                .tour = {},
                                                .make = pair_sorting_problem});
}

}  // namespace study
