// Device memory of a problem of square matrices that are padded with zeros to a multiple of 8 rows and columns, so that kernels
// that move 16 bytes at a time take any size.
#pragma once

#include <algorithm>

#include "add_case.hpp"

namespace study {

template <class B, class T, class Out = T>
class padded_matrices {
 public:
  using backend = B;

  typename B::stream stream;
  index_t side;  // rows and columns, the padding among them
  std::vector<dolmen::buffer<T, B>> in;
  dolmen::buffer<Out, B> out;

  padded_matrices(typename B::stream const& s, problem_base const& p) : stream(s), problem_(dynamic_cast<problem<T, Out> const&>(p)) {
    index_t const n = problem_.n;
    side = dolmen::ceil_div(n, index_t(8)) * 8;
    for (auto const& host : problem_.in) {
      auto& data = in.emplace_back(s, side * side);
      if (side != n) {
        host_array<T> zeros(side * side);
        std::fill_n(zeros.data(), side * side, T(0));
        dolmen::copy(s, zeros.span(), data);
      }
      dolmen::copy(s, host.span(), data.view(side, side).subview({0, 0}, {n, n}));
    }
    out = dolmen::buffer<Out, B>(s, side * side);
  }

  void reset() { peers::poison(stream, out.data(), out.size() * index_t(sizeof(Out))); }
  verdict verify() {
    index_t const n = problem_.n;
    host_array<Out> got(n * n);
    dolmen::copy(stream, out_matrix().subview({0, 0}, {n, n}), got.span());
    stream.synchronize();
    return problem_.check(std::as_const(got).span());
  }

  dolmen::view<T const, 2> matrix(int k) const { return in[std::size_t(k)].view(side, side); }
  dolmen::view<Out, 2> out_matrix() { return out.view(side, side); }
  T const* in_data(int k) const { return in[std::size_t(k)].data(); }

 private:
  problem<T, Out> const& problem_;
};

}  // namespace study
