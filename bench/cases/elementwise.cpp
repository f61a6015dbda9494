// vector_add, relu, axpy by blocks of threads, triad by for_each_index.
#include "../../examples/kernels/axpy.hpp"
#include "../../examples/kernels/relu.hpp"
#include "../../examples/kernels/vector_add.hpp"
#include "../arrays.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct vector_add {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::vector_add::blocks(d.n), kernels::vector_add{d.input(0), d.input(1), d.out.view()});
  }
  static void by_hand(data& d) { peers::vector_add(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() { return with_twin<vector_add>(); }
};

template <class B, class T>
struct relu {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::launch(d.stream, kernels::relu::blocks(d.n), kernels::relu{d.input(0), d.out.view()}); }
  static void by_hand(data& d) { peers::relu(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<relu>(); }
};

template <class B, class T>
struct axpy {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::axpy<T>::blocks(d.n), kernels::axpy<T>{T(axpy_alpha), d.input(0), d.out.view()});
  }
  static void by_hand(data& d) { peers::axpy(d.stream, T(axpy_alpha), d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<axpy>(); }
};

// A struct, as nvcc wraps a lambda for both sides into a call that the CPU cannot inline.
template <class T>
struct triad_body {
  T scalar;
  dolmen::view<T const> a, b;
  dolmen::view<T> c;
  DOLMEN_FN void operator()(dolmen::index_t i) const { c(i) = a(i) + scalar * b(i); }
};

template <class B, class T>
struct triad {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::for_each_index(d.stream, d.n, triad_body<T>{T(triad_scalar), d.input(0), d.input(1), d.out.view()});
  }
  static void by_hand(data& d) { peers::triad(d.stream, T(triad_scalar), d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() { return with_twin<triad>(); }
};

}  // namespace cases

namespace {

template <class T>
case_info three_arrays(char const* name, char const* about, char const* accuracy, problem_ptr (*make)(index_t), double (*flops)(double)) {
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = accuracy,
          .kind = traffic::triad,
          .bytes = [](double n) { return 3 * sizeof(T) * n; },
          .flops = flops,
          .footprint = [](double n) { return 3 * sizeof(T) * n; },
          .cpu_sizes = cpu_lengths<T>(),
          .gpu_sizes = gpu_lengths<T>(),
          .make = make};
}

double one_each(double n) { return n; }
double two_each(double n) { return 2 * n; }

// x is read, y is read and written.
template <class T>
case_info axpy_info() {
  auto info = three_arrays<T>("axpy", "y += alpha x", "two roundings of |alpha x| + |y|", axpy_problem<T>, two_each);
  info.footprint = [](double n) { return 2 * sizeof(T) * n; };
  return info;
}

template <class T>
case_info triad_info() {
  return three_arrays<T>("triad", "c = a + s b by for_each_index", "two roundings of |a| + |s b|", triad_problem<T>, two_each);
}

}  // namespace

void add_elementwise_cases(registry& r) {
  auto const in_tour = [](case_info info) {
    info.tour = tour_of_arrays<float>(heading::kernels);
    return info;
  };
  add_case<cases::vector_add, float>(r, in_tour(three_arrays<float>("vector_add", "c = a + b, one element per thread",
                                                                    "one rounding of |a| + |b|", vector_add_problem<float>, one_each)));
  auto relu = three_arrays<float>("relu", "out = max(in, 0)", "exact", relu_problem<float>, one_each);
  relu.kind = traffic::copy;
  relu.bytes = relu.footprint = [](double n) { return 2 * sizeof(float) * n; };
  add_case<cases::relu, float>(r, relu);
  add_case<cases::axpy, float>(r, in_tour(axpy_info<float>()));
  add_case<cases::axpy, double>(r, axpy_info<double>());
  add_case<cases::triad, float>(r, in_tour(triad_info<float>()));
  add_case<cases::triad, double>(r, triad_info<double>());
}

}  // namespace study
