// What is still running: queries, the mistake of asking too early for a time, waits, and memory on its way.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "raw.cuh"

using namespace dolmen;
using B = cuda::backend;
using testing::complaint;

namespace {
// Nanoseconds; longer under a memory checker, where the host is slow.
long long const a_while = testing::size_of(50'000'000, 1'000'000'000);
}  // namespace

TEST_CASE_TEMPLATE("asynchronous: query and elapsed before the end", T, B) {
  cuda::stream s;
  cuda::event first, second;
  s.synchronize();
  first.record(s);
  spin<<<1, 1, 0, s.native()>>>(a_while);
  second.record(s);
  CHECK_FALSE(s.query());
  CHECK_FALSE(second.query());
  CHECK(complaint<invalid_argument>({"second", "not finished"}, [&] { (void)elapsed(first, second); }) == "");
  second.wait();
  CHECK(second.query());
  double const seconds = elapsed(first, second);
  CHECK(seconds >= 0.9e-9 * double(a_while));
  CHECK(seconds < 10);
}

TEST_CASE_TEMPLATE("asynchronous: a wait refers to the record that existed when it was called", T, B) {
  cuda::stream slow, fast;
  cuda::event e;
  e.record(slow);
  fast.wait(e);  // the record above
  spin<<<1, 1, 0, slow.native()>>>(a_while);
  e.record(slow);  // a later one, which `fast` does not wait for
  fast.synchronize();
  CHECK_FALSE(slow.query());
  slow.synchronize();
}

TEST_CASE_TEMPLATE("asynchronous: streams do not wait for each other, nor for the legacy default stream", T, B) {
  cuda::stream slow, fast;
  buffer<float, B> data(fast, 1000);
  auto const work = [&] {
    fill(fast, data, 1.0f);
    CHECK(sum(fast, data) == 1000);
  };
  work();  // CUDA loads a kernel when it is first launched, and may wait for the device then
  spin<<<1, 1, 0, slow.native()>>>(a_while);
  work();
  if (!testing::small_sizes()) CHECK_FALSE(slow.query());  // a memory checker runs one kernel at a time
  slow.synchronize();
}

TEST_CASE_TEMPLATE("asynchronous: memory in use by a running kernel is not given to another stream", T, B) {
  cuda::stream slow, fast;
  slow.get_device().trim_pool();
  index_t const n = 8 << 20;
  buffer<float, B> out(slow, n);
  {
    buffer<float, B> in(slow, n);
    fill(slow, in, 1.0f);
    spin<<<1, 1, 0, slow.native()>>>(a_while);
    copy(slow, in, out);
  }  // freed in stream order, before the copy has run
  buffer<float, B> other(fast, n);
  fill(fast, other, 7.0f);
  CHECK(sum(fast, other) == 7.0f * float(n));
  CHECK(sum(slow, out) == float(n));
}

TEST_CASE_TEMPLATE("asynchronous: a download is complete when the stream is", T, B) {
  cuda::stream s;
  index_t const n = testing::size_of(1 << 22, 1 << 12);
  buffer<int, B> data(s, n);
  pinned_buffer<int, B> host(n);
  for (auto& x : host) x = 0;
  spin<<<1, 1, 0, s.native()>>>(a_while);
  fill(s, data, 5);
  copy(s, data, host.span());
  CHECK(host[0] == 0);  // pinned: the call did not wait
  s.synchronize();
  for (auto x : host) REQUIRE(x == 5);
}

TEST_CASE_TEMPLATE("asynchronous: algorithms that return nothing do not synchronise", T, B) {
  cuda::stream s;
  buffer<float, B> a(s, 64 * 64), b(s, 64 * 64), total(s, 1);
  fill(s, a, 1.0f);
  sum(s, a, total);  // the pool is warm now
  gemm(s, 1, a.view(64, 64), a.view(64, 64), 0, b.view(64, 64));
  s.synchronize();
  spin<<<1, 1, 0, s.native()>>>(a_while);
  fill(s, a, 1.0f);
  copy(s, a, b);
  gemm(s, 1, a.view(64, 64), a.view(64, 64), 0, b.view(64, 64));
  sum(s, b, total);
  CHECK_FALSE(s.query());
  CHECK(download(s, total)[0] == 64.0f * 64 * 64);
}
