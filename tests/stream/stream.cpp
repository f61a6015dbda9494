#include "../backends.hpp"

#include <thread>

#include "../support/data.hpp"
#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

TEST_CASE_TEMPLATE("stream: handles, order, queries", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream a, b;
  auto const same = a;
  CHECK(same == a);
  CHECK_FALSE(a == b);
  CHECK(a.get_device() == typename B::device());
  buffer<int, B> data(a, 1 << 16);
  for (int i = 0; i < 20; ++i) fill(a, data, i);  // in order: the last one stands
  a.synchronize();
  CHECK(a.query());
  CHECK(download(a, data).back() == 19);
  b.synchronize();
  CHECK(b.query());
}

TEST_CASE_TEMPLATE("stream: work of one that ended is done", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream keeper;
  buffer<int, B> data(keeper, 1 << 20);
  keeper.synchronize();
  { fill(typename B::stream(), data, 7); }  // the stream's end waits for its work
  CHECK(download(keeper, data).back() == 7);
}

TEST_CASE_TEMPLATE("event: never recorded", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::event e;
  CHECK(e.query());
  e.wait();
  s.wait(e);
  s.synchronize();
}

TEST_CASE_TEMPLATE("event: elapsed names the mistake", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::event recorded, never, other(timing::disabled);
  recorded.record(s);
  other.record(s);
  s.synchronize();
  CHECK(complaint<invalid_argument>({"second", "not recorded"}, [&] { (void)elapsed(recorded, never); }) == "");
  CHECK(complaint<invalid_argument>({"first", "not recorded"}, [&] { (void)elapsed(never, recorded); }) == "");
  CHECK(complaint<invalid_argument>({"second", "without timing"}, [&] { (void)elapsed(recorded, other); }) == "");
  CHECK(complaint<invalid_argument>({"first", "without timing"}, [&] { (void)elapsed(other, recorded); }) == "");
  CHECK(elapsed(recorded, recorded) == 0);
}

TEST_CASE_TEMPLATE("event: time between two records", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> data(s, testing::size_of(1 << 22, 1 << 12));
  typename B::event first, second;
  first.record(s);
  for (int i = 0; i < 5; ++i) fill(s, data, 1.0f);
  second.record(s);
  second.wait();
  CHECK(second.query());
  double const t = elapsed(first, second);
  CHECK(t > 0);
  CHECK(t < 10);
  CHECK(elapsed(second, first) == -t);
}

TEST_CASE_TEMPLATE("event: waits across streams", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream producer, consumer;
  index_t const n = testing::size_of(1 << 20, 1 << 10);
  buffer<int, B> data(producer, n), seen(consumer, n);
  typename B::event ready(timing::disabled);
  for (int round = 1; round <= 10; ++round) {
    for (int i = 0; i < 4; ++i) fill(producer, data, i);
    fill(producer, data, round);
    ready.record(producer);
    consumer.wait(ready);
    copy(consumer, data, seen);
    CHECK(sum(consumer, seen) == std::int64_t(round) * n);
    ready.record(consumer);  // re-recorded on the other stream: the producer waits in turn
    producer.wait(ready);
  }
}

TEST_CASE_TEMPLATE("event: re-recording does not deadlock, moves keep the record", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream a, b;
  typename B::event e;
  for (int i = 0; i < 100; ++i) {
    e.record(a);
    b.wait(e);
    e.record(b);
    a.wait(e);
  }
  a.synchronize();
  b.synchronize();
  typename B::event moved(std::move(e));
  CHECK(moved.query());
  moved.wait();
  CHECK(elapsed(moved, moved) == 0);
  e = std::move(moved);
  CHECK(e.query());
}

TEST_CASE_TEMPLATE("event: a wait on one's own stream, from another thread", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  typename B::event e;
  e.record(s);
  s.wait(e);
  std::thread([&] {
    e.wait();
    s.wait(e);
    s.synchronize();
  }).join();
  CHECK(e.query());
}
