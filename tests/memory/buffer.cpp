#include "../backends.hpp"

#include <limits>
#include <thread>

#include "../support/data.hpp"
#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

TEST_CASE_TEMPLATE("buffer: sizes and shapes", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto kind : {memory::pooled, memory::direct}) {
    buffer<float, B> b(s, 1000, kind);
    CHECK(b.size() == 1000);
    CHECK(b.data() != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % 256 == 0);
    CHECK(b.view().size() == 1000);
    CHECK(b.view(20, 50).stride(0) == 50);
    CHECK(b.view(2, 20, 25).extent(2) == 25);
    CHECK(b.view(10, 10).size() == 100);  // fewer than it holds
    auto const& c = b;
    CHECK(std::is_same_v<decltype(c.view()), view<float const>>);
    CHECK(c.view(20, 50).extent(0) == 20);
    view<float> const v = b;
    CHECK(v.data() == b.data());
  }
  CHECK(buffer<std::int16_t, B>(s, extents<3>{{2, 3, 5}}).size() == 30);
}

TEST_CASE_TEMPLATE("buffer: no elements, no memory, no error", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (auto kind : {memory::pooled, memory::direct}) {
    buffer<double, B> none(s, 0, kind);
    CHECK(none.size() == 0);
    CHECK(none.empty());
    CHECK(none.data() == nullptr);
    CHECK(none.view().empty());
    CHECK(none.view(0, 5).extent(1) == 5);
    buffer<double, B> flat(s, extents<3>{{5, 0, std::numeric_limits<index_t>::max()}}, kind);
    CHECK(flat.size() == 0);
    none.free();
    none.free();
  }
  buffer<double, B> const nothing;
  CHECK(nothing.size() == 0);
  CHECK(nothing.get_stream() == typename B::stream(nullptr));
}

TEST_CASE_TEMPLATE("buffer: what is refused names its numbers", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const most = std::numeric_limits<index_t>::max();
  CHECK(complaint<invalid_argument>({"extent 0", "-1", "negative"}, [&] { buffer<int, B> b(s, -1); }) == "");
  CHECK(complaint<invalid_argument>({"extent 1", "-7"}, [&] { buffer<int, B> b(s, extents<2>{{0, -7}}); }) == "");
  CHECK(complaint<invalid_argument>({"9223372036854775807", "4 bytes", "64 bits"}, [&] { buffer<int, B> b(s, most); }) == "");
  // Each extent is small, the product is not: 2^21 * 2^21 * 2^21 * 4.
  index_t const two21 = index_t(1) << 21;
  CHECK(complaint<invalid_argument>({"2097152", "64 bits"}, [&] { buffer<int, B> b(s, extents<3>{{two21, two21, two21}}); }) == "");
  buffer<int, B> b(s, 10);
  CHECK(complaint<invalid_argument>({"11 elements", "10"}, [&] { (void)b.view(1, 11); }) == "");
  CHECK(complaint<invalid_argument>({"extent 0", "-2"}, [&] { (void)b.view(-2, -5); }) == "");
  CHECK(complaint<invalid_argument>({"64 bits"}, [&] { (void)b.view(most, 3); }) == "");
}

TEST_CASE_TEMPLATE("buffer: more than the memory there is", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const too_much = index_t(1) << 46;  // 64 TiB
  for (auto kind : {memory::pooled, memory::direct})
    CHECK(complaint<out_of_memory>({"asked for 64.00 TiB (70368744177664 B)", "free"}, [&] { buffer<char, B> b(s, too_much, kind); }) ==
          "");
  CHECK(complaint<out_of_memory>({"caches"}, [&] { buffer<char, B> b(s, too_much); }) == "");
  buffer<char, B> b(s, 1000);  // the next one works
  CHECK(b.data() != nullptr);
}

TEST_CASE_TEMPLATE("buffer: moves", B, DOLMEN_TEST_BACKENDS) {
  CHECK_FALSE(std::is_copy_constructible_v<buffer<int, B>>);
  CHECK(std::is_nothrow_move_constructible_v<buffer<int, B>>);
  typename B::stream s;
  typename B::device const d = s.get_device();
  auto const before = d.pool().used;
  {
    buffer<int, B> a(s, 100000);
    int* const data = a.data();
    buffer<int, B> b(std::move(a));
    CHECK(b.data() == data);
    CHECK(a.data() == nullptr);
    CHECK(a.size() == 0);
    buffer<int, B> c(s, 50);
    auto const with_c = d.pool().used;
    c = std::move(b);
    CHECK(c.data() == data);
    CHECK(c.size() == 100000);
    CHECK(d.pool().used < with_c);  // what c had is free
    auto& self = c;
    c = std::move(self);
    CHECK(c.data() == data);
    b = buffer<int, B>(s, 3);  // a moved-from buffer may be used again
    CHECK(b.size() == 3);
    using std::swap;
    swap(b, c);
    CHECK(b.data() == data);
    CHECK(c.size() == 3);
  }
  CHECK(d.pool().used == before);
}

TEST_CASE_TEMPLATE("buffer: outlives its stream object, and frees on another when told", B, DOLMEN_TEST_BACKENDS) {
  auto values = testing::random_values<int>(1000);
  buffer<int, B> kept;
  {
    typename B::stream s;
    kept = upload(s, values);
  }
  typename B::stream other;
  other.get_device().synchronize();
  CHECK(download(other, kept) == values);
  kept.free_on(other);
  CHECK(kept.get_stream() == other);
  int* const data = kept.data();
  kept.free();
  if (!is_check<B>) CHECK(buffer<int, B>(other, 1000).data() == data);  // in order on `other`: at once
  buffer<int, B> nothing;
  nothing.free_on(other);
  CHECK(nothing.get_stream() == typename B::stream(nullptr));
}

TEST_CASE_TEMPLATE("buffer: between streams memory is reused only in order", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream a, b;
  a.get_device().trim_pool();
  constexpr index_t n = 20 << 20;  // a segment of its own
  buffer<char, B> first(a, n);
  char* const data = first.data();
  first.free();
  CHECK(buffer<char, B>(b, n).data() != data);
  typename B::event freed(timing::disabled);
  freed.record(a);
  CHECK(buffer<char, B>(b, n).data() != data);
  b.wait(freed);
  buffer<char, B> second(b, n), third(b, n);
  if (!is_check<B>) CHECK((second.data() == data || third.data() == data));
}

TEST_CASE_TEMPLATE("buffer: the pool's statistics", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::device const d = s.get_device();
  d.synchronize();
  d.trim_pool();
  auto const start = d.pool();
  d.reset_pool_peak();
  CHECK(d.pool().peak == start.used);
  {
    buffer<char, B> b(s, 3 << 20);
    auto const now = d.pool();
    CHECK(now.used >= start.used + (3 << 20));
    CHECK(now.held >= now.used);
    CHECK(now.peak == now.used);
    auto const direct_before = d.pool();
    buffer<char, B> direct(s, 3 << 20, memory::direct);
    CHECK(d.pool().used == direct_before.used);
  }
  auto const after = d.pool();
  CHECK(after.used == start.used);
  CHECK(after.peak >= start.used + (3 << 20));
  if (!is_check<B>) {
    CHECK(after.held >= start.held + (3 << 20));  // cached
    d.trim_pool();
    CHECK(d.pool().held < after.held);
  }
}

#if DOLMEN_HAS_CPU
// Counts that a trim forgets add up until the machine seems to be full.
TEST_CASE_TEMPLATE("buffer: the pool is as it was after every trim", B, cpu::backend) {
  typename B::stream s;
  typename B::device const d = s.get_device();
  d.synchronize();
  d.trim_pool();
  auto const start = d.pool();
  index_t const bytes = d.properties().memory_bytes / 8;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    buffer<char, B> large(s, bytes);  // never touched: the system has only promised it
    large.view().data()[round] = 1;
    CHECK(d.pool().used >= start.used + bytes);
    large.free();
    d.trim_pool();
    d.trim_pool();
    CHECK(d.pool().used == start.used);
    CHECK(d.pool().held == start.held);
  }
}
#endif

TEST_CASE_TEMPLATE("buffer: memory of streams that ended is there for others", B, DOLMEN_TEST_BACKENDS) {
  typename B::device const d = typename B::stream().get_device();
  d.synchronize();
  d.trim_pool();
  constexpr index_t n = 20 << 20;  // a segment of its own
  auto const start = d.pool();
  for (int round = 0; round < 20; ++round) {
    typename B::stream s;
    buffer<char, B> data(s, n);
    fill(s, data, char(round));
    data.free();  // in flight, as far as the pool can tell
  }
  CHECK(d.pool().used == start.used);
  CHECK(d.pool().held <= start.held + 3 * n);
  typename B::stream last;
  buffer<char, B> data(last, n);
  fill(last, data, char(77));
  CHECK(download(last, data) == std::vector<char>(std::size_t(n), char(77)));
}

TEST_CASE_TEMPLATE("buffer: freed from another thread, and many at once", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::device const d = s.get_device();
  auto const before = d.pool().used;
  buffer<int, B> here(s, 1000);
  std::thread([b = std::move(here)]() mutable { b.free(); }).join();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&s] {
      typename B::stream own;
      for (int i = 0; i < 100; ++i) {
        buffer<int, B> x(own, 1 + i * 100), y(s, 1 + i * 100);
        if (x.data() == y.data()) std::abort();
      }
    });
  for (auto& t : threads) t.join();
  CHECK(d.pool().used == before);
}
