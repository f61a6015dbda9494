// Several host threads at once, inside OpenMP regions, and any OMP_NUM_THREADS.
#include "../backends.hpp"

#include <algorithm>
#include <atomic>
#include <sstream>
#include <thread>

#include "../../examples/kernels/block_sum.hpp"
#include "../../examples/kernels/matmul.hpp"
#include "../support/child.hpp"
#include "../support/data.hpp"

using namespace dolmen;
using testing::random_values;

namespace test_threads {

/// What one thread does: every kind of operation, and whether all results were right.
template <class B>
bool work(typename B::stream const& s, int seed) {
  index_t const n = testing::size_of(100003, 3001) + 1000 * seed;
  auto const values = testing::whole_values<float>(n, std::uint64_t(seed));
  double expected = 0;
  for (float v : values) expected += double(v);
  auto const in = upload(s, values);
  buffer<float, B> moved(s, n), partial(s, kernels::block_sum::blocks(n).x);
  fill(s, moved, testing::quiet_nan<float>);
  copy(s, in, moved);
  launch(s, kernels::block_sum::blocks(n), kernels::block_sum{moved, partial});
  return sum<double>(s, moved) == expected && sum<double>(s, partial) == expected && download(s, moved) == values;
}

template <class B>
int wrong_of(int threads, typename B::stream const* shared) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      typename B::stream const own;
      for (int i = 0; i < 5; ++i) wrong += !work<B>(shared ? *shared : own, t + 1);
    });
  for (auto& t : team) t.join();
  return wrong;
}

/// Results as text, bit for bit.
template <class B>
void print_results() {
  typename B::stream s;
  std::ostringstream out;
  out << std::hexfloat;
  index_t const n = testing::size_of(96, 48);
  auto const a = upload(s, random_values<float>(n * n, 1)), b = upload(s, random_values<float>(n * n, 2));
  buffer<float, B> c(s, n * n), d(s, n * n);
  gemm(s, 1, a.view(n, n), b.view(n, n), 0, c.view(n, n));
  launch(s, kernels::tiled_matmul<float>::blocks(n, n), kernels::tiled_matmul<float>{a.view(n, n), b.view(n, n), d.view(n, n)});
  out << sum<double>(s, c) << ' ' << sum<double>(s, d) << ' ' << sum(s, upload(s, random_values<float>(testing::size_of(1000003, 10007))))
      << '\n';
  if (!work<B>(s, 1)) out << "wrong\n";
  if (wrong_of<B>(3, nullptr)) out << "wrong in threads\n";
  std::cout << out.str();
}

}  // namespace test_threads

DOLMEN_TEST_CHILD(prints_results) { DOLMEN_TEST_IN_CHILD(test_threads::print_results); }

TEST_CASE_TEMPLATE("threads: several host threads, each with a stream", B, DOLMEN_TEST_BACKENDS) {
  CHECK(test_threads::wrong_of<B>(4, nullptr) == 0);
}

TEST_CASE_TEMPLATE("threads: several host threads on one stream", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream const s;
  CHECK(test_threads::wrong_of<B>(4, &s) == 0);
}

TEST_CASE_TEMPLATE("threads: a thread that ends leaves nothing behind", B, DOLMEN_TEST_BACKENDS) {
  for (int i = 0; i < 20; ++i) CHECK(test_threads::wrong_of<B>(1, nullptr) == 0);
}

#if DOLMEN_HAS_CHECK
TEST_CASE_TEMPLATE("threads: any number of workers and any order of blocks and threads, the same results", B, DOLMEN_TEST_BACKENDS) {
  auto const one = testing::run_child("prints_results", {{"DOLMEN_CHECK", "threads=1"}});
  CHECK(one.status == 0);
  CHECK(one.output.find("0x") != std::string::npos);
  CHECK(one.output.find("wrong") == std::string::npos);
  for (std::string const options : {"threads=2", "threads=7", "threads=1,seed=2", "threads=3,seed=99"}) {
    CAPTURE(options);
    auto const r = testing::run_child("prints_results", {{"DOLMEN_CHECK", options}});
    CHECK(r.status == 0);
    CHECK(r.output == one.output);
  }
}
#else
TEST_CASE_TEMPLATE("threads: any OMP_NUM_THREADS, the same results", B, DOLMEN_TEST_BACKENDS) {
  auto const one = testing::run_child("prints_results", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.find("0x") != std::string::npos);
  CHECK(one.output.find("wrong") == std::string::npos);
  for (std::string const threads : {"2", "3", "64", "2,2", "0", "-1", "many"}) {
    CAPTURE(threads);
    auto const r = testing::run_child("prints_results", {{"OMP_NUM_THREADS", threads}});
    CHECK(r.status == 0);
    // The OpenMP run-time itself may say what it thinks of the value, before our line.
    CHECK(r.output.size() >= one.output.size());
    CHECK(r.output.substr(r.output.size() - std::min(r.output.size(), one.output.size())) == one.output);
  }
}
#endif
