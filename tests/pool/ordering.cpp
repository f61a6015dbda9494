#include <doctest/doctest.h>
#include <memory>

#include <thread>
#include <vector>

#include "fake_source.hpp"

using dolmen::detail::stream_order;
using testing::new_stream;

TEST_CASE("ordering: a stream runs after itself, and after others only through events") {
  auto const a = new_stream(), b = new_stream();
  auto const tick = a->advance();
  CHECK(a->runs_after(*a, tick));
  CHECK_FALSE(b->runs_after(*a, tick));
  auto const event = a->snapshot();
  CHECK_FALSE(b->runs_after(*a, tick));
  b->join(event);
  CHECK(b->runs_after(*a, tick));
  CHECK_FALSE(a->runs_after(*b, b->advance()));
}

TEST_CASE("ordering: an event stands for what came before its record, not after") {
  auto const a = new_stream(), b = new_stream();
  auto const before = a->advance();
  auto const event = a->snapshot();
  auto const after = a->advance();
  b->join(event);
  CHECK(b->runs_after(*a, before));
  CHECK_FALSE(b->runs_after(*a, after));
}

TEST_CASE("ordering: it is transitive, and an older event takes nothing back") {
  auto const a = new_stream(), b = new_stream(), c = new_stream();
  auto const first = a->advance();
  auto const old_event = a->snapshot();
  auto const second = a->advance();
  b->join(a->snapshot());
  c->join(b->snapshot());
  CHECK(c->runs_after(*a, second));
  c->join(old_event);
  CHECK(c->runs_after(*a, second));
  CHECK(c->runs_after(*a, first));
}

TEST_CASE("ordering: what the host waited for comes before everything") {
  auto const a = new_stream(), b = new_stream();
  auto const tick = a->advance();
  auto const event = a->snapshot();
  auto const later = a->advance();
  stream_order::complete(event);
  CHECK(b->runs_after(*a, tick));
  CHECK_FALSE(b->runs_after(*a, later));
  // Completing an older snapshot takes nothing back.
  stream_order::complete(a->snapshot());
  stream_order::complete(event);
  CHECK(b->runs_after(*a, later));
}

TEST_CASE("ordering: the host's wait covers what the stream itself had waited for") {
  auto const a = new_stream(), b = new_stream(), c = new_stream();
  auto const tick = a->advance();
  b->join(a->snapshot());
  stream_order::complete(b->snapshot());
  CHECK(c->runs_after(*a, tick));
}

TEST_CASE("ordering: a finished stream is behind everyone, and nothing keeps it alive") {
  auto a = new_stream();
  auto const b = new_stream(), c = new_stream();
  a->join(b->snapshot());
  b->join(a->snapshot());  // they know each other: a cycle until one ends
  a->finish();
  CHECK(c->runs_after(*a, a->advance()));
  std::weak_ptr<stream_order> const watch = a;
  a.reset();
  b->join(c->snapshot());  // forgets what is complete
  CHECK(watch.expired());
}

TEST_CASE("ordering: what a stream knows does not grow with completed work") {
  auto const a = new_stream();
  for (int i = 0; i < 100; ++i) {
    auto const other = new_stream();
    other->advance();
    auto const event = other->snapshot();
    a->join(event);
    stream_order::complete(event);
  }
  CHECK(a->snapshot().size() == 1);
}

TEST_CASE("ordering: many threads at once") {
  auto const a = new_stream(), b = new_stream();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto const& mine = t % 2 ? a : b;
      auto const& other = t % 2 ? b : a;
      for (int i = 0; i < 500; ++i) {
        auto const tick = mine->advance();
        auto const event = mine->snapshot();
        other->join(event);
        if (!other->runs_after(*mine, tick)) std::abort();
        if (i % 10 == 0) stream_order::complete(event);
      }
    });
  for (auto& t : threads) t.join();
  CHECK(a->runs_after(*b, 1000));
}

TEST_CASE("order: the host that waits for a stream has waited for all that the stream waited for") {
  auto const a = new_stream(), b = new_stream(), c = new_stream();
  auto const first = b->advance(), other = c->advance();
  a->join(b->snapshot());
  auto const own = a->advance(), later = b->advance();
  a->complete_here();
  CHECK(a->completed(own));
  CHECK(b->completed(first));
  CHECK_FALSE(b->completed(later));
  CHECK_FALSE(c->completed(other));
  CHECK(c->runs_after(*b, first));
  CHECK_FALSE(c->runs_after(*b, later));
}
