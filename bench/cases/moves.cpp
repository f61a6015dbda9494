// fill and copy (native bodies), and what crosses between host and device: upload, download, relu with both.
#include <algorithm>

#include "../../examples/kernels/relu.hpp"
#include "../arrays.hpp"
#include "../peers/kokkos.hpp"
#include "../peers/past_caches.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct fill {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::fill(d.stream, d.out, T(fill_value)); }
  static void by_hand(data& d) { peers::fill(d.stream, d.out.data(), T(fill_value), d.n); }
  static void past_caches(data& d) { peers::fill_past_caches(d.stream, d.out.data(), T(fill_value), d.n); }
  static auto variants() {
    auto all = with_twin<fill>();
    if constexpr (on_cpu<B>) {
      all.push_back({"openmp_nt", past_caches});
      all.push_back({"kokkos", [](data& d) { peers::kokkos_fill(d.out.data(), T(fill_value), d.n); }});
    }
    return all;
  }
};

template <class B, class T>
struct copy {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::copy(d.stream, d.in[0], d.out); }
  static void by_hand(data& d) { peers::copy(d.stream, d.in_data(0), d.out.data(), d.n * index_t(sizeof(T))); }
  static void past_caches(data& d) { peers::copy_past_caches(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() {
    auto all = with_twin<copy>("memcpy");
    if constexpr (on_cpu<B>) {
      all.push_back({"openmp_nt", past_caches});
      all.push_back({"kokkos", [](data& d) { peers::kokkos_copy(d.in_data(0), d.out.data(), d.n); }});
    }
    return all;
  }
};

enum class way { up, down, both };

/// Pinned memory on the host, and buffers on the device: from -> in, in -> out, out -> to. Way::up ends with `in`,
/// Way::down starts with `out`.
template <class B, class T, way Way>
class transfer {
 public:
  using backend = B;

  typename B::stream stream;
  dolmen::pinned_buffer<T, B> from, to;
  dolmen::buffer<T, B> in, out;

  transfer(typename B::stream const& s, problem_base const& p)
      : stream(s), from(size_of(p)), to(size_of(p)), in(s, size_of(p)), out(s, size_of(p)), problem_(dynamic_cast<problem<T> const&>(p)) {
    std::copy_n(problem_.in[0].data(), from.size(), from.data());
  }

  index_t bytes() const { return from.size() * index_t(sizeof(T)); }
  void reset() {
    peers::poison(stream, in.data(), bytes());
    if constexpr (Way == way::down)
      dolmen::copy(stream, problem_.in[0].span(), out);
    else
      peers::poison(stream, out.data(), bytes());
    stream.synchronize();
    std::fill_n(to.data(), to.size(), std::numeric_limits<T>::quiet_NaN());
  }
  verdict verify() {
    if constexpr (Way == way::up) dolmen::copy(stream, in, to.span());
    stream.synchronize();
    return problem_.check(std::as_const(to).span());
  }

 private:
  static index_t size_of(problem_base const& p) { return dynamic_cast<problem<T> const&>(p).out_size; }
  problem<T> const& problem_;
};

template <class B, class T>
struct upload {
  using data = transfer<B, T, way::up>;
  static void portable(data& d) { dolmen::copy(d.stream, d.from.span(), d.in); }
  static void by_hand(data& d) { peers::upload(d.stream, d.from.data(), d.in.data(), d.bytes()); }
  static auto variants() { return with_twin<upload>("memcpy"); }
};

template <class B, class T>
struct download {
  using data = transfer<B, T, way::down>;
  static void portable(data& d) { dolmen::copy(d.stream, d.out, d.to.span()); }
  static void by_hand(data& d) { peers::download(d.stream, d.out.data(), d.to.data(), d.bytes()); }
  static auto variants() { return with_twin<download>("memcpy"); }
};

template <class B, class T>
struct relu_transfers {
  using data = transfer<B, T, way::both>;
  static void portable(data& d) {
    dolmen::copy(d.stream, d.from.span(), d.in);
    dolmen::launch(d.stream, kernels::relu::blocks(d.in.size()), kernels::relu{d.in.view(), d.out.view()});
    dolmen::copy(d.stream, d.out, d.to.span());
  }
  static void by_hand(data& d) {
    peers::upload(d.stream, d.from.data(), d.in.data(), d.bytes());
    peers::relu(d.stream, d.in.data(), d.out.data(), d.in.size());
    peers::download(d.stream, d.out.data(), d.to.data(), d.bytes());
  }
  static auto variants() { return with_twin<relu_transfers>(); }
};

}  // namespace cases

namespace {

template <int Arrays>
double arrays_of_floats(double n) {
  return Arrays * sizeof(float) * n;
}

case_info move_info(char const* name, char const* about, traffic kind, problem_ptr (*make)(index_t)) {
  return {.name = name,
          .type = {},
          .about = about,
          .accuracy = "exact",
          .kind = kind,
          .bytes = arrays_of_floats<1>,
          .flops = nullptr,
          .footprint = arrays_of_floats<2>,
          .cpu_sizes = cpu_lengths<float>(),
          .gpu_sizes = gpu_lengths<float>(),
          .tour = tour_of_arrays<float>(heading::moves),
          .make = make};
}

}  // namespace

void add_algorithm_cases(registry& r) {
  auto fill = move_info("fill", "the library's fill", traffic::write, fill_problem<float>);
  fill.footprint = fill.bytes;
  fill.cpu_sizes = with_small(fill.cpu_sizes);
  add_case<cases::fill, float>(r, fill);
  auto copy = move_info("copy", "the library's copy on the device", traffic::copy, copy_problem<float>);
  copy.bytes = arrays_of_floats<2>;
  copy.cpu_sizes = with_small(copy.cpu_sizes);
  add_case<cases::copy, float>(r, copy);
}

// The bytes are those that cross between host and device.
void add_transfer_cases(registry& r) {
  add_case<cases::upload, float>(r, move_info("upload", "copy from pinned memory of the host", traffic::transfer, copy_problem<float>));
  add_case<cases::download, float>(r, move_info("download", "copy to pinned memory of the host", traffic::transfer, copy_problem<float>));
  auto relu = move_info("relu_transfers", "upload, relu, download", traffic::transfer, relu_problem<float>);
  relu.tour = {};
  relu.bytes = arrays_of_floats<2>;
  relu.footprint = arrays_of_floats<4>;
  add_case<cases::relu_transfers, float>(r, relu);
}

}  // namespace study
