// Operations of every size run before main, in static initialisers, and after it, in handlers of atexit and destructors of
// static objects. On CUDA a program that holds the library itself has no kernels before main, and the error says so.
#include "../backends.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../support/child.hpp"
#include "../support/data.hpp"

using namespace dolmen;

namespace test_whole_life {

template <class T>
struct twice {
  using shape = block_shape<64>;
  view<T> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(data.size() - first, [&](thread t) { data(first + t.rank) *= T(2); });
  }
};

struct is_odd {
  DOLMEN_FN bool operator()(int n) const { return n % 2 != 0; }
};

// Each works on enough for several threads; the number of the first that is wrong, 0 for none.
template <class B>
int wrong_moves(typename B::stream const& s) {
  index_t const n = 60000, side = 300;
  auto const values = testing::whole_values<float>(n, 3);
  auto const in = upload(s, values);
  buffer<float, B> out(s, n), square(s, side * side), turned(s, side * side);
  fill(s, out, 2.0f);
  if (sum<double>(s, out) != 2.0 * double(n)) return 1;
  copy(s, in, out);
  if (download(s, out) != values) return 2;
  iota(s, square);
  transpose(s, square.view(side, side), turned.view(side, side));
  if (download(s, turned)[1] != float(side)) return 3;
  launch(s, grid(ceil_div(n, index_t(64))), twice<float>{out});
  view<float> const v = out;
  for_each_index(
      s, n, DOLMEN_LAMBDA(index_t i) { v(i) += 1; });
  transform(
      s, out, out, DOLMEN_LAMBDA(float x) { return x - 1; });
  auto const doubled = download(s, out);
  for (index_t i = 0; i < n; ++i)
    if (doubled[std::size_t(i)] != 2 * values[std::size_t(i)]) return 4;
  fill_uniform(s, square, 7);
  for (float x : download(s, square))
    if (!(x >= 0 && x < 1)) return 5;
  return 0;
}

template <class B>
int wrong_searches(typename B::stream const& s) {
  index_t const n = 60000;
  buffer<int, B> numbers(s, n), sorted(s, n);
  buffer<index_t, B> counts(s, 4);
  iota(s, numbers, int(n - 1), -1);
  copy(s, numbers, sorted);
  sort(s, sorted);
  auto const in_order = download(s, sorted);
  for (index_t i = 0; i < n; ++i)
    if (in_order[std::size_t(i)] != int(i)) return 11;
  if (max_of(s, numbers) != int(n - 1) || argmin(s, numbers) != n - 1) return 12;
  inclusive_scan(s, sorted, sorted);
  if (download(s, sorted)[300] != 300 * 301 / 2) return 13;
  if (select(s, numbers, sorted, is_odd{}) != n / 2) return 14;
  histogram(s, numbers, counts, 0, int(n));
  for (auto const count : download(s, counts))
    if (count != n / 4) return 15;
  return 0;
}

template <class B>
int wrong_matrices(typename B::stream const& s) {
  index_t const side = 256;
  buffer<float, B> a(s, side * side), b(s, side * side), sums(s, side);
  auto const m = a.view(side, side), r = b.view(side, side);
  fill(s, a, 1.0f);
  gemm(s, 1, m, m, 0, r);
  if (sum<double>(s, b) != double(side) * double(side) * double(side)) return 21;
  reduce_rows(s, m, sums);
  if (sum<double>(s, sums) != double(side * side)) return 22;
  reduce_columns(s, m, sums);
  if (sum<double>(s, sums) != double(side * side)) return 23;
  softmax(s, m, r);
  if (!(std::abs(download(s, b)[5] - 1 / float(side)) <= 1e-6f)) return 24;
  layer_norm(s, m, r);
  if (sum<double>(s, b) != 0) return 25;
  if (dot(s, a, a) != float(side * side)) return 26;
  return 0;
}

char const* when = "";

template <class B>
void run() {
  try {
    typename B::stream const s;
    int wrong = wrong_moves<B>(s);
    if (!wrong) wrong = wrong_searches<B>(s);
    if (!wrong) wrong = wrong_matrices<B>(s);
    std::printf("%s %d\n", when, wrong);
  } catch (launch_error const& e) {
    std::printf("%s: %s\n", when, std::string(e.what()).find("static initialiser") != std::string::npos ? "no kernels yet" : e.what());
  } catch (std::exception const& e) {
    std::printf("%s: %s\n", when, e.what());
  }
  std::fflush(stdout);
}

void at(char const* now) {
  char const* const times = std::getenv("WHOLE_LIFE_TIMES");
  if (!times || std::string(times).find(now) == std::string::npos) return;
  when = now;
  DOLMEN_TEST_IN_CHILD(run);
}

struct lifetime {
  lifetime() { at("constructor"); }
  ~lifetime() { at("destructor"); }
} const all;

}  // namespace test_whole_life

DOLMEN_TEST_CHILD(lives) {
  std::atexit([] { test_whole_life::at("first handler"); });
  test_whole_life::at("main");
  std::atexit([] { test_whole_life::at("last handler"); });
}

TEST_CASE_TEMPLATE("whole life: before main, in it, and after it", B, DOLMEN_TEST_BACKENDS) {
  for (std::string const times : {"constructor", "destructor", "first handler", "constructor,main,last handler,first handler,destructor",
                                  "main,last handler,first handler,destructor", "constructor,destructor"}) {
    std::string expected;
    for (std::string const time : {"constructor", "main", "last handler", "first handler", "destructor"})
      if (times.find(time) != std::string::npos) expected += time + " 0\n";
    for (std::string const threads : {"1", "3"}) {
      CAPTURE(times);
      CAPTURE(threads);
      auto const r = testing::run_child("lives", {{"WHOLE_LIFE_TIMES", times}, {"OMP_NUM_THREADS", threads}});
      CHECK(r.status == 0);
      if (std::string(B::name) != "cuda") {
        CHECK(r.output == expected);
        continue;
      }
      // The library's kernels may come later than the program's static objects; CUDA may be gone before these end.
      CHECK(r.output.find(" refused") == std::string::npos);
      if (times.find("main") != std::string::npos) CHECK(r.output.find("main 0\n") != std::string::npos);
      if (times.find("constructor") != std::string::npos) CHECK(r.output.find("constructor") == 0);
    }
  }
}
