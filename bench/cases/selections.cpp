// select: half of the elements, in their order.
#include "../arrays.hpp"
#include "../peers/cub.hpp"
#include "../peers/scans.hpp"

namespace study {
namespace cases {

struct is_negative {
  template <class T>
  DOLMEN_FN bool operator()(T value) const {
    return value < 0;
  }
};

/// Arrays, and the number that was selected.
template <class B, class T>
struct selected : arrays<B, T> {
  dolmen::buffer<index_t, B> count;
  index_t expected = 0;

  selected(typename B::stream const& s, problem_base const& p) : arrays<B, T>(s, p), count(s, 1) {
    for (T v : dynamic_cast<problem<T> const&>(p).in[0].span()) expected += v < 0;
  }
  verdict verify() {
    index_t const found = dolmen::download(this->stream, count)[0];
    return found == expected ? arrays<B, T>::verify() : verdict{double(found > expected ? found - expected : expected - found), 0};
  }
};

template <class B, class T>
struct select_half {
  using data = selected<B, T>;
  static variants_of<data> variants() {
    variants_of<data> list{{"dolmen", [](data& d) { dolmen::select(d.stream, d.input(0), d.out, d.count, is_negative{}); }}};
    if constexpr (on_cpu<B>) {
      list.push_back({"openmp", [](data& d) { peers::openmp_select(d.in_data(0), d.out.data(), d.count.data(), d.n); }});
    } else {
#if DOLMEN_HAS_CUDA
      list.push_back({"cub", [](data& d) { peers::cub_select(d.stream, d.in_data(0), d.out.data(), d.count.data(), d.n); }});
#endif
    }
    return list;
  }
};

}  // namespace cases

namespace {

template <class T>
void add_select(registry& r) {
  add_case<cases::select_half, T>(r, {.name = "select",
                                      .type = {},
                                      .about = "the negative ones of random numbers",
                                      .accuracy = "exact",
                                      .kind = traffic::copy,
                                      .bytes = [](double n) { return 1.5 * sizeof(T) * n; },
                                      .flops = nullptr,
                                      .footprint = [](double n) { return 1.5 * sizeof(T) * n; },
                                      .cpu_sizes = with_small(cpu_lengths<T>()),
                                      .gpu_sizes = {1000, 100000, 1 << 20, (index_t(1) << 30) / index_t(sizeof(T))},
                                      .tour = std::is_same_v<T, float> ? tour_of_arrays<T>(heading::selections) : tour_entry{},
                                      .make = selection_problem<T>});
}

}  // namespace

void add_selection_cases(registry& r) {
  add_select<float>(r);
  add_select<std::int32_t>(r);
}

}  // namespace study
