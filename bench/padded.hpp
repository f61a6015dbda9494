// Device memory of a problem of square matrices whose rows are padded to whole packs, so that kernels that move 16 bytes at a
// time take any size.
#pragma once

#include "add_case.hpp"

namespace study {

template <class B, class T, class Out = T>
class padded_matrices {
 public:
  using backend = B;

  typename B::stream stream;
  index_t n;      // rows and columns
  index_t pitch;  // elements from row to row: a multiple of 8
  std::vector<dolmen::buffer<T, B>> in;
  dolmen::buffer<Out, B> out;

  padded_matrices(typename B::stream const& s, problem_base const& p) : stream(s), problem_(dynamic_cast<problem<T, Out> const&>(p)) {
    n = problem_.n;
    pitch = dolmen::ceil_div(n, index_t(8)) * 8;
    for (auto const& host : problem_.in) {
      auto& data = in.emplace_back(s, n * pitch);
      if (pitch != n) {  // zeros behind the rows
        host_array<T> zeros(n * pitch);
        std::fill_n(zeros.data(), n * pitch, T(0));
        dolmen::copy(s, zeros.span(), data);
      }
      dolmen::copy(s, host.span(), data.view(n, pitch).subview({0, 0}, {n, n}));
    }
    out = dolmen::buffer<Out, B>(s, n * pitch);
  }

  void reset() { peers::poison(stream, out.data(), out.size() * index_t(sizeof(Out))); }
  verdict verify() {
    host_array<Out> got(n * n);
    dolmen::copy(stream, out_matrix(), got.span());
    stream.synchronize();
    return problem_.check(std::as_const(got).span());
  }

  dolmen::view<T const, 2> matrix(int k) const { return {in_data(k), {{n, n}}, {{pitch}}}; }
  dolmen::view<Out, 2> out_matrix() { return {out.data(), {{n, n}}, {{pitch}}}; }
  /// Rows of whole packs, the padding among them.
  dolmen::view<T const, 2> padded(int k) const { return in[std::size_t(k)].view(n, pitch); }
  dolmen::view<Out, 2> padded_out() { return out.view(n, pitch); }
  T const* in_data(int k) const { return in[std::size_t(k)].data(); }

 private:
  problem<T, Out> const& problem_;
};

}  // namespace study
