// Reductions, and what streams, events, buffers and devices do. A kernel file.
#include "calls.hpp"

namespace testing {
namespace {

struct above_three {
  DOLMEN_FN bool operator()(float x) const { return x > 3; }
};
struct halved {
  DOLMEN_FN float operator()(float x) const { return x / 2; }
};
struct difference {
  DOLMEN_FN float operator()(float x, float y) const { return x - y; }
};
struct larger {  // associative, and not one of the library's
  static constexpr bool commutative = true;
  DOLMEN_FN float operator()(float x, float y) const { return x < y ? y : x; }
};

}  // namespace

template <class B>
std::span<call<B> const> reducing_calls() {
  static constexpr call<B> all[] = {
      {"reduce", a | one, [](world<B>& w) { reduce(w.s, w.a, w.one); }},
      {"reduce", a | one, [](world<B>& w) { reduce(w.s, w.a, w.one, minimum{}, 0.25f); }},
      {"reduce", a | one, [](world<B>& w) { reduce(w.s, w.a, w.one, larger{}, 0.25f); }},
      {"reduce", a, [](world<B>& w) { w.returned = double(reduce(w.s, w.a)); }},
      {"reduce", a, [](world<B>& w) { w.returned = double(reduce(w.s, w.a, larger{}, 0.25f)); }},
      {"sum", row | one, [](world<B>& w) { sum(w.s, w.row, w.one); }},
      {"sum", keys, [](world<B>& w) { w.returned = double(sum(w.s, w.keys)); }},
      {"product", c | one, [](world<B>& w) { product(w.s, w.c, w.one); }},
      {"product", c, [](world<B>& w) { w.returned = double(product(w.s, w.c)); }},
      {"min_of", a | one, [](world<B>& w) { min_of(w.s, w.a, w.one); }},
      {"min_of", b, [](world<B>& w) { w.returned = double(min_of(w.s, w.b)); }},
      {"max_of", a | one, [](world<B>& w) { max_of(w.s, w.a, w.one); }},
      {"max_of", b, [](world<B>& w) { w.returned = double(max_of(w.s, w.b)); }},
      {"minmax_of", a | extremes, [](world<B>& w) { minmax_of(w.s, w.a, w.extremes); }},
      {"minmax_of", b, [](world<B>& w) { w.returned = double(minmax_of(w.s, w.b).max); }},
      {"argmin", a | index, [](world<B>& w) { argmin(w.s, w.a, w.index); }},
      {"argmin", keys, [](world<B>& w) { w.returned = double(argmin(w.s, w.keys)); }},
      {"argmax", a | index, [](world<B>& w) { argmax(w.s, w.a, w.index); }},
      {"argmax", keys, [](world<B>& w) { w.returned = double(argmax(w.s, w.keys)); }},
      {"reduce_rows", 0, [](world<B>& w) { reduce_rows(w.s, w.a.view(16, 16), w.c.view().slice(0, 16)); }},
      {"reduce_rows", 0, [](world<B>& w) { reduce_rows(w.s, w.a.view(16, 16), w.c.view().slice(0, 16), larger{}, 1.0f); }},
      {"reduce_columns", 0, [](world<B>& w) { reduce_columns(w.s, w.a.view(16, 16), w.c.view().slice(0, 16)); }},
      {"reduce_columns", 0, [](world<B>& w) { reduce_columns(w.s, w.a.view(16, 16), w.c.view().slice(0, 16), larger{}, 1.0f); }},
      {"argmin_rows", index, [](world<B>& w) { argmin_rows(w.s, w.a.view(1, 256), w.index); }},
      {"argmax_rows", index, [](world<B>& w) { argmax_rows(w.s, w.a.view(1, 256), w.index); }},
      {"dot", a | b | one, [](world<B>& w) { dot(w.s, w.a, w.b, w.one); }},
      {"dot", a | b, [](world<B>& w) { w.returned = double(dot(w.s, w.a, w.b)); }},
      {"count_nonzero", flags | index, [](world<B>& w) { count_nonzero(w.s, w.flags, w.index); }},
      {"count_nonzero", a, [](world<B>& w) { w.returned = double(count_nonzero(w.s, w.a)); }},
      {"count_if", a | index, [](world<B>& w) { count_if(w.s, w.a, w.index, above_three{}); }},
      {"count_if", a, [](world<B>& w) { w.returned = double(count_if(w.s, w.a, above_three{})); }},
      {"any_of", a | truth, [](world<B>& w) { any_of(w.s, w.a, w.truth); }},
      {"any_of", a, [](world<B>& w) { w.returned = any_of(w.s, w.a); }},
      {"any_of", a | truth, [](world<B>& w) { any_of(w.s, w.a, w.truth, above_three{}); }},
      {"any_of", a, [](world<B>& w) { w.returned = any_of(w.s, w.a, above_three{}); }},
      {"all_of", b | truth, [](world<B>& w) { all_of(w.s, w.b, w.truth); }},
      {"all_of", b, [](world<B>& w) { w.returned = all_of(w.s, w.b); }},
      {"all_of", b | truth, [](world<B>& w) { all_of(w.s, w.b, w.truth, above_three{}); }},
      {"all_of", b, [](world<B>& w) { w.returned = all_of(w.s, w.b, above_three{}); }},
      {"transform_reduce", a | one, [](world<B>& w) { transform_reduce(w.s, w.a, w.one, halved{}, plus{}, 1.0f); }},
      {"transform_reduce", a, [](world<B>& w) { w.returned = double(transform_reduce(w.s, w.a, halved{}, larger{}, 0.0f)); }},
      {"transform_reduce", a | b | one, [](world<B>& w) { transform_reduce(w.s, w.a, w.b, w.one, difference{}, plus{}, 1.0f); }},
      {"transform_reduce", a | b, [](world<B>& w) { w.returned = double(transform_reduce(w.s, w.a, w.b, difference{}, plus{}, 1.0f)); }},
      // The stream itself, and what is made with one.
      {"buffer", 0, [](world<B>& w) { w.returned = double(buffer<float, B>(w.s, 1000).size()); }},
      {"buffer", 0, [](world<B>& w) { w.returned = double(buffer<float, B>(w.s, 1000, memory::direct).size()); }},
      {"buffer", 0, [](world<B>& w) { w.returned = double(buffer<float, B>(w.s, 0).size()); }},
      {"free_on", 0, [](world<B>& w) { w.a.free_on(w.s); }},
      {"synchronize", 0, [](world<B>& w) { w.s.synchronize(); }},
      {"query", 0, [](world<B>& w) { w.returned = w.s.query(); }},
      {"get_device", 0, [](world<B>& w) { w.returned = w.s.get_device().index(); }},
      {"record", 0,
       [](world<B>& w) {
         typename B::event e;
         e.record(w.s);
         e.wait();
         w.returned = e.query();
       }},
      {"wait", 0,
       [](world<B>& w) {
         typename B::event e;
         if (w.s) e.record(typename B::stream());
         w.s.wait(e);
       }},
  };
  return all;
}
#if DOLMEN_HAS_CPU
template std::span<call<cpu::backend> const> reducing_calls();
#endif
#if DOLMEN_HAS_CUDA
template std::span<call<cuda::backend> const> reducing_calls();
#endif
#if DOLMEN_HAS_CHECK
template std::span<call<check::backend> const> reducing_calls();
#endif

}  // namespace testing
