// The library's own algorithms on matrices (native bodies): transpose, and what works along rows.
#include <cstring>

#include "../arrays.hpp"
#include "../peers/past_caches.hpp"

namespace study {
namespace cases {

/// The output of a transposition, or of a copy: what the machine can do at most.
template <class B, class T>
struct moved : arrays<B, T> {
  using arrays<B, T>::arrays;
  bool copied = false;

  verdict verify() {
    if (!copied) return arrays<B, T>::verify();
    host_array<T> in(this->out.size()), out(this->out.size());
    dolmen::copy(this->stream, this->in[0], in.span());
    dolmen::copy(this->stream, this->out, out.span());
    this->stream.synchronize();
    return {double(std::memcmp(in.data(), out.data(), std::size_t(in.size()) * sizeof(T)) != 0), 0};
  }
};

template <class B, class T>
struct transposition {
  using data = moved<B, T>;
  static void portable(data& d) {
    d.copied = false;
    dolmen::transpose(d.stream, d.matrix(0), d.out_matrix());
  }
  static void by_hand(data& d) {
    d.copied = false;
    peers::transpose_elements(d.stream, d.in_data(0), d.out.data(), d.n);
  }
  static auto variants() {
    auto all = with_twin<transposition>();
    if constexpr (on_cpu<B>)
      all.push_back({"copy_nt", [](data& d) {
                       d.copied = true;
                       index_t const bytes = d.out.size() * index_t(sizeof(T)), rest = bytes % index_t(sizeof(float));
                       auto const* const from = reinterpret_cast<char const*>(d.in_data(0));
                       auto* const to = reinterpret_cast<char*>(d.out.data());
                       peers::copy_past_caches(d.stream, reinterpret_cast<float const*>(from), reinterpret_cast<float*>(to),
                                               bytes / index_t(sizeof(float)));
                       std::memcpy(to + bytes - rest, from + bytes - rest, std::size_t(rest));
                     }});
    return all;
  }
};

/// Rows of d.n elements.
template <class Data>
auto rows_in(Data& d) {
  return d.in[0].view(d.out.size() / d.n, d.n);
}
template <class Data>
auto rows_out(Data& d) {
  return d.out.view(d.out.size() / d.n, d.n);
}

template <class B, class T>
struct softmax {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::softmax(d.stream, rows_in(d), rows_out(d)); }
  static void by_hand(data& d) { peers::softmax(d.stream, d.in_data(0), d.out.data(), d.out.size() / d.n, d.n); }
  static auto variants() { return with_twin<softmax>(); }
};

template <class B, class T>
struct layer_norm {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::layer_norm(d.stream, rows_in(d), rows_out(d), {.gamma = d.in[1], .beta = d.in[2], .eps = float(norm_eps)});
  }
  static void by_hand(data& d) {
    peers::layer_norm(d.stream, d.in_data(0), d.in_data(1), d.in_data(2), d.out.data(), d.out.size() / d.n, d.n, float(norm_eps));
  }
  static auto variants() { return with_twin<layer_norm>(); }
};

template <class B, class T>
struct rms_norm {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::rms_norm(d.stream, rows_in(d), rows_out(d), {.gamma = d.in[1], .eps = float(norm_eps)}); }
  static void by_hand(data& d) {
    peers::layer_norm(d.stream, d.in_data(0), d.in_data(1), static_cast<T const*>(nullptr), d.out.data(), d.out.size() / d.n, d.n,
                      float(norm_eps));
  }
  static auto variants() { return with_twin<rms_norm>(); }
};

}  // namespace cases

namespace {

template <class T>
void add_transpose(registry& r, index_t gpu_side) {
  double (*const in_and_out)(double) = [](double n) { return 2 * sizeof(T) * n * n; };
  add_case<cases::transposition, T>(r, {.name = "transposition",
                                        .type = {},
                                        .about = "the library's transpose of a square matrix",
                                        .accuracy = "exact",
                                        .kind = traffic::copy,
                                        .bytes = in_and_out,
                                        .flops = nullptr,
                                        .footprint = in_and_out,
                                        .cpu_sizes = {256, 8192},
                                        .gpu_sizes = {1024, gpu_side},
                                        .tour = std::is_same_v<T, float> ? tour_of_matrices(heading::moves) : tour_entry{},
                                        .make = transpose_problem<T>});
}

template <class T>
case_info row_info(char const* name, char const* about, problem_ptr (*make)(index_t)) {
  double (*const in_and_out)(double) = [](double n) { return 2 * sizeof(T) * n * double(rows_of<T>(index_t(n))); };
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = "one rounding of the type and 34 + sqrt(n) of float",
          .kind = traffic::copy,
          .bytes = in_and_out,
          .flops = nullptr,
          .footprint = in_and_out,
          .cpu_sizes = {256, 16384, 131072},
          .gpu_sizes = {256, 1024, 4096, 16384, 32768, 131072, 1 << 20},
          .tour = std::is_same_v<T, float> ? tour_entry{heading::rows, 16384, 16384} : tour_entry{},
          .make = make};
}

template <class T>
void add_rows(registry& r) {
  add_case<cases::softmax, T>(r, row_info<T>("softmax", "softmax of rows that long, 256 MiB of them", softmax_problem<T>));
  add_case<cases::layer_norm, T>(r, row_info<T>("layer_norm", "layer norm of rows that long, with gamma and beta", layer_norm_problem<T>));
}

}  // namespace

void add_row_cases(registry& r) {
  add_transpose<float>(r, 16384);
  add_transpose<double>(r, 8192);
  add_transpose<dolmen::half>(r, 16384);
  add_transpose<std::uint8_t>(r, 32768);
  add_rows<float>(r);
  add_rows<dolmen::half>(r);
  add_case<cases::rms_norm, float>(r, row_info<float>("rms_norm", "RMS norm of rows that long, with gamma", rms_norm_problem<float>));
}

}  // namespace study
