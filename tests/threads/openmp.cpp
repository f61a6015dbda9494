// Called from inside an application's own OpenMP region: Dolmen's results do not change.
#include "../backends.hpp"

#include <omp.h>

#include "../support/child.hpp"
#include "../support/data.hpp"

using namespace dolmen;

namespace {

template <class B>
int wrong_inside_a_region(int threads) {
  int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
  {
    typename B::stream s;
    int const me = omp_get_thread_num();
    index_t const n = 50001 + 1000 * me;
    buffer<float, B> b(s, n), c(s, n);
    for (int i = 0; i < 10; ++i) {
      fill(s, b, float(me + 1));
      copy(s, b, c);
      wrong += sum<double>(s, c) != double(n) * (me + 1);
    }
  }
  return wrong;
}

// In a process whose first use of Dolmen is inside a region.
template <class B>
void first_use() {
  if (wrong_inside_a_region<B>(3)) std::_Exit(3);
  if (wrong_inside_a_region<B>(2)) std::_Exit(4);
  typename B::stream s;
  buffer<int, B> b(s, 100000);
  fill(s, b, 2);
  if (sum(s, b) != 200000) std::_Exit(5);
}

}  // namespace

DOLMEN_TEST_CHILD(first_use_in_a_region) { DOLMEN_TEST_IN_CHILD(first_use); }

TEST_CASE_TEMPLATE("openmp: inside a parallel region", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<int, B> before(s, 100000);
  fill(s, before, 1);
  CHECK(sum(s, before) == 100000);
  CHECK(wrong_inside_a_region<B>(3) == 0);
  CHECK(wrong_inside_a_region<B>(1) == 0);
  fill(s, before, 3);
  CHECK(sum(s, before) == 300000);
}

TEST_CASE_TEMPLATE("openmp: first use inside a parallel region", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("first_use_in_a_region");
  CHECK(r.status == 0);
  CHECK(r.output == "");
}
