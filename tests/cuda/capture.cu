// Every operation that returns no host value can be captured into a graph and replayed.
#include "../backends.hpp"

#include <algorithm>

#include "../../examples/kernels/vector_add.hpp"
#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "raw.cuh"

using namespace dolmen;
using B = cuda::backend;

namespace {

/// Captures what `work` gives to the stream, replays it, and says how often it ran.
template <class Work>
void replay(cuda::stream const& s, int times, Work work) {
  cudaGraph_t graph;
  cudaGraphExec_t program;
  CUDA_OK(cudaStreamBeginCapture(s.native(), cudaStreamCaptureModeThreadLocal));
  work();
  CUDA_OK(cudaStreamEndCapture(s.native(), &graph));
  CUDA_OK(cudaGraphInstantiate(&program, graph, 0));
  for (int i = 0; i < times; ++i) CUDA_OK(cudaGraphLaunch(program, s.native()));
  s.synchronize();
  CUDA_OK(cudaGraphExecDestroy(program));
  CUDA_OK(cudaGraphDestroy(graph));
}

}  // namespace

namespace test_capture {

/// Each block adds what the one before it had at the last barrier.
struct add_previous {
  using shape = block_shape<32>;
  view<int, 2> values;
  int rounds;  // even, so that the result is in the first row
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const me = block.index.x, previous = (me + block.grid.x - 1) % block.grid.x;
    for (int round = 0; round < rounds; ++round) {
      block.each_thread(1, [&](thread) { values(1 - round % 2, me) = values.load(round % 2, me) + values.load(round % 2, previous); });
      block.grid_sync();
    }
  }
};

}  // namespace test_capture

TEST_CASE_TEMPLATE("capture: fill, copy, sum, gemm, launch", T, B) {
  cuda::stream s;
  index_t const n = 64;
  auto const values = testing::whole_values<float>(n * n, 1);
  auto const a = upload(s, values);
  buffer<float, B> b(s, n * n), c(s, n * n), d(s, n * n), total(s, 1);
  fill(s, c, testing::quiet_nan<float>);
  fill(s, d, 0.0f);
  s.synchronize();
  replay(s, 3, [&] {
    fill(s, b, 2.0f);
    gemm(s, 1, a.view(n, n), b.view(n, n), 0, c.view(n, n));
    launch(s, kernels::vector_add::blocks(n * n), kernels::vector_add{c, d, d});
    sum(s, d, total);
  });
  double expected = 0;
  for (float v : values) expected += 2.0 * double(n) * double(v);
  CHECK(double(download(s, total)[0]) == 3 * expected);
}

TEST_CASE_TEMPLATE("capture: strided copies and temporary memory", T, B) {
  cuda::stream s;
  auto const values = testing::random_values<int>(100 * 50);
  auto const from = upload(s, values);
  buffer<int, B> to(s, 100 * 60);
  fill(s, to, 0);
  buffer<std::int64_t, B> total(s, 1);
  view<int, 2> const inner = to.view(100, 60).subview({{0, 3}}, {{100, 50}});
  s.synchronize();
  replay(s, 2, [&] {
    copy(s, from.view(100, 50), inner);
    sum(s, inner, total);  // its partial sums come from the pool
  });
  std::int64_t expected = 0;
  for (int v : values) expected += v;
  CHECK(download(s, total)[0] == expected);
  // Memory that the graph used is not handed out while it may be replayed: all of the pool's other uses are unharmed.
  for (int i = 0; i < 20; ++i) CHECK(sum(s, from) == expected);
}

TEST_CASE_TEMPLATE("capture: reductions that several blocks finish, replayed beside others on the same stream", T, B) {
  cuda::stream s, other;
  index_t const n = testing::size_of(1 << 20, 1 << 17);
  auto const in = upload(s, testing::random_values<int>(n));
  std::int64_t const total = sum(s, in);
  buffer<std::int64_t, B> whole(s, 1), rows(s, 2), columns(s, 64), mine(s, 1);
  s.synchronize();
  cudaGraph_t graph;
  cudaGraphExec_t program;
  CUDA_OK(cudaStreamBeginCapture(s.native(), cudaStreamCaptureModeThreadLocal));
  sum(s, in, whole);
  reduce_rows(s, in.view(2, n / 2), rows);
  reduce_columns(s, in.view(n / 64, 64), columns);
  CUDA_OK(cudaStreamEndCapture(s.native(), &graph));
  CUDA_OK(cudaGraphInstantiate(&program, graph, 0));
  for (int i = 0; i < 10; ++i) {
    CUDA_OK(cudaGraphLaunch(program, other.native()));
    sum(s, in, mine);  // with the tickets of s
    CHECK(download(s, mine)[0] == total);
    other.synchronize();
    CHECK(download(s, whole)[0] == total);
    CHECK(sum(s, rows) == total);
    CHECK(sum(s, columns) == total);
  }
  CUDA_OK(cudaGraphExecDestroy(program));
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST_CASE_TEMPLATE("capture: reductions on streams that come, go and are wrapped", T, B) {
  cuda::stream s;
  index_t const n = testing::size_of(1 << 20, 1 << 17);
  auto const in = upload(s, testing::random_values<int>(n));
  std::int64_t const total = sum(s, in);
  for (int i = 0; i < 20; ++i) {
    cuda::stream passing;
    CHECK(sum(passing, in) == total);
    CHECK(sum(cuda::stream::wrap(s.native()), in) == total);
    CHECK(sum(s, in) == total);
  }
}

TEST_CASE_TEMPLATE("capture: cooperative launches", T, B) {
  using test_capture::add_previous;
  cuda::stream s;
  index_t const blocks = max_cooperative_blocks<add_previous>(s);
  buffer<int, B> values(s, 2 * blocks);
  auto const v = values.view(2, blocks);
  fill(s, values, 1);
  s.synchronize();
  replay(s, 3, [&] {
    launch_cooperative(s, grid(blocks), add_previous{v, 4});
    launch_cooperative(s, grid(blocks), add_previous{v, 2});
    CHECK(testing::complaint<launch_error>({"at most"}, [&] { launch_cooperative(s, grid(blocks + 1), add_previous{v, 2}); }) == "");
  });
  auto const all_are = [&](int value) {
    auto all = download(s, values);
    all.resize(std::size_t(blocks));
    return all == std::vector<int>(std::size_t(blocks), value);
  };
  CHECK(all_are(1 << (3 * 6)));
  launch_cooperative(s, grid(blocks), add_previous{v, 2});
  CHECK(all_are(1 << (3 * 6 + 2)));
}

namespace test_capture {

struct is_odd {
  DOLMEN_FN bool operator()(int value) const { return value % 2 != 0; }
};

}  // namespace test_capture

TEST_CASE_TEMPLATE("capture: scan, select, histogram, sort", T, B) {
  cuda::stream s;
  index_t const n = 100000;
  auto const values = testing::random_values<int>(n);
  auto const from = upload(s, values);
  buffer<int, B> sums(s, n), odd(s, n), sorted(s, n), counts(s, 300);
  buffer<index_t, B> count(s, 1);
  s.synchronize();
  replay(s, 3, [&] {
    inclusive_scan(s, from, sums);
    select(s, from, odd, count, test_capture::is_odd{});
    histogram(s, from, counts);
    copy(s, from, sorted);
    sort(s, sorted);
  });
  unsigned sum = 0;
  std::vector<int> expected_sums, expected_odd, expected_sorted = values;
  for (int v : values) {
    expected_sums.push_back(int(sum += unsigned(v)));
    if (v % 2 != 0) expected_odd.push_back(v);
  }
  std::sort(expected_sorted.begin(), expected_sorted.end());
  CHECK(download(s, sums) == expected_sums);
  CHECK(download(s, count)[0] == index_t(expected_odd.size()));
  CHECK(download(s, odd.view().slice(0, index_t(expected_odd.size()))) == expected_odd);
  CHECK(download(s, sorted) == expected_sorted);
  int all = 0;
  for (int c : download(s, counts)) all += c;
  CHECK(all == n);
}
