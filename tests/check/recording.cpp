// Under the check backend views and tiles tell of every access: where, how wide, read or write, on which line.
#include <doctest/doctest.h>

#include <string>
#include <vector>

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
