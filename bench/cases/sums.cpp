// block_sum (a portable kernel with a barrier) and sum (native bodies).
#include "../../examples/kernels/block_sum.hpp"
#include "../arrays.hpp"
#include "../peers/cublas.hpp"
#include "../peers/kokkos.hpp"
#include "../peers/openblas.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct block_sum {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::launch(d.stream, kernels::block_sum::blocks(d.n), kernels::block_sum{d.input(0), d.out.view()}); }
  static void by_hand(data& d) { peers::block_sum(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<block_sum>(); }
};

template <class B, class T>
struct sum {
  using data = arrays<B, T, dolmen::sum_t<T>>;
  static void portable(data& d) { dolmen::sum(d.stream, d.input(0), d.out); }
  static void by_hand(data& d) { peers::sum(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() {
    auto list = with_twin<sum>(peers::sum_name<B>);
    if constexpr (on_cpu<B>) list.push_back({"kokkos", [](data& d) { peers::kokkos_sum(d.in_data(0), d.out.data(), d.n); }});
    return list;
  }
};

template <class B, class T>
struct dot {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::dot(d.stream, d.input(0), d.input(1), d.out); }
  static void by_hand(data& d) { peers::dot(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() {
    auto list = with_twin<dot>(peers::sum_name<B>);
    if constexpr (on_cpu<B>) {
      list.push_back({"kokkos", [](data& d) { peers::kokkos_dot(d.in_data(0), d.in_data(1), d.out.data(), d.n); }});
#if STUDY_HAS_OPENBLAS
      list.push_back({"openblas", [](data& d) { peers::openblas_dot(d.n, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
    } else {
#if STUDY_HAS_CUBLAS
      list.push_back({"cublas", [](data& d) { peers::cublas_dot(d.stream, d.n, d.in_data(0), d.in_data(1), d.out.data()); }});
#endif
    }
    return list;
  }
};

template <class B, class T>
struct argmin {
  using data = arrays<B, T, dolmen::index_t>;
  static void portable(data& d) { dolmen::argmin(d.stream, d.input(0), d.out); }
  static void by_hand(data& d) { peers::argmin(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() {
    auto list = with_twin<argmin>(peers::sum_name<B>);
    if constexpr (on_cpu<B>) list.push_back({"kokkos", [](data& d) { peers::kokkos_argmin(d.in_data(0), d.out.data(), d.n); }});
    return list;
  }
};

template <class B, class T>
struct row_sums {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::reduce_rows(d.stream, d.matrix(0), d.out); }
  static void by_hand(data& d) { peers::row_sums(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<row_sums>(peers::sum_name<B>); }
};

template <class B, class T>
struct column_sums {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::reduce_columns(d.stream, d.matrix(0), d.out); }
  static void by_hand(data& d) { peers::column_sums(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<column_sums>(); }
};

}  // namespace cases

namespace {

template <class T>
case_info sum_info(char const* accuracy) {
  return {.name = "sum",
          .type = {},
          .about = "the library's sum of all elements",
          .accuracy = accuracy,
          .kind = traffic::read,
          .bytes = [](double n) { return sizeof(T) * n; },
          .flops = [](double n) { return n; },
          .footprint = [](double n) { return sizeof(T) * n; },
          .cpu_sizes = with_small(cpu_lengths<T>()),
          .gpu_sizes = with_small(gpu_lengths<T>()),
          .tour = std::is_same_v<T, float> ? tour_of_arrays<T>(heading::reductions) : tour_entry{},
          .make = sum_problem<T>};
}

/// As a sum's, but for what is said.
template <class T>
case_info dot_info() {
  auto info = sum_info<T>("64 + log2(n) roundings of the sum of magnitudes");
  info.name = "dot";
  info.about = "the sum of the products of two inputs";
  info.bytes = info.footprint = [](double n) { return 2 * sizeof(T) * n; };
  info.flops = [](double n) { return 2 * n; };
  info.make = dot_problem<T>;
  return info;
}

case_info line_info(char const* name, char const* about, problem_ptr (*make)(index_t)) {
  auto info = sum_info<float>("64 + log2(side) roundings of each line's magnitudes");
  info.name = name;
  info.about = about;
  info.bytes = info.footprint = [](double side) { return sizeof(float) * side * side; };
  info.flops = [](double side) { return side * side; };
  info.cpu_sizes = {256, 5000};
  info.gpu_sizes = {1000, 16384};
  info.tour = {heading::reductions, 5000, 8192};
  info.make = make;
  return info;
}

}  // namespace

void add_sum_cases(registry& r) {
  auto blocks = sum_info<float>("eight roundings of the sum of magnitudes");
  blocks.name = "block_sum";
  blocks.about = "one sum per 256 elements, a tree with barriers";
  blocks.bytes = blocks.footprint = [](double n) { return sizeof(float) * (n + n / 256); };
  blocks.tour = tour_of_arrays<float>(heading::kernels);
  blocks.make = block_sum_problem<float>;
  add_case<cases::block_sum, float>(r, blocks);
  add_case<cases::sum, float>(r, sum_info<float>("64 + log2(n) roundings of the sum of magnitudes"));
  add_case<cases::sum, double>(r, sum_info<double>("64 + log2(n) roundings of the sum of magnitudes"));
  add_case<cases::sum, dolmen::half>(r, sum_info<dolmen::half>("in float: 64 + log2(n) roundings of the sum of magnitudes"));
  auto const add_integers = [&]<class T>(T) {
    auto integers = sum_info<T>("exact, in 64 bits");
    integers.flops = nullptr;
    add_case<cases::sum, T>(r, integers);
  };
  add_integers(std::int8_t());
  add_integers(std::int32_t());
  add_case<cases::dot, float>(r, dot_info<float>());
  add_case<cases::dot, double>(r, dot_info<double>());
  auto places = sum_info<float>("exact");
  places.name = "argmin";
  places.about = "the place of the least element";
  places.flops = nullptr;
  places.make = argmin_problem;
  add_case<cases::argmin, float>(r, places);
  add_case<cases::row_sums, float>(r, line_info("row_sums", "the sum of each row of a square matrix", row_sums_problem));
  add_case<cases::column_sums, float>(r, line_info("column_sums", "the sum of each column of a square matrix", column_sums_problem));
}

}  // namespace study
