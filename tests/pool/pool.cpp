#include <doctest/doctest.h>

#include <cstring>

#include "../support/errors.hpp"
#include "fake_source.hpp"

using namespace testing;

TEST_CASE_FIXTURE(pool_fixture, "pool: memory is aligned, counted, and given back to the device at the end") {
  auto const s = new_stream();
  std::vector<pool_block*> blocks;
  std::size_t used = 0;
  for (std::size_t bytes : {1, 7, 255, 256, 513, 70000, 1000000, 3000000, 9000000, 40000000}) {
    blocks.push_back(take(bytes, s));
    CHECK(reinterpret_cast<std::uintptr_t>(blocks.back()->data) % memory_pool::alignment == 0);
    CHECK(blocks.back()->bytes >= bytes);
    used += blocks.back()->bytes;
    CHECK(pool.statistics().used == dolmen::index_t(used));
  }
  CHECK(pool.statistics().peak == dolmen::index_t(used));
  CHECK(pool.statistics().held == dolmen::index_t(device.held));
  for (auto* b : blocks) give(b, s);
  CHECK(pool.statistics().used == 0);
  CHECK(pool.statistics().peak == dolmen::index_t(used));
  CHECK(pool.statistics().held == dolmen::index_t(device.held));
  pool.reset_peak();
  CHECK(pool.statistics().peak == 0);
  pool.trim();
  CHECK(pool.statistics().held == 0);
  CHECK(device.held == 0);
  CHECK(device.wrong_releases == 0);
}

TEST_CASE("pool: its end releases every segment") {
  fake_source device(64 * mebi);
  {
    memory_pool pool(device.source());
    auto const s = pool_fixture::new_stream();
    pool.free(pool.allocate(5 * mebi, *s, dolmen::source_location::current()), s);
    CHECK(device.held > 0);
  }
  CHECK(device.held == 0);
  CHECK(device.wrong_releases == 0);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: one stream gets its own memory back at once, without asking the device") {
  auto const s = new_stream();
  auto* const first = take(3 * mebi, s);
  char* const data = first->data;
  give(first, s);
  int const before = device.allocations;
  for (int i = 0; i < 100; ++i) {
    auto* const b = take(3 * mebi, s);
    CHECK(b->data == data);
    give(b, s);
  }
  CHECK(device.allocations == before);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: another stream gets freed memory only after an event orders them") {
  auto const a = new_stream(), b = new_stream();
  auto* const block = take(40 * mebi, a);
  char* const data = block->data;
  give(block, a);
  auto* const other = take(40 * mebi, b);
  CHECK(other->data != data);
  // An event that b did not wait for changes nothing; the wait does.
  auto const event = a->snapshot();
  auto* const another = take(40 * mebi, b);
  CHECK(another->data != data);
  b->join(event);
  CHECK(take(40 * mebi, b)->data == data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: an event recorded before the memory was freed does not order it") {
  auto const a = new_stream(), b = new_stream();
  auto* const block = take(40 * mebi, a);
  char* const data = block->data;
  auto const early = a->snapshot();
  give(block, a);
  b->join(early);
  CHECK(take(40 * mebi, b)->data != data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: what the host waited for serves every stream") {
  auto const a = new_stream(), b = new_stream();
  auto* const block = take(40 * mebi, a);
  char* const data = block->data;
  give(block, a);
  stream_order::complete(a->snapshot());
  CHECK(take(40 * mebi, b)->data == data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: neighbours freed on different streams are not one block until both are ordered") {
  auto const a = new_stream(), b = new_stream(), c = new_stream();
  // Four neighbours that fill a segment.
  auto* const whole = take(32 * mebi, a);
  char* const data = whole->data;
  give(whole, a);
  pool_block* part[4];
  for (auto& p : part) p = take(8 * mebi, a);
  CHECK(part[0]->data == data);
  CHECK(part[3]->data == data + 24 * mebi);
  give(part[0], a);
  give(part[1], b);
  give(part[2], a);
  give(part[3], a);
  int const before = device.allocations;
  CHECK(take(32 * mebi, a)->data != data);  // a does not run after b
  CHECK(device.allocations == before + 1);
  c->join(a->snapshot());
  CHECK(take(8 * mebi, c)->data == data);  // but a's own parts serve whoever runs after a
  CHECK(take(16 * mebi, c)->data == data + 16 * mebi);
  CHECK(device.allocations == before + 1);
  CHECK(take(8 * mebi, c)->data != data + 8 * mebi);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: merging blocks of one stream keeps the later position") {
  auto const a = new_stream(), b = new_stream();
  auto* const whole = take(32 * mebi, a);
  char* const data = whole->data;
  give(whole, a);
  auto *const left = take(8 * mebi, a), *const right = take(24 * mebi, a);
  CHECK(right->data == data + 8 * mebi);
  give(left, a);
  auto const between = a->snapshot();
  give(right, a);
  b->join(between);  // after the left part was freed, before the right part was
  CHECK(take(32 * mebi, b)->data != data);
  b->join(a->snapshot());
  CHECK(take(32 * mebi, b)->data == data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: neighbours of different streams merge once the host has waited") {
  auto const a = new_stream(), b = new_stream(), c = new_stream();
  auto* const whole = take(32 * mebi, a);
  char* const data = whole->data;
  give(whole, a);
  auto *const left = take(8 * mebi, a), *const right = take(24 * mebi, a);
  give(left, a);
  give(right, b);
  stream_order::complete(a->snapshot());
  stream_order::complete(b->snapshot());
  CHECK(take(32 * mebi, c)->data == data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: a split tail waits for the same position as its head") {
  auto const a = new_stream(), b = new_stream();
  auto* const whole = take(32 * mebi, a);
  char* const data = whole->data;
  give(whole, a);
  CHECK(take(8 * mebi, a)->data == data);
  auto* const other = take(24 * mebi, b);
  CHECK((other->data < data || other->data >= data + 32 * mebi));
}

TEST_CASE_FIXTURE(pool_fixture, "pool: memory that is given back idle serves every stream") {
  auto const a = new_stream(), b = new_stream();
  auto* const block = take(40 * mebi, a);
  char* const data = block->data;
  pool.free_idle(block);
  CHECK(pool.statistics().used == 0);
  CHECK(take(40 * mebi, b)->data == data);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: a small buffer that stays does not spoil the room of a large one") {
  auto const a = new_stream();
  auto* const large = take(64 * mebi, a);
  char* const data = large->data;
  give(large, a);
  auto *const small = take(1000, a), *const medium = take(3 * mebi, a), *const half = take(32 * mebi, a);
  for (auto* b : {small, medium, half}) CHECK((b->data < data || b->data >= data + 64 * mebi));
  CHECK(take(64 * mebi, a)->data == data);
}

TEST_CASE("pool: where the device cannot be waited for, memory in flight stays out of reach") {
  pool_fixture f(64 * mebi);
  auto const a = f.new_stream(), b = f.new_stream();
  f.give(f.take(40 * mebi, a), a);
  f.device.can_wait = false;
  CHECK_THROWS_AS(f.take(60 * mebi, b), dolmen::out_of_memory);
  CHECK_THROWS_AS(f.take(40 * mebi, b), dolmen::out_of_memory);
  f.pool.trim();
  CHECK(f.device.held == 40 * mebi);
  f.device.can_wait = true;
  CHECK(f.take(40 * mebi, b) != nullptr);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: the stream may end before its memory is reused") {
  auto a = new_stream();
  auto const b = new_stream();
  auto* const block = take(40 * mebi, a);
  char* const data = block->data;
  give(block, a);
  a->finish();
  a.reset();
  CHECK(take(40 * mebi, b)->data == data);
}

TEST_CASE("pool: running out releases what is held, then names what was asked, free and cached") {
  pool_fixture f(64 * mebi);
  auto const a = f.new_stream(), b = f.new_stream();
  auto* const kept = f.take(10 * mebi, a);
  f.give(f.take(40 * mebi, a), a);
  // 50 MiB are held and b runs after none of it: the cached 40 go back to the device first.
  auto* const second = f.take(50 * mebi, b);
  CHECK(f.device.drains == 1);
  CHECK(second != nullptr);
  f.give(second, b);
  CHECK(complaint<dolmen::out_of_memory>({"the fake device", "100.00 MiB (104857600 B)", "54.00 MiB (56623104 B) free",
                                          "hands out 10.00 MiB (10485760 B)", "caches 0 B"},
                                         [&] { f.take(100 * mebi, a); }) == "");
  // The pool works on.
  f.give(f.take(54 * mebi, a), a);
  CHECK(complaint<dolmen::out_of_memory>({"16384.00 PiB"}, [&] { f.take(std::size_t(-1), a); }) == "");
  CHECK(complaint<dolmen::out_of_memory>({"16384.00 PiB"}, [&] { f.take(std::size_t(-1) - 100, a); }) == "");
  f.give(kept, a);
  f.pool.trim();
  CHECK(f.device.held == 0);
  CHECK(f.device.wrong_releases == 0);
}

TEST_CASE("pool: a request that fills the device to the last byte is served") {
  pool_fixture f(10 * mebi + 512);
  auto const a = f.new_stream();
  f.give(f.take(100, a), a);
  CHECK(f.take(10 * mebi + 512, a)->bytes == 10 * mebi + 512);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: trimming keeps segments in use") {
  auto const a = new_stream();
  auto* const small = take(1000, a);
  auto* const large = take(40 * mebi, a);
  std::memset(small->data, 7, 1000);
  give(large, a);
  pool.trim();
  CHECK(pool.statistics().held == 2 * dolmen::index_t(mebi));
  for (int i = 0; i < 1000; ++i) REQUIRE(small->data[i] == 7);
  CHECK(pool.statistics().used == dolmen::index_t(small->bytes));
}

TEST_CASE_FIXTURE(pool_fixture, "pool: counts after one trim after another") {
  auto const a = new_stream();
  auto* const kept = take(40 * mebi, a);
  for (int round = 0; round < 5; ++round) {
    give(take(60 * mebi, a), a);
    CHECK(pool.statistics().held == dolmen::index_t(100 * mebi));
    pool.trim();
    pool.trim();
    CHECK(pool.statistics().held == dolmen::index_t(40 * mebi));
    CHECK(pool.statistics().used == dolmen::index_t(40 * mebi));
    CHECK(device.held == 40 * mebi);
  }
  CHECK(pool.statistics().peak == dolmen::index_t(100 * mebi));
  pool.reset_peak();
  CHECK(pool.statistics().peak == dolmen::index_t(40 * mebi));
  give(kept, a);
  pool.trim();
  pool.trim();
  CHECK(pool.statistics().held == 0);
  CHECK(pool.statistics().used == 0);
  CHECK(device.held == 0);
  CHECK(device.wrong_releases == 0);
}

TEST_CASE_FIXTURE(pool_fixture, "pool: a large segment is not cut for a large request that would leave much of it") {
  auto const a = new_stream();
  auto* const large = take(64 * mebi, a);
  char* const data = large->data;
  give(large, a);
  auto* const half = take(40 * mebi, a);
  CHECK((half->data < data || half->data >= data + 64 * mebi));
  auto* const most = take(50 * mebi, a);
  CHECK(most->data == data);
  give(most, a);
  CHECK(take(64 * mebi, a)->data == data);
}
