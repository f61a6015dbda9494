// Device memory of a problem: dense inputs and one output.
#pragma once

#include "add_case.hpp"

namespace study {

template <class B, class T, class Out = T>
class arrays {
 public:
  using backend = B;

  typename B::stream stream;
  index_t n;  // the size of the problem
  std::vector<dolmen::buffer<T, B>> in;
  dolmen::buffer<Out, B> out;

  arrays(typename B::stream const& s, problem_base const& p) : stream(s), problem_(dynamic_cast<problem<T, Out> const&>(p)) {
    n = problem_.n;
    for (auto const& host : problem_.in) in.push_back(dolmen::upload(s, host.span()));
    out = dolmen::buffer<Out, B>(s, problem_.out_size);
  }

  void reset() {
    if (problem_.initial.empty())
      peers::poison(stream, out.data(), out.size() * index_t(sizeof(Out)));
    else
      dolmen::copy(stream, problem_.initial.span(), out);
  }
  verdict verify() {
    host_array<Out> got(out.size());
    dolmen::copy(stream, out, got.span());
    stream.synchronize();
    return problem_.check(std::as_const(got).span());
  }

  dolmen::view<T const> input(int k) const { return in[std::size_t(k)].view(); }
  dolmen::view<T const, 2> matrix(int k) const { return in[std::size_t(k)].view(n, n); }
  dolmen::view<Out, 2> out_matrix() { return out.view(n, n); }
  T const* in_data(int k) const { return in[std::size_t(k)].data(); }

 private:
  problem<T, Out> const& problem_;
};

/// The usual sizes, in cache and in memory. A GPU's memory is measured with arrays of 1 GiB.
template <class T>
std::vector<index_t> cpu_lengths() {
  return {1 << 16, (index_t(1) << 27) / index_t(sizeof(T))};
}
template <class T>
std::vector<index_t> gpu_lengths() {
  return {1 << 20, (index_t(1) << 30) / index_t(sizeof(T))};
}
/// The tour's: arrays of 128 MiB on the CPU, which few caches hold, and of 256 MiB on a GPU. Larger ones would show the same,
/// and take longer to make and to verify.
template <class T>
tour_entry tour_of_arrays(heading under) {
  return {under, (index_t(1) << 27) / index_t(sizeof(T)), (index_t(1) << 28) / index_t(sizeof(T))};
}
/// Square matrices of floats.
inline tour_entry tour_of_matrices(heading under) { return {under, 8192, 8192}; }

/// Also sizes at which the launch decides.
inline std::vector<index_t> with_small(std::vector<index_t> sizes) {
  sizes.insert(sizes.begin(), {1000, 100000});
  return sizes;
}

}  // namespace study
