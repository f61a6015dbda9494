// Random traffic: nothing is handed out twice, and nothing is reused by a stream that does not run after its freeing.
#include <doctest/doctest.h>
#include <atomic>

#include <random>
#include <thread>

#include "fake_source.hpp"
#include "shadow.hpp"

using namespace testing;

namespace {

constexpr int streams = 4;

class traffic {
 public:
  traffic(std::uint64_t seed, std::size_t capacity) : next_(seed), f_(capacity), model_(streams) {
    for (int i = 0; i < streams; ++i) order_.push_back(f_.new_stream());
  }

  void step() {
    int const s = int(next_() % streams);
    switch (next_() % 16) {
      case 0:
        return event(s, int(next_() % streams));
      case 1:
        return next_() % 8 == 0 ? host_waits(s) : event(s, int(next_() % streams));
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
        return take(s);
      default:
        return give(s);
    }
  }

  void finish() {
    while (!live_.empty()) give(0);
    CHECK_FALSE(model_.overlaps);
    CHECK_FALSE(model_.unordered);
    CHECK(f_.pool.statistics().used == 0);
    CHECK(f_.pool.statistics().held == dolmen::index_t(f_.device.held));
    f_.pool.trim();
    CHECK(f_.device.held == 0);
    CHECK(f_.device.wrong_releases == 0);
  }
  int reused = 0, refused = 0;

 private:
  void event(int from, int to) {
    order_[std::size_t(to)]->join(order_[std::size_t(from)]->snapshot());
    model_.wait(to, model_.record(from));
  }
  void host_waits(int s) {
    stream_order::complete(order_[std::size_t(s)]->snapshot());
    model_.host_waited(model_.record(s));
  }
  void take(int s) {
    std::size_t const bytes = 1 + next_() % (std::size_t(1) << (10 + next_() % 14));
    int const drains = f_.device.drains, allocations = f_.device.allocations;
    pool_block* block = nullptr;
    try {
      block = f_.take(bytes, order_[std::size_t(s)]);
    } catch (dolmen::out_of_memory const&) {
      ++refused;
    }
    if (f_.device.drains != drains) model_.device_is_idle();
    if (!block) return;
    if (f_.device.allocations == allocations) ++reused;
    model_.handed_out(block->data, block->bytes, s);
    live_.push_back({block, s});
  }
  // On the stream that uses it, or on another that was made to wait for it.
  void give(int other) {
    if (live_.empty()) return;
    std::swap(live_[next_() % live_.size()], live_.back());
    auto const [block, user] = live_.back();
    live_.pop_back();
    int const s = next_() % 8 == 0 ? other : user;
    if (s != user) event(user, s);
    model_.given_back(block->data, s);
    f_.give(block, order_[std::size_t(s)]);
  }

  std::mt19937_64 next_;
  pool_fixture f_;
  shadow model_;
  std::vector<pool_fixture::stream> order_;
  std::vector<std::pair<pool_block*, int>> live_;  // and the stream that uses it
};

}  // namespace

TEST_CASE("pool: random traffic with plenty of memory") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    traffic t(seed, 1024 * mebi);
    for (int i = 0; i < 3000; ++i) t.step();
    CHECK(t.reused > 500);
    CHECK(t.refused == 0);
    t.finish();
  }
}

TEST_CASE("pool: random traffic on a device that is often full") {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    traffic t(seed, 10 * mebi);
    for (int i = 0; i < 3000; ++i) t.step();
    refused += t.refused;
    t.finish();
  }
  CHECK(refused > 0);
}

TEST_CASE("pool: several threads, each sees its own bytes only") {
  pool_fixture f(64 * mebi);
  auto const shared = f.new_stream();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 next(static_cast<std::uint64_t>(t));
      auto const own = t < 2 ? f.new_stream() : shared;
      for (int i = 0; i < 400; ++i) {
        std::size_t const bytes = 1 + next() % 60000;
        auto* const block = f.take(bytes, own);
        std::memset(block->data, t + 1, bytes);
        std::this_thread::yield();
        for (std::size_t k = 0; k < bytes; k += 61) wrong += block->data[k] != t + 1;
        f.give(block, own);
        if (i % 50 == 0) f.pool.trim();
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(f.pool.statistics().used == 0);
}
