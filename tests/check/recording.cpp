// Under the check backend views and tiles tell of every access: where, how wide, read or write, on which line.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <dolmen/core/error.hpp>
#include <dolmen/core/tile.hpp>
#include <dolmen/core/view.hpp>

#include "recorder.hpp"

using namespace dolmen;
using detail::access_kind;
using testing::recorder;

namespace {

struct particle {
  float x;
  double mass;
  char tag;
};

}  // namespace

TEST_CASE("check: nothing is recorded without a recorder") {
  float data[2] = {1, 2};
  view<float> const v(data, 2);
  v(0) = 5;
  CHECK(data[0] == 5);
  CHECK(detail::current_recorder() == nullptr);
}

TEST_CASE("check: reads and writes, with their lines") {
  float data[4] = {1, 2, 3, 4};
  view<float> const v(data, 4);
  recorder r;
  int const line = __LINE__;
  float const x = v(1);
  v(2) = x + 1;
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::read, data + 1, 4, line + 1));
  CHECK(r.is(1, access_kind::write, data + 2, 4, line + 2));
  CHECK(std::string(r.events[0].line.file_name()).find("recording.cpp") != std::string::npos);
  CHECK(data[2] == 3);
}

TEST_CASE("check: assignment from another element reads it and writes this") {
  float data[4] = {1, 2, 3, 4};
  view<float> const v(data, 4);
  recorder r;
  int const line = __LINE__ + 1;
  v(0) = v(3);
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::read, data + 3, 4, line));
  CHECK(r.is(1, access_kind::write, data, 4, line));
}

TEST_CASE("check: compound assignment is a read and a write") {
  int data[1] = {8};
  view<int> const v(data, 1);
  int steps = 0;
  auto const both = [&](auto change, int expected) {
    recorder r;
    change();
    r.stop();
    ++steps;
    CAPTURE(steps);
    REQUIRE(r.events.size() == 2);
    CHECK(r.events[0].kind == access_kind::read);
    CHECK(r.events[1].kind == access_kind::write);
    CHECK(data[0] == expected);
  };
  both([&] { v(0) += 4; }, 12);
  both([&] { v(0) -= 2; }, 10);
  both([&] { v(0) *= 3; }, 30);
  both([&] { v(0) /= 2; }, 15);
  both([&] { v(0) %= 8; }, 7);
  both([&] { v(0) &= 6; }, 6);
  both([&] { v(0) |= 1; }, 7);
  both([&] { v(0) ^= 2; }, 5);
  both([&] { ++v(0); }, 6);
  both([&] { --v(0); }, 5);
}

TEST_CASE("check: load, store, ranks 2 and 3, strides") {
  double data[24] = {};
  recorder r;
  view<double, 2>(data, {{2, 3}}, {{5}}).store(1, 2, 7.0);
  CHECK(view<double, 3>(data, 2, 3, 4).load(1, 2, 3) == 0.0);
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::write, data + 7, 8));
  CHECK(r.is(1, access_kind::read, data + 23, 8));
}

TEST_CASE("check: a constant view gives values") {
  float data[2] = {1, 2};
  view<float const> const v(data, 2);
  CHECK(std::is_same_v<decltype(v(0)), float>);
  recorder r;
  auto const x = v(1);
  r.stop();
  CHECK(x == 2);
  REQUIRE(r.events.size() == 1);
  CHECK(r.is(0, access_kind::read, data + 1, 4));
}

TEST_CASE("check: a member of a record has the member's width") {
  particle data[2] = {};
  view<particle> const v(data, 2);
  recorder r;
  v.field<&particle::mass>(1) = 3;
  float const x = v.field<&particle::x>(0);
  v.field<&particle::tag>(0) = 'a';
  particle const whole = v(1);
  r.stop();
  CHECK(x == 0);
  CHECK(whole.mass == 3);
  REQUIRE(r.events.size() == 4);
  CHECK(r.is(0, access_kind::write, &data[1].mass, 8));
  CHECK(r.is(1, access_kind::read, &data[0].x, 4));
  CHECK(r.is(2, access_kind::write, &data[0].tag, 1));
  CHECK(r.is(3, access_kind::read, &data[1], int(sizeof(particle))));
}

TEST_CASE("check: packs are one wide access") {
  alignas(16) float data[8] = {};
  view<float> const v(data, 8);
  recorder r;
  v.store_pack<4>(4, pack<float, 4>{{1, 2, 3, 4}});
  CHECK(v.load_pack<2>(6)[1] == 4);
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::write, data + 4, 16));
  CHECK(r.is(1, access_kind::read, data + 6, 8));
}

TEST_CASE("check: a pack in a matrix is one wide access at its row and column") {
  alignas(16) float data[16] = {};
  view<float, 2> const v(data, {{2, 8}});
  recorder r;
  int const line = __LINE__ + 1;
  v.store_pack<4>(1, 4, pack<float, 4>{{1, 2, 3, 4}});
  CHECK(v.load_pack<2>(1, 6)[1] == 4);
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::write, data + 12, 16, line));
  CHECK(r.is(1, access_kind::read, data + 14, 8, line + 1));
}

TEST_CASE("check: a pack where none can lie is an error with its line") {
  alignas(16) float data[32] = {};
  view<float> const v(data, 32);
  view<float, 2> const m(data, {{2, 8}}, {{10}});
  auto const refused = [](std::string const& what, int line, auto&& call) {
    try {
      call();
    } catch (invalid_argument const& e) {
      std::string const text = e.what();
      CAPTURE(text);
      CHECK(text.find(what) != std::string::npos);
      CHECK(text.find("recording.cpp:" + std::to_string(line) + ")") != std::string::npos);
      return;
    }
    FAIL_CHECK("nothing was thrown");
  };
  recorder r;
  refused("pack of 16 bytes at index 5: its address must be a multiple of 16, it is 4 bytes", __LINE__, [&] { (void)v.load_pack<4>(5); });
  refused("pack of 8 bytes at index 3: its address must be a multiple of 8, it is 4 bytes", __LINE__, [&] { v.store_pack<2>(3, {}); });
  refused("at index 4: its address must be a multiple of 16, it is 8 bytes", __LINE__, [&] { (void)m.load_pack<4>(1, 4); });
  refused("pack of 16 bytes at index 0", __LINE__, [&] { m.store_pack<4>(1, 0, {}); });
  r.stop();
  CHECK(r.events.empty());
  CHECK(std::all_of(data, data + 32, [](float x) { return x == 0; }));
}

TEST_CASE("check: tiles record as views do") {
  tile<int, 2, 3> t;
  recorder r;
  int const line = __LINE__ + 1;
  t(1, 2) = 5;
  CHECK(t.load(1, 2) == 5);
  r.stop();
  REQUIRE(r.events.size() == 2);
  CHECK(r.is(0, access_kind::write, t.elements + 5, 4, line));
  CHECK(r.is(1, access_kind::read, t.elements + 5, 4));
}

TEST_CASE("check: an element is used where it was made") {
  using element = decltype(std::declval<view<float>>()(0));
  CHECK_FALSE(std::is_copy_constructible_v<element>);
  CHECK_FALSE(std::is_convertible_v<element&, float>);
  CHECK(std::is_convertible_v<element, float>);
  CHECK_FALSE(std::is_assignable_v<element&, float>);
  CHECK(std::is_assignable_v<element, float>);
}

TEST_CASE("check: atomics tell kind, line, order and scope") {
  using enum memory_order;
  constexpr auto block = memory_scope::block, device = memory_scope::device;
  int data[6] = {};
  view<int, 2> const v(data, 2, 3);
  tile<double, 4> t;
  t(3) = 1;
  recorder r;
  int const line = __LINE__ + 1;
  v.atomic(1, 2).fetch_add(5);
  CHECK(v.atomic(1, 2).load(acquire) == 5);
  v.atomic(0, 1).store(3, release, block);
  v.atomic(0, 1).exchange(4, acq_rel);
  int expected = 4;
  CHECK(v.atomic(0, 1).compare_exchange(expected, 9, acquire));
  CHECK_FALSE(v.atomic(0, 1).compare_exchange(expected, 9));  // an update all the same
  CHECK(t.atomic(3).fetch_max(-2.0, release) == 1);           // this too
  t.atomic(3).fetch_min(-2.0, acquire, device);
  r.stop();
  REQUIRE(r.events.size() == 8);
  CHECK(r.is(0, access_kind::atomic_update, data + 5, 4, line));
  CHECK(r.is(1, access_kind::atomic_read, data + 5, 4, line + 1));
  CHECK(r.is(2, access_kind::atomic_write, data + 1, 4, line + 2));
  CHECK(r.is(3, access_kind::atomic_update, data + 1, 4, line + 3));
  CHECK(r.is(4, access_kind::atomic_update, data + 1, 4, line + 5));
  CHECK(r.is(5, access_kind::atomic_update, data + 1, 4, line + 6));
  CHECK(r.is(6, access_kind::atomic_update, t.elements + 3, 8, line + 7));
  CHECK(r.is(7, access_kind::atomic_update, t.elements + 3, 8, line + 8));
  memory_order const orders[] = {relaxed, acquire, release, acq_rel, acquire, relaxed, release, acquire};
  memory_scope const scopes[] = {device, device, block, device, device, device, block, device};
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(r.events[i].order == orders[i]);
    CHECK(r.events[i].scope == scopes[i]);
  }
  CHECK(data[1] == 9);
  CHECK(expected == 9);
  CHECK(t.elements[3] == -2.0);
}

TEST_CASE("check: every atomic operation is one event") {
  std::uint64_t data[8] = {};
  view<std::uint64_t, 3> const v(data, 2, 2, 2);
  tile<int, 2, 2> plane{};
  tile<int, 2, 2, 2> volume{};
  recorder r;
  int const line = __LINE__ + 1;
  auto cell = v.atomic(1, 0, 1);  // kept, and told each time
  cell.fetch_add(7);
  cell.fetch_sub(2);
  cell.fetch_min(4);
  cell.fetch_max(6);
  cell.fetch_and(12);
  cell.fetch_or(3);
  cell.fetch_xor(1);
  plane.atomic(1, 0).fetch_add(1);
  volume.atomic(1, 0, 1).fetch_add(1);
  r.stop();
  REQUIRE(r.events.size() == 9);
  for (std::size_t i = 0; i < 7; ++i) CHECK(r.is(i, access_kind::atomic_update, data + 5, 8, line));
  CHECK(r.is(7, access_kind::atomic_update, plane.elements + 2, 4));
  CHECK(r.is(8, access_kind::atomic_update, volume.elements + 5, 4));
  CHECK(data[5] == 6);  // 7, 5, 4, 6, 4, 7, 6
}

TEST_CASE("check: fences are told; plain accesses have no order") {
  int data[1] = {};
  view<int> const v(data, 1);
  recorder r;
  int const line = __LINE__ + 1;
  fence(memory_order::release);
  fence(memory_order::acquire, memory_scope::block);
  v(0) = 1;
  r.stop();
  REQUIRE(r.events.size() == 3);
  CHECK(r.is(0, access_kind::fence, nullptr, 0, line));
  CHECK(r.is(1, access_kind::fence, nullptr, 0, line + 1));
  CHECK(r.events[0].order == memory_order::release);
  CHECK(r.events[0].scope == memory_scope::device);
  CHECK(r.events[1].order == memory_order::acquire);
  CHECK(r.events[1].scope == memory_scope::block);
  CHECK(r.is(2, access_kind::write, data, 4));
  CHECK(r.events[2].order == memory_order::relaxed);
}
