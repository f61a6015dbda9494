// Calls that move, make and change elements, and launches. A kernel file.
#include "../../examples/kernels/vector_add.hpp"
#include "calls.hpp"

namespace testing {
namespace {

struct twice {
  DOLMEN_FN float operator()(float x) const { return 2 * x; }
};
struct product_of_two {
  DOLMEN_FN float operator()(float x, float y) const { return x * y; }
};
struct sum_of_three {
  DOLMEN_FN float operator()(float x, float y, float z) const { return x + y + z; }
};
struct above_two {
  DOLMEN_FN bool operator()(float x) const { return x > 2; }
};
struct later {  // associative, and not one of the library's
  template <class T>
  DOLMEN_FN T operator()(T, T b) const {
    return b;
  }
};
struct writes_index {
  view<float> out;
  DOLMEN_FN void operator()(index_t i) const { out(i) = float(i); }
};
struct writes_place {
  view<float, 2> out;
  DOLMEN_FN void operator()(index_t y, index_t x) const { out(y, x) = float(y - x); }
};

/// Shared memory, values of threads, barriers: what blocks take from the host's memory.
struct turns_around {
  using shape = block_shape<64>;
  struct shared {
    tile<float, 64> line;
  };
  view<float> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index();
    auto value = block.per_thread(0.0f);
    block.each_thread([&](thread t) { value[t] = data(first + t.rank); });
    block.each_thread([&](thread t) { mem.line(63 - t.rank) = value[t]; });
    block.sync();
    block.each_thread([&](thread t) { data(first + t.rank) = mem.line.load(t.rank); });
  }
};
struct meets_all {
  using shape = block_shape<32>;
  view<float> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread([&](thread t) { data(first + t.rank) += 1; });
    block.grid_sync();
    block.each_thread([&](thread t) { data(first + t.rank) *= 2; });
  }
};

}  // namespace

template <class B>
std::span<call<B> const> moving_calls() {
  static constexpr call<B> all[] = {
      {"copy", a | b, [](world<B>& w) { copy(w.s, w.a, w.b); }},
      {"copy", 0, [](world<B>& w) { copy(w.s, w.a.view().slice(0, 100), w.a.view().slice(50, 100)); }},
      {"copy", a, [](world<B>& w) { copy(w.s, w.host, w.a); }},
      {"copy", b, [](world<B>& w) { copy(w.s, w.b, std::span<float>(w.taken)), w.s.synchronize(); }},
      {"copy", a,
       [](world<B>& w) {
         pinned_buffer<float, B> pinned(w.n);
         for (float& x : pinned) x = 3;
         copy(w.s, pinned.span(), w.a);
         w.s.synchronize();
       }},
      {"upload", 0, [](world<B>& w) { w.returned = double(upload(w.s, w.host).size()); }},
      {"download", b, [](world<B>& w) { w.returned = double(download(w.s, w.b)[5]); }},
      {"fill", a, [](world<B>& w) { fill(w.s, w.a, 3.0f); }},
      {"iota", keys, [](world<B>& w) { iota(w.s, w.keys, 5, 2); }},
      {"fill_uniform", c, [](world<B>& w) { fill_uniform(w.s, w.c, 11, -1.0f, 1.0f); }},
      {"fill_uniform", c, [](world<B>& w) { fill_uniform(w.s, w.c, 11); }},
      {"fill_normal", c, [](world<B>& w) { fill_normal(w.s, w.c, 12); }},
      {"split_fields", records,
       [](world<B>& w) { split_fields(w.s, w.records, fields<&pair_of_values::x, &pair_of_values::n>(w.a.view(), w.keys.view())); }},
      {"join_fields", records,
       [](world<B>& w) { join_fields(w.s, fields<&pair_of_values::x, &pair_of_values::n>(w.a.view(), w.keys.view()), w.records); }},
      {"gemm", 0, [](world<B>& w) { gemm(w.s, 1, w.a.view(16, 16), w.b.view(16, 16), 0, w.c.view(16, 16)); }},
      {"histogram", a | bins, [](world<B>& w) { histogram(w.s, w.a, w.bins, 0, 8); }},
      {"histogram", flags | bins, [](world<B>& w) { histogram(w.s, w.flags, w.bins); }},
      {"layer_norm", a | c, [](world<B>& w) { layer_norm(w.s, w.a, w.c, {.gamma = w.b}); }},
      {"layer_norm", row, [](world<B>& w) { layer_norm(w.s, w.row, w.row); }},
      {"rms_norm", a | c, [](world<B>& w) { rms_norm(w.s, w.a, w.c); }},
      {"softmax", a | c, [](world<B>& w) { softmax(w.s, w.a, w.c); }},
      {"softmax", row, [](world<B>& w) { softmax(w.s, w.row, w.row); }},
      {"log_softmax", row, [](world<B>& w) { log_softmax(w.s, w.row, w.row); }},
      {"scale", a | c, [](world<B>& w) { scale(w.s, 3, w.a, w.c); }},
      {"add", a | b | c, [](world<B>& w) { add(w.s, w.a, w.b, w.c); }},
      {"axpy", a | c, [](world<B>& w) { axpy(w.s, 2, w.a, w.c); }},
      {"triad", a | b | c, [](world<B>& w) { triad(w.s, w.a, 2, w.b, w.c); }},
      {"sort", keys, [](world<B>& w) { sort(w.s, w.keys); }},
      {"sort", row, [](world<B>& w) { sort(w.s, w.row, sort_order::descending); }},
      {"sort", 0,
       [](world<B>& w) {
         sort(w.s, w.a.view(16, 16).subview({{1, 2}}, {{5, 7}}));
       }},
      {"sort_by_key", keys | values, [](world<B>& w) { sort_by_key(w.s, w.keys, w.values); }},
      {"stencil", 0,
       [](world<B>& w) { stencil(w.s, w.a.view(16, 16), w.c.view(16, 16), stencil_weights<2>::star(2, 0.5), boundary::zero, 3); }},
      {"convolve", 0,
       [](world<B>& w) {
         double const filter[] = {1, 2, 3};
         convolve(w.s, w.a.view(16, 16), filter, 1, 3, w.c.view(16, 16), boundary::periodic);
       }},
      {"transform", a | c, [](world<B>& w) { transform(w.s, w.a, w.c, twice{}); }},
      {"transform", a | b | c, [](world<B>& w) { transform(w.s, w.a, w.b, w.c, product_of_two{}); }},
      {"transform", a | b | c, [](world<B>& w) { transform(w.s, w.a, w.b, w.c, w.c, sum_of_three{}); }},
      {"transpose", 0, [](world<B>& w) { transpose(w.s, w.a.view(16, 16), w.c.view(16, 16)); }},
      {"transpose", 0, [](world<B>& w) { transpose(w.s, w.a.view(16, 16)); }},
      {"inclusive_scan", a | c, [](world<B>& w) { inclusive_scan(w.s, w.a, w.c); }},
      {"inclusive_scan", a | c, [](world<B>& w) { inclusive_scan(w.s, w.a, w.c, later{}); }},
      {"inclusive_scan", row, [](world<B>& w) { inclusive_scan(w.s, w.row, w.row); }},
      {"exclusive_scan", a | c, [](world<B>& w) { exclusive_scan(w.s, w.a, w.c, plus{}, 2.0f); }},
      {"inclusive_scan_rows", 0, [](world<B>& w) { inclusive_scan_rows(w.s, w.a.view(16, 16), w.c.view(16, 16)); }},
      {"exclusive_scan_rows", 0, [](world<B>& w) { exclusive_scan_rows(w.s, w.a.view(16, 16), w.c.view(16, 16)); }},
      {"select", a | c | index, [](world<B>& w) { select(w.s, w.a, w.c, w.index, above_two{}); }},
      {"select", a | c, [](world<B>& w) { w.returned = double(select(w.s, w.a, w.c, above_two{})); }},
      {"compact", a | flags | c | index, [](world<B>& w) { compact(w.s, w.a, w.flags, w.c, w.index); }},
      {"compact", a | flags | c, [](world<B>& w) { w.returned = double(compact(w.s, w.a, w.flags, w.c)); }},
      {"launch", 0,
       [](world<B>& w) {
         launch(w.s, kernels::vector_add::blocks(w.n), kernels::vector_add{w.a, w.b, w.c.view()});
       }},
      {"launch", 0, [](world<B>& w) { launch(w.s, grid(4), turns_around{w.a.view()}); }},
      {"for_each_index", 0, [](world<B>& w) { for_each_index(w.s, w.n, writes_index{w.a.view()}); }},
      {"for_each_index", 0,
       [](world<B>& w) {
         for_each_index(w.s, extents<2>{{16, 16}}, writes_place{w.a.view(16, 16)});
       }},
      {"launch_cooperative", 0, [](world<B>& w) { launch_cooperative(w.s, grid(1), meets_all{w.a.view()}); }},
      {"kernel_facts", 0, [](world<B>& w) { w.returned = double(kernel_facts<turns_around>(w.s).shared_bytes()); }},
      {"persistent_blocks", 0, [](world<B>& w) { w.returned = double(persistent_blocks<turns_around>(w.s)); }},
      {"max_cooperative_blocks", 0, [](world<B>& w) { w.returned = double(max_cooperative_blocks<meets_all>(w.s)); }},
  };
  return all;
}
#if DOLMEN_HAS_CPU
template std::span<call<cpu::backend> const> moving_calls();
#endif
#if DOLMEN_HAS_CUDA
template std::span<call<cuda::backend> const> moving_calls();
#endif
#if DOLMEN_HAS_CHECK
template std::span<call<check::backend> const> moving_calls();
#endif

}  // namespace testing
