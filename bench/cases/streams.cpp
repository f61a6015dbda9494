// transform with one to three inputs and the library's axpy and triad, beside loops by hand.
#include "../arrays.hpp"
#include "../peers/cublas.hpp"
#include "../peers/kokkos.hpp"
#include "../peers/past_caches.hpp"

namespace study {
namespace cases {

struct larger_than_zero {
  DOLMEN_FN float operator()(float x) const { return x < 0.0f ? 0.0f : x; }
};
struct sum_of_two {
  DOLMEN_FN float operator()(float a, float b) const { return a + b; }
};
struct product_and_sum {
  DOLMEN_FN float operator()(float a, float b, float c) const { return a * b + c; }
};

/// The variants of most cases, and on the CPU the loop that stores past the caches, and Kokkos.
template <class Case>
auto with_past_caches() {
  auto all = with_twin<Case>();
  if constexpr (on_cpu<typename Case::data::backend>) {
    all.push_back({"openmp_nt", Case::past_caches});
    all.push_back({"kokkos", Case::kokkos});
  }
  return all;
}

template <class B, class T>
struct transform_1 {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::transform(d.stream, d.in[0], d.out, larger_than_zero{}); }
  static void by_hand(data& d) { peers::relu(d.stream, d.in_data(0), d.out.data(), d.n); }
  static void past_caches(data& d) { peers::relu_past_caches(d.stream, d.in_data(0), d.out.data(), d.n); }
  static void kokkos(data& d) { peers::kokkos_relu(d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_past_caches<transform_1>(); }
};

template <class B, class T>
struct transform_2 {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::transform(d.stream, d.in[0], d.in[1], d.out, sum_of_two{}); }
  static void by_hand(data& d) { peers::vector_add(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static void past_caches(data& d) { peers::vector_add_past_caches(d.stream, d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static void kokkos(data& d) { peers::kokkos_vector_add(d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() { return with_past_caches<transform_2>(); }
};

template <class B, class T>
struct transform_3 {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::transform(d.stream, d.in[0], d.in[1], d.in[2], d.out, product_and_sum{}); }
  static void by_hand(data& d) { peers::multiply_add(d.stream, d.in_data(0), d.in_data(1), d.in_data(2), d.out.data(), d.n); }
  static void past_caches(data& d) {
    peers::multiply_add_past_caches(d.stream, d.in_data(0), d.in_data(1), d.in_data(2), d.out.data(), d.n);
  }
  static void kokkos(data& d) { peers::kokkos_multiply_add(d.in_data(0), d.in_data(1), d.in_data(2), d.out.data(), d.n); }
  static auto variants() { return with_past_caches<transform_3>(); }
};

template <class B, class T>
struct library_triad {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::triad(d.stream, d.in[0], T(triad_scalar), d.in[1], d.out); }
  static void by_hand(data& d) { peers::triad(d.stream, T(triad_scalar), d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static void past_caches(data& d) { peers::triad_past_caches(d.stream, T(triad_scalar), d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static void kokkos(data& d) { peers::kokkos_triad(T(triad_scalar), d.in_data(0), d.in_data(1), d.out.data(), d.n); }
  static auto variants() { return with_past_caches<library_triad>(); }
};

template <class B, class T>
struct library_axpy {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::axpy(d.stream, T(axpy_alpha), d.in[0], d.out); }
  static void by_hand(data& d) { peers::axpy(d.stream, T(axpy_alpha), d.in_data(0), d.out.data(), d.n); }
#if STUDY_HAS_CUBLAS
  static void cublas(data& d) {
    if constexpr (!on_cpu<B>) peers::cublas_axpy(d.stream, T(axpy_alpha), d.in_data(0), d.out.data(), d.n);
  }
#endif
  static auto variants() {
    auto all = with_twin<library_axpy>();
    if constexpr (on_cpu<B>) all.push_back({"kokkos", [](data& d) { peers::kokkos_axpy(T(axpy_alpha), d.in_data(0), d.out.data(), d.n); }});
#if STUDY_HAS_CUBLAS
    if constexpr (!on_cpu<B>) all.push_back({"cublas", cublas});
#endif
    return all;
  }
};

}  // namespace cases

namespace {

template <class T>
case_info stream_info(char const* name, char const* about, traffic kind, problem_ptr (*make)(index_t), double (*bytes)(double)) {
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = "as documented: at most two roundings",
          .kind = kind,
          .bytes = bytes,
          .flops = nullptr,
          .footprint = bytes,
          .cpu_sizes = with_small(cpu_lengths<T>()),
          .gpu_sizes = gpu_lengths<T>(),
          .tour = std::is_same_v<T, float> ? tour_of_arrays<T>(heading::elementwise) : tour_entry{},
          .make = make};
}

template <class T, int Arrays>
double bytes_of(double n) {
  return Arrays * sizeof(T) * n;
}

template <class T>
void add_linear(registry& r) {
  add_case<cases::library_triad, T>(
      r, stream_info<T>("library_triad", "the library's triad, c = a + s b", traffic::triad, triad_problem<T>, bytes_of<T, 3>));
  auto axpy = stream_info<T>("library_axpy", "the library's axpy, y += alpha x", traffic::triad, axpy_problem<T>, bytes_of<T, 3>);
  axpy.footprint = bytes_of<T, 2>;
  add_case<cases::library_axpy, T>(r, axpy);
}

}  // namespace

void add_stream_cases(registry& r) {
  auto const not_in_tour = [](case_info info) {
    info.tour = {};
    return info;
  };
  add_case<cases::transform_1, float>(r, not_in_tour(stream_info<float>("transform_1", "the library's transform, out = max(in, 0)",
                                                                        traffic::copy, relu_problem<float>, bytes_of<float, 2>)));
  add_case<cases::transform_2, float>(r, stream_info<float>("transform_2", "the library's transform, c = a + b", traffic::triad,
                                                            vector_add_problem<float>, bytes_of<float, 3>));
  add_case<cases::transform_3, float>(r, not_in_tour(stream_info<float>("transform_3", "the library's transform, out = a b + c",
                                                                        traffic::triad, multiply_add_problem<float>, bytes_of<float, 4>)));
  add_linear<float>(r);
  add_linear<double>(r);
}

}  // namespace study
