// A whole product: pipeline, packs, fragments and the edges together.
#include "../backends.hpp"

#include "../../examples/kernels/wmma_matmul.hpp"
#include "../support/data.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace {

template <class T, class B>
void multiply(index_t m, index_t n, index_t k) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  typename B::stream s;
  auto const a = testing::whole_values<T>(m * k, 1), b = testing::whole_values<T>(k * n, 2);
  testing::place const gaps{8, 8};
  guarded<T, B, 2> da(s, {{m, k}}, a, gaps), db(s, {{k, n}}, b, gaps);
  guarded<float, B, 2> dc(s, {{m, n}}, testing::place{4, 4});
  using kernel = kernels::wmma_matmul<T>;
  launch(s, kernel::blocks(m, n), kernel{da.const_view().template as_packs<8>(), db.const_view().template as_packs<8>(), dc.view()});
  auto const c = dc.values();
  int wrong = 0;
  for (index_t i = 0; i < m; ++i)
    for (index_t j = 0; j < n; ++j) {
      float sum = 0;
      for (index_t p = 0; p < k; ++p) sum += float(a[std::size_t(i * k + p)]) * float(b[std::size_t(p * n + j)]);
      wrong += c[std::size_t(i * n + j)] != sum;
    }
  CHECK(wrong == 0);
  CHECK(dc.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("fragments: a whole product, edges included", B, DOLMEN_TEST_BACKENDS) {
  multiply<half, B>(128, 128, 32);
  multiply<half, B>(256, 128, 264);
  multiply<half, B>(1, 8, 8);
  multiply<half, B>(131, 200, 72);
  multiply<half, B>(300, 136, 40);
  multiply<half, B>(129, 264, testing::size_of(512, 72));
  multiply<bfloat16, B>(128, 256, 96);
  multiply<bfloat16, B>(77, 136, 200);
}
