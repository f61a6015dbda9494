#include "gemm.hpp"

#include "findings.hpp"
#include "operations.hpp"
#include "window.hpp"

namespace dolmen::check {

template <class T>
void launch_gemm(stream const& s, dolmen::detail::gemm_plan<T> const& p, source_location where) {
  s.require_valid("gemm", where);
  auto const by = impl::begin_operation("gemm", s.order(), where);
  auto const& w = impl::window::get();
  bool usable = true;
  auto const rows = [&](T const* data, index_t count, index_t width, index_t stride, impl::use what) {
    for (index_t r = 0; r < count && width > 0; ++r)
      usable = impl::use_range(by, data + r * stride, std::size_t(width) * sizeof(T), what) && usable;
  };
  if (p.k > 0) {
    rows(p.a, p.m, p.k, p.lda, impl::use::read);
    rows(p.b, p.k, p.n, p.ldb, impl::use::read);
  }
  if (p.beta != T(0)) rows(p.c, p.m, p.n, p.ldc, impl::use::read);
  rows(p.c, p.m, p.n, p.ldc, impl::use::write);
  auto const open = [&](auto* data) { return w.holds(data) ? reinterpret_cast<decltype(data)>(w.reach(data)) : data; };
  if (usable) {
    T const *const a = open(p.a), *const b = open(p.b);
    T* const c = open(p.c);
    for (index_t i = 0; i < p.m; ++i)
      for (index_t j = 0; j < p.n; ++j) {
        T sum = 0;
        for (index_t k = 0; k < p.k; ++k) sum += a[i * p.lda + k] * b[k * p.ldb + j];
        T const product = p.k > 0 ? p.alpha * sum : T(0);  // alpha may be NaN
        T& element = c[i * p.ldc + j];
        element = p.beta == T(0) ? product : product + p.beta * element;
      }
  }
  impl::flush();
}

template DOLMEN_API void launch_gemm(stream const&, dolmen::detail::gemm_plan<float> const&, source_location);
template DOLMEN_API void launch_gemm(stream const&, dolmen::detail::gemm_plan<double> const&, source_location);

}  // namespace dolmen::check
