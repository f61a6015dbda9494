// The library's own algorithms on matrices (native bodies): transpose.
#include "../arrays.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct transpose_native {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::transpose(d.stream, d.matrix(0), d.out_matrix()); }
  static void by_hand(data& d) { peers::transpose_elements(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<transpose_native>(); }
};

}  // namespace cases

namespace {

template <class T>
void add_transpose(registry& r, index_t gpu_side) {
  double (*const in_and_out)(double) = [](double n) { return 2 * sizeof(T) * n * n; };
  add_case<cases::transpose_native, T>(r, {.name = "transpose_native",
                                           .type = {},
                                           .about = "the library's transpose of a square matrix",
                                           .accuracy = "exact",
                                           .kind = traffic::copy,
                                           .bytes = in_and_out,
                                           .flops = nullptr,
                                           .footprint = in_and_out,
                                           .cpu_sizes = {256, 8192},
                                           .gpu_sizes = {1024, gpu_side},
                                           .make = transpose_problem<T>});
}

}  // namespace

void add_row_cases(registry& r) {
  add_transpose<float>(r, 16384);
  add_transpose<double>(r, 8192);
  add_transpose<dolmen::half>(r, 16384);
  add_transpose<std::uint8_t>(r, 32768);
}

}  // namespace study
