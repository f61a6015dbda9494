// Planted mistakes are found by the check backend, each with its lines and nothing else; their twins are right, on every
// backend, and silent.
#include "../backends.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include "../support/child.hpp"
#include "judge.hpp"

using namespace planted;

namespace {

/// A case by its name, as the parent put it into the environment.
test_case const* case_of_child() {
  char const* name = std::getenv("PLANTED_CASE");
  test_case const* found = nullptr;
  each_case([&](family const&, test_case const& c) {
    if (name && std::string(c.name) == name) found = &c;
  });
  return found;
}

void be_case(bool right) {
  auto const* c = case_of_child();
  if (!c) std::exit(3);
  bool const as_expected = (right ? c->right : c->wrong)(stream());
  if (right && !as_expected) std::exit(4);
}

}  // namespace

DOLMEN_TEST_CHILD(planted_right) { be_case(true); }
DOLMEN_TEST_CHILD(planted_wrong) { be_case(false); }

TEST_CASE_TEMPLATE("planted: names differ, and every case has its marks", B, default_backend) {
  std::set<std::string> names;
  each_case([&](family const& f, test_case const& c) {
    std::string const name = c.name;
    CAPTURE(name);
    CHECK(names.insert(c.name).second);
    CHECK(marks_of(f, c).fault == "");
    auto const m = marks_of(f, c);
    if (c.kinds == std::vector{kind::race} || c.kinds == std::vector{kind::same_value}) CHECK((m.first && m.second));
  });
  CHECK(names.size() >= 170);
}

namespace {
struct fake_place {
  std::string file = "x/this.cpp";
  int line = 0;
};
struct fake_finding {
  kind what = kind::race;
  fake_place first, second;
  std::string text = "...";
};
fake_finding fake(kind what, int first, int second) { return {what, {"x/this.cpp", first}, {"x/this.cpp", second}, "..."}; }
}  // namespace

TEST_CASE_TEMPLATE("planted: the judge itself", B, default_backend) {
  std::istringstream source(
      "first line\n  a = b;  // @case:second\n\n  c = a;  // @case:first @other:maybe\n  d;  // @case:maybe\n// @cas:first\n");
  marks const m = marks_in(source, "case");
  CHECK(m.first == 4);
  CHECK(m.second == 2);
  CHECK(m.maybe == std::set<int>{5});
  auto const judge = [&](std::vector<fake_finding> const& found) {
    return complaint(std::vector{kind::race, kind::uninitialised}, kind::race, kind::same_value, m, "/y/this.cpp", found);
  };
  CHECK(judge({fake(kind::race, 4, 2)}) == "");
  CHECK(judge({fake(kind::race, 2, 4)}) == "");
  CHECK(judge({fake(kind::uninitialised, 4, 2)}) == "");
  CHECK(judge({fake(kind::race, 5, 0), fake(kind::race, 4, 2)}) == "");
  CHECK(judge({fake(kind::same_value, 5, 0), fake(kind::race, 4, 2)}) == "");
  CHECK(complaint(std::vector{kind::same_value}, kind::race, kind::same_value, m, "/y/this.cpp", std::vector{fake(kind::race, 4, 2)}) !=
        "");
  CHECK(judge({}) != "");
  CHECK(judge({fake(kind::uninitialised, 2, 4)}) != "");
  CHECK(judge({fake(kind::race, 4, 0)}) != "");
  CHECK(judge({fake(kind::race, 5, 0)}) != "");
  CHECK(judge({fake(kind::race, 4, 2), fake(kind::race, 4, 3)}) != "");
  CHECK(judge({fake(kind::race, 4, 2), fake(kind::leak, 4, 2)}) != "");
  auto elsewhere = fake(kind::race, 4, 2);
  elsewhere.first.file = "x/that.cpp";
  CHECK(judge({elsewhere}) != "");
}

TEST_CASE_TEMPLATE("planted: every twin is right, and silent", B, default_backend) {
  int seen = 0, unseen = 0;
  each_case([&](family const&, test_case const& c) {
    std::string const name = c.name;
    CAPTURE(name);
    ++seen;
    try {
      CHECK(c.right(stream()));
    } catch (not_run const& why) {
      ++unseen;
      MESSAGE("not run: ", name, " ", why.what());
    } catch (std::exception const& e) {
      FAIL_CHECK(e.what());
    }
#if DOLMEN_HAS_CHECK
    for (auto const& f : check::take_findings()) FAIL_CHECK("found in a program without mistakes: ", f.text);
#endif
  });
  CHECK(seen >= 170);
  CHECK(unseen <= (is_check<default_backend> ? 0 : 6));  // the cooperative ones, where the device is small
}

#if DOLMEN_HAS_CHECK
namespace {

// Reports spell kinds in words.
std::string words(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string child_complaint(family const& f, test_case const& c) {
  auto const m = marks_of(f, c);
  if (!m.fault.empty()) return m.fault;
  auto const right = testing::run_child("planted_right", {{"PLANTED_CASE", c.name}});
  if (right.status != 0 || !right.output.empty()) return "the twin: status " + std::to_string(right.status) + ", " + right.output;
  auto const wrong = testing::run_child("planted_wrong", {{"PLANTED_CASE", c.name}});
  if (wrong.status != 66) return "status " + std::to_string(wrong.status) + ": " + wrong.output;
  for (int line : {m.first, m.second})
    if (line && wrong.output.find(base_name(f.file) + ":" + std::to_string(line)) == std::string::npos)
      return "line " + std::to_string(line) + " is not named: " + wrong.output;
  for (kind k : c.kinds)
    if (words(wrong.output).find(words(check::name_of(k))) != std::string::npos) return "";
  return "the kind is not named: " + wrong.output;
}

}  // namespace

TEST_CASE_TEMPLATE("planted: every mistake is found, with its lines and nothing else", B, default_backend) {
  each_case([&](family const& f, test_case const& c) {
    std::string const name = c.name;
    CAPTURE(name);
    if (c.where == runs::alone) {
      CHECK(child_complaint(f, c) == "");
      return;
    }
    check::expect_findings const expected;
    try {
      c.wrong(stream());
    } catch (not_run const& why) {
      FAIL_CHECK("not run: ", why.what());
    } catch (error const&) {  // some mistakes end the launch, or the call
    }
    CHECK(complaint(c.kinds, kind::race, kind::same_value, marks_of(f, c), f.file, check::take_findings()) == "");
  });
}
#endif
