// A process that was forked after its parent used Dolmen: it works, or the error says what is the matter.
#include "../backends.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "../support/child.hpp"
#include "../support/data.hpp"

using namespace dolmen;

namespace test_fork {

struct meets {
  using shape = block_shape<32>;
  view<int> met;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) { met(block.index.x) = 1; });
    block.grid_sync();
    int all = 0;
    for (int i = 0; i < block.grid.x; ++i) all += met.load(i);
    block.grid_sync();
    block.each_thread(1, [&](thread) { met(block.index.x) = all; });
  }
};

template <class B>
bool works(typename B::stream const& s, int seed) {
  index_t const n = 100003 + seed;
  auto const values = testing::whole_values<float>(n, std::uint64_t(seed));
  double expected = 0;
  for (float v : values) expected += double(v);
  auto const in = upload(s, values);
  buffer<float, B> out(s, n);
  fill(s, out, testing::quiet_nan<float>);
  copy(s, in, out);
  if (sum<double>(s, out) != expected || download(s, out) != values) return false;
  sort(s, out);
  auto const sorted = download(s, out);
  if (!std::is_sorted(sorted.begin(), sorted.end())) return false;
  index_t const most = min(index_t(4), max_cooperative_blocks<meets>(s));
  buffer<int, B> met(s, most);
  launch_cooperative(s, grid(most), meets{met});
  return sum(s, met) == most * most;
}

int status_of(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The status of a forked process that runs body: 0 for true, and for an error that says that CUDA does not survive a fork.
template <class Body>
int in_fork(Body const& body) {
  pid_t const child = fork();
  if (child != 0) return status_of(child);
  alarm(60);  // rather than wait for ever
  int status = 1;
  try {
    status = body() ? 0 : 3;
  } catch (error const& e) {
    status = std::string(e.what()).find("fork") != std::string::npos ? 77 : 4;
    if (status == 4) std::cerr << e.what() << '\n';
  }
  std::exit(status);
}

// What a forked process may come to.
template <class B>
int expected() {
  return std::string(B::name) == "cuda" ? 77 : 0;
}

void require(bool condition, int status) {
  if (!condition) std::_Exit(status);
}

template <class B>
void after_work() {
  typename B::stream const s;
  require(works<B>(s, 1), 10);
  auto kept = upload(s, testing::whole_values<float>(100003, 9));
  auto const values = download(s, kept);
  pinned_buffer<float, B> pinned(3000);
  std::fill_n(pinned.data(), 3000, 5.0f);
  int const status = in_fork([&] {
    typename B::stream const own;
    if (!works<B>(own, 2) || !works<B>(s, 3)) return false;  // the parent's stream too
    if (download(s, kept) != values) return false;           // and its memory, as it was
    fill(s, kept, 1.0f);
    if (sum<double>(s, kept) != 100003) return false;
    bool const same = std::count(pinned.data(), pinned.data() + 3000, 5.0f) == 3000;
    std::fill_n(pinned.data(), 3000, 6.0f);
    return same;
  });
  require(status == expected<B>(), 11);
  require(download(s, kept) == values, 12);  // what the child writes is the child's
  require(std::count(pinned.data(), pinned.data() + 3000, 5.0f) == 3000, 14);
  require(works<B>(s, 4), 13);
}

template <class B>
void twice() {
  typename B::stream const s;
  require(works<B>(s, 1), 10);
  auto const grandchild = [&] { return in_fork([&] { return works<B>(s, 3); }) == expected<B>(); };
  require(in_fork([&] { return expected<B>() != 0 ? grandchild() : works<B>(s, 2) && grandchild() && works<B>(s, 4); }) == 0, 11);
  require(in_fork([&] { return works<B>(s, 5); }) == expected<B>(), 12);
}

// The child uses nothing: it ends as it likes.
template <class B>
void idle_child() {
  typename B::stream const s;
  buffer<float, B> const kept(s, 100003);
  require(works<B>(s, 1), 10);
  require(in_fork([] { return true; }) == 0, 11);
  require(works<B>(s, 2), 12);
}

template <class B>
void before_work() {
  require(in_fork([] { return works<B>(typename B::stream(), 1); }) == 0, 10);
  require(works<B>(typename B::stream(), 2), 11);
}

// From a thread that is not the first one, while another one works.
template <class B>
void from_threads() {
  typename B::stream const s;
  require(works<B>(s, 1), 10);
  std::atomic<bool> over{false};
  std::thread busy([&] {
    typename B::stream const own;
    while (!over) require(works<B>(own, 2), 11);
  });
  for (int i = 0; i < 5; ++i) {
    int status = -1;
    std::thread([&] { status = in_fork([] { return works<B>(typename B::stream(), 3); }); }).join();
    require(status == expected<B>(), 12);
  }
  over = true;
  busy.join();
  require(works<B>(s, 4), 13);
}

#if DOLMEN_HAS_CHECK
struct writes_past_the_end {
  using shape = block_shape<32>;
  view<int> out;
  index_t past;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread(1, [&](thread) { out(out.size() + past) = 1; });
  }
};

// Each process reports its own: what is found before, after, and in the child; and what each has not freed.
template <class B>
void findings() {
  typename B::stream const s;
  buffer<int, B> few(s, 100);
  launch(s, grid(1), writes_past_the_end{few, 1});
  int const status = in_fork([&] {
    launch(s, grid(1), writes_past_the_end{few, 2});
    new buffer<int, B>(s, 12345);
    return true;
  });
  launch(s, grid(1), writes_past_the_end{few, 3});
  std::cout << "child " << status << std::endl;
}
#endif

}  // namespace test_fork

DOLMEN_TEST_CHILD(forks_after_work) { DOLMEN_TEST_IN_CHILD(test_fork::after_work); }
DOLMEN_TEST_CHILD(forks_twice) { DOLMEN_TEST_IN_CHILD(test_fork::twice); }
DOLMEN_TEST_CHILD(forks_an_idle_child) { DOLMEN_TEST_IN_CHILD(test_fork::idle_child); }
DOLMEN_TEST_CHILD(forks_before_work) { DOLMEN_TEST_IN_CHILD(test_fork::before_work); }
DOLMEN_TEST_CHILD(forks_from_threads) { DOLMEN_TEST_IN_CHILD(test_fork::from_threads); }

TEST_CASE_TEMPLATE("fork: the child works, or says that it cannot" * doctest::skip(!testing::forked_can_start_threads), B,
                   DOLMEN_TEST_BACKENDS) {
  for (std::string const name : {"forks_after_work", "forks_twice", "forks_an_idle_child", "forks_before_work", "forks_from_threads"})
    for (std::string const threads : {"1", "3"}) {
      CAPTURE(name);
      CAPTURE(threads);
      auto const r = testing::run_child(name, testing::of_forks({{"OMP_NUM_THREADS", threads}}));
      CHECK(r.status == 0);
      CHECK(r.output == "");
    }
}

#if DOLMEN_HAS_CHECK
DOLMEN_TEST_CHILD(forks_with_findings) { DOLMEN_TEST_IN_CHILD(test_fork::findings); }

TEST_CASE_TEMPLATE("fork: each process reports its own findings", B, DOLMEN_TEST_BACKENDS) {
  auto const r = testing::run_child("forks_with_findings");
  CAPTURE(r.output);
  CHECK(r.status == 66);
  auto const count = [&](std::string const& part) {
    int n = 0;
    for (auto at = r.output.find(part); at != std::string::npos; at = r.output.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("[out_of_bounds]") == 2);  // the third is at the line of the first
  for (std::string const index : {"index 101 ", "index 102 "}) CHECK(count(index) == 1);
  CHECK(count("[leak]") == 1);
  CHECK(count("49380 bytes") == 1);
  CHECK(count("2 findings, 2 of them different") == 1);  // the child's
  CHECK(count("2 findings, 1 of them different") == 1);
  CHECK(count("child 66") == 1);
}
#endif
