// spmv: a sparse matrix with rows of very different lengths, times a vector.
#include "../problems/sparse.hpp"
#include "../../examples/kernels/spmv.hpp"
#include "../add_case.hpp"
#include "../peers/cusparse.hpp"

namespace study {
namespace {

/// Compressed rows and both vectors in device memory.
template <class B>
class sparse_arrays {
 public:
  using backend = B;

  typename B::stream stream;
  index_t n;  // rows and columns
  dolmen::buffer<std::int32_t, B> row_offsets, columns;
  dolmen::buffer<float, B> values, x, y;

  sparse_arrays(typename B::stream const& s, problem_base const& p) : stream(s), problem_(dynamic_cast<sparse_product const&>(p)) {
    n = problem_.n;
    row_offsets = dolmen::upload(s, problem_.row_offsets.span());
    columns = dolmen::upload(s, problem_.columns.span());
    values = dolmen::upload(s, problem_.values.span());
    x = dolmen::upload(s, problem_.x.span());
    y = dolmen::buffer<float, B>(s, n);
  }

  void reset() { peers::poison(stream, y.data(), n * index_t(sizeof(float))); }
  verdict verify() { return problem_.check(dolmen::download(stream, y)); }

 private:
  sparse_product const& problem_;
};

}  // namespace

namespace cases {

template <class B, class T>
struct spmv {
  using data = sparse_arrays<B>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::spmv::blocks(d.n),
                   kernels::spmv{d.row_offsets.view(), d.columns.view(), d.values.view(), d.x.view(), d.y.view()});
  }
  static void by_hand(data& d) {
    peers::spmv(d.stream, d.row_offsets.data(), d.columns.data(), d.values.data(), d.x.data(), d.y.data(), d.n);
  }
  static auto variants() {
    auto list = with_twin<spmv>();
#if STUDY_HAS_CUSPARSE
    if constexpr (!on_cpu<B>)
      list.push_back({"cusparse", [](data& d) {
                        peers::cusparse_spmv(d.stream, d.row_offsets.data(), d.columns.data(), d.values.data(), d.x.data(), d.y.data(), d.n,
                                             d.columns.size());
                      }});
#endif
    return list;
  }
};

}  // namespace cases

namespace {
constexpr double nonzeros_per_row = sparse_product::mean_length;
}

// The bytes are those that must be read and written once: the matrix, x and y.
void add_sparse_cases(registry& r) {
  double (*const once)(double) = [](double n) {
    return n * nonzeros_per_row * double(sizeof(std::int32_t) + sizeof(float)) + n * double(sizeof(std::int32_t) + 2 * sizeof(float));
  };
  add_case<cases::spmv, float>(r, {.name = "spmv",
                                   .type = {},
                                   .about = "sparse times dense, a warp per row of 0 to 4096 nonzeros, 16 on average",
                                   .accuracy = "8 sqrt(length of the row) roundings of the sum of magnitudes",
                                   .kind = traffic::read,
                                   .bytes = once,
                                   .flops = [](double n) { return 2 * nonzeros_per_row * n; },
                                   .footprint = once,
                                   .cpu_sizes = {1 << 12, 1 << 20},
                                   .gpu_sizes = {1 << 16, 1 << 23},
                                   .tour = {heading::kernels, 1 << 20, 1 << 22},
                                   .make = sparse_problem});
}

}  // namespace study
