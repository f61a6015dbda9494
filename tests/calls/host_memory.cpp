// The host's memory runs out at any allocation of any call: out_of_memory, the pool as before, and the next call is right.
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "../support/child.hpp"
#include "calls.hpp"
#include "failing_new.hpp"

using namespace dolmen;
using testing::failing;
using testing::world;

namespace {

constexpr long many = 3000;  // more than any call takes

/// Runs `call` with its k-th allocation failing, for every k. After each, in_order() says what is wrong; it and the call itself are
/// run with all memory. Returns what was wrong first, or nothing.
template <class Call, class InOrder>
std::string with_failures(failing how, Call&& call, InOrder&& in_order) {
  for (long k = 1; k <= many; ++k) {
    enum { none, documented, foreign, other } thrown = none;
    testing::arm(k, how);
    try {
      call();
    } catch (out_of_memory const&) {
      thrown = documented;
    } catch (std::bad_alloc const&) {
      thrown = foreign;
    } catch (std::exception const&) {
      thrown = other;
    }
    bool const failed = testing::disarm();
    std::string const at = "allocation " + std::to_string(k) + ": ";
    if (thrown == foreign) return at + "std::bad_alloc";
    if (thrown == other) return at + "another error";
    if (thrown == documented && !failed) return at + "out_of_memory though nothing failed";
    if (auto const wrong = in_order(thrown == documented); !wrong.empty()) return at + wrong;
    if (!failed) return "";
  }
  return "it does not end";
}

template <class B>
std::string fails_well(testing::call<B> const& c, failing how) {
  world<B> w(c.uses & testing::row && !is_check<B> ? 66000 : 256);
  auto const device = w.s.get_device();
  c.run(w);
  auto const expected = w.contents();
  w.reset();
  w.s.synchronize();
  auto const used = device.pool().used;
  return with_failures(
      how, [&] { c.run(w); },
      [&](bool thrown) -> std::string {
        if (!thrown && w.contents() != expected) return "no error, and a wrong result";
        if (device.pool().used != used) return "the pool hands out another number of bytes";
        if (!thrown) return w.reset(), "";
        w.reset();
        c.run(w);
        if (w.contents() != expected) return "the next call is wrong";
        if (device.pool().used != used) return "the pool hands out another number of bytes after the next call";
        return w.reset(), "";
      });
}

}  // namespace

TEST_CASE_TEMPLATE("host memory: one allocation of a call fails", B, DOLMEN_TEST_BACKENDS) {
  for (auto const& c : testing::all_calls<B>()) {
    std::string const name = c.name;
    CAPTURE(name);
    CHECK(fails_well(c, failing::once) == "");
  }
}

TEST_CASE_TEMPLATE("host memory: from one allocation on all fail", B, DOLMEN_TEST_BACKENDS) {
  for (auto const& c : testing::all_calls<B>()) {
    std::string const name = c.name;
    CAPTURE(name);
    CHECK(fails_well(c, failing::onwards) == "");
  }
}

TEST_CASE_TEMPLATE("host memory: streams, devices and pinned memory", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::device const device;
  auto const used = device.pool().used;
  auto const in_order = [&](bool) -> std::string {
    buffer<int, B> data(s, 100);
    fill(s, data, 2);
    if (sum(s, data) != 200) return "the next call is wrong";
    data.free();
    return device.pool().used == used ? "" : "the pool hands out another number of bytes";
  };
  for (auto how : {failing::once, failing::onwards}) {
    CHECK(with_failures(
              how, [] { typename B::stream another; }, in_order) == "");
    CHECK(with_failures(
              how, [&] { (void)device.properties(); }, in_order) == "");
    CHECK(with_failures(
              how, [&] { (void)device.pool(), device.reset_pool_peak(), device.trim_pool(); }, in_order) == "");
    CHECK(with_failures(
              how, [&] { device.synchronize(); }, in_order) == "");
    CHECK(with_failures(
              how, [] { pinned_buffer<int, B> pinned(100); }, in_order) == "");
    // What is refused for another reason: the text takes memory.
    CHECK(with_failures(
              how,
              [&] {
                try {
                  buffer<int, B> negative(s, -1);
                } catch (invalid_argument const&) {
                }
              },
              in_order) == "");
  }
}

TEST_CASE_TEMPLATE("host memory: out_of_memory knows the call and its place", B, DOLMEN_TEST_BACKENDS) {
  std::string text;
  testing::arm(1, failing::once);
  try {
    typename B::stream another;
    testing::disarm();
  } catch (out_of_memory const& e) {
    testing::disarm();
    text = e.what();
    CHECK(e.where().line() > 0);
  }
  CHECK(text.find("stream: out of memory on the host (") == 0);
  CHECK(text.find("host_memory.cpp:") != std::string::npos);
  bool known = false;
  testing::arm(1, failing::onwards);
  try {
    typename B::stream another;
    testing::disarm();
  } catch (out_of_memory const& e) {
    testing::disarm();
    known = std::string(e.where().file_name()).find("host_memory.cpp") != std::string::npos;
  }
  CHECK(known);
}

namespace {

/// The first use in a process, in a process for every k: what is made once is made again, or done without.
template <class B>
void first_use() {
  for (long k = 1; k <= many; k += k < 64 ? 1 : k / 16) {
    pid_t const pid = fork();
    if (pid != 0) {
      int status = 0;
      waitpid(pid, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 100) return;  // fewer than k allocations
      throw error("allocation " + std::to_string(k) + " ended with " + std::to_string(status));
    }
    auto const use = [] {
      typename B::stream s;
      buffer<int, B> data(s, 100000);
      fill(s, data, 3);
      return sum(s, data) == 300000;
    };
    bool right = true;
    testing::arm(k, failing::once);
    try {
      right = use();
    } catch (out_of_memory const&) {
    } catch (...) {
      right = false;
    }
    bool const failed = testing::disarm();
    _exit(right && use() ? failed ? 0 : 100 : 1);
  }
}

}  // namespace

DOLMEN_TEST_CHILD(first_use_without_memory) { DOLMEN_TEST_IN_CHILD(first_use); }

#if defined(DOLMEN_TEST_CPU_BACKEND)  // a process with CUDA in it cannot be forked
TEST_CASE_TEMPLATE("host memory: it runs out in the first call of a process", B, DOLMEN_TEST_CPU_BACKEND) {
  auto const r = testing::run_child("first_use_without_memory");
  CHECK(r.output == "");
  CHECK(r.status == 0);
}
#endif
