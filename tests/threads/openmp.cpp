// Called from inside an application's own OpenMP region: Dolmen's results do not change.
#include "../backends.hpp"

#include <omp.h>

#include "../support/child.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"

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

#if DOLMEN_HAS_CPU
/// Each block counts the blocks that have been at the barrier before it goes on.
struct meets {
  using shape = block_shape<32>;
  view<int> met;
  template <class Block>
  void operator()(Block& block) const {
    block.each_thread(1, [&](thread) { met(block.index.x) = 1; });
    block.grid_sync();
    int all = 0;
    for (int i = 0; i < block.grid.x; ++i) all += met.load(i);
    block.grid_sync();
    block.each_thread(1, [&](thread) { met(block.index.x) = all; });
  }
};
#endif

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

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("openmp: a cooperative launch has one block inside a parallel region", B, dolmen::cpu::backend) {
  typename B::stream s;
  index_t const most = max_cooperative_blocks<meets>(s);
  buffer<int, B> met(s, 4 * most);
  auto const v = met.view(4, most);
  fill(s, met, 0);
  std::string wrong[3];
#pragma omp parallel num_threads(3)
  {
    int const me = omp_get_thread_num();
    typename B::stream own;
    if (omp_get_num_threads() > 1) {
      if (max_cooperative_blocks<meets>(own) != 1) wrong[me] += "more than one block; ";
      wrong[me] += testing::complaint<launch_error>({"meets", "asked for 2 blocks", "at most 1 at the same time"},
                                                    [&] { launch_cooperative(own, grid(2), meets{v.row(me)}); });
    }
    launch_cooperative(own, grid(1), meets{v.row(me)});
  }
  for (auto const& text : wrong) CHECK(text == "");
  CHECK(max_cooperative_blocks<meets>(s) == most);
  launch_cooperative(s, grid(most), meets{v.row(3)});
  auto const values = download(s, met);
  for (index_t i = 0; i < most; ++i)
    for (index_t r = 0; r < 4; ++r) CHECK(values[std::size_t(r * most + i)] == (r == 3 ? int(most) : i == 0));
}

TEST_CASE_TEMPLATE("openmp: cooperative and plain launches in turn, whatever the size of the team", B, dolmen::cpu::backend) {
  typename B::stream s;
  int const before = omp_get_max_threads();
  for (int threads : {1, 5, 2, 7, before}) {
    omp_set_num_threads(threads);
    index_t const most = max_cooperative_blocks<meets>(s);
    CHECK(most == threads);
    buffer<int, B> met(s, most), many(s, 100000);
    fill(s, met, 0);
    fill(s, many, 2);
    launch_cooperative(s, grid(most), meets{met.view()});
    CHECK(sum(s, met) == most * most);
    CHECK(sum(s, many) == 200000);
  }
  omp_set_num_threads(before);
}

TEST_CASE_TEMPLATE("openmp: settings that the program changes between calls", B, dolmen::cpu::backend) {
  typename B::stream s;
  buffer<int, B> many(s, 100000);
  auto const right = [&] {
    fill(s, many, 0);
    fill(s, many, 2);
    return sum(s, many) == 200000;
  };
  CHECK(right());
  int const threads = omp_get_max_threads(), dynamic = omp_get_dynamic(), levels = omp_get_max_active_levels();
  for (int count : {1, 600, 100000, 3}) {
    omp_set_num_threads(count);
    CHECK(right());
    omp_set_dynamic(1);
    CHECK(right());
    omp_set_dynamic(dynamic);
    omp_set_max_active_levels(0);
    CHECK(right());
    CHECK(max_cooperative_blocks<meets>(s) == 1);
    omp_set_max_active_levels(levels);
    CHECK(right());
  }
  omp_set_num_threads(threads);
}
#endif

TEST_CASE_TEMPLATE("openmp: first use inside a parallel region", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("first_use_in_a_region");
  CHECK(r.status == 0);
  CHECK(r.output == "");
}
