// What becomes of findings: the options of DOLMEN_CHECK, the text, the JSON file, exit statuses, what a program accepts and
// names, and who is told. Options are read once in a process, so children have them.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dolmen/dolmen.hpp>

#include "../support/child.hpp"
#include "../support/locales.hpp"

using namespace dolmen;
using testing::run_child;

namespace {

constexpr int store_line = __LINE__ + 7, load_line = store_line + 1;
struct two_mistakes {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { out(t.rank / 2) = t.rank; });      // a race
    block.each_thread(1, [&](thread t) { out(63) = in(t.rank + 64); });  // beyond the end
  }
};

struct accepts_a_race {
  using shape = block_shape<64>;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      DOLMEN_CHECK_ACCEPT(same_value, "all write the same");
      out(t.rank / 2) = 1;
      DOLMEN_CHECK_ACCEPT(uninitialised, "nothing to accept here");
    });
  }
};

// One line further down than is accepted, and another kind.
struct accepts_something_else {
  using shape = block_shape<64>;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      DOLMEN_CHECK_ACCEPT(same_value, "another line");
      int const half = t.rank / 2;
      DOLMEN_CHECK_ACCEPT(uninitialised, "another kind");
      out(half) = 1;
    });
  }
};

void run_two_mistakes() {
  stream s;
  auto const in = upload(s, std::vector<int>(64, 1));
  buffer<int> out(s, 64);
  check::name(in, "input");
  fill(s, out, 0);
  launch(s, grid(1), two_mistakes{in.view(), out.view()});
  s.synchronize();
}

std::size_t occurrences(std::string const& text, std::string const& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }
std::string said(int line) { return "reports.cpp:" + std::to_string(line) + ":"; }

}  // namespace

DOLMEN_TEST_CHILD(check_two_mistakes) { run_two_mistakes(); }
DOLMEN_TEST_CHILD(check_goes_on) {
  run_two_mistakes();
  std::puts("went on");
}
DOLMEN_TEST_CHILD(check_no_mistake) {
  stream s;
  buffer<int> out(s, 64);
  fill(s, out, 0);
  s.synchronize();
}
DOLMEN_TEST_CHILD(check_nothing) {}
DOLMEN_TEST_CHILD(check_changes_folder) {
  run_two_mistakes();
  std::filesystem::current_path("/");
}
DOLMEN_TEST_CHILD(check_takes_findings) {
  run_two_mistakes();
  if (check::take_findings().size() != 2) std::_Exit(3);
}
DOLMEN_TEST_CHILD(check_accepts) {
  stream s;
  buffer<int> out(s, 64);
  launch(s, grid(1), accepts_a_race{out.view()});
  s.synchronize();
}

TEST_CASE("check: findings are printed, and fail the process") {
  auto const r = run_child("check_two_mistakes");
  CHECK(r.status == 66);
  CHECK(contains(r.output, "data race [race] in (anonymous namespace)::two_mistakes"));
  CHECK(occurrences(r.output, said(store_line)) == 2);
  CHECK(contains(r.output, "out(t.rank / 2) = t.rank;"));  // the text of the line
  CHECK(contains(r.output, "index out of bounds [out_of_bounds]"));
  CHECK(contains(r.output, "index 64 of dimension 0, which has 64 elements"));
  CHECK(contains(r.output, "'input'"));
  CHECK(contains(r.output, said(load_line)));
  CHECK(contains(r.output, "hint:"));
  CHECK(contains(r.output, "block (0, 0, 0) thread 0"));
  CHECK(contains(r.output, "2 of them different"));
  CHECK(run_child("check_no_mistake").status == 0);
  CHECK(run_child("check_no_mistake").output == "");
}

TEST_CASE("check: findings that were taken are dealt with") {
  auto const r = run_child("check_takes_findings");
  CHECK(r.status == 0);
  CHECK(occurrences(r.output, "dolmen check: ") == 2);  // they were printed all the same
}

TEST_CASE("check: the process ends at the first finding, if asked") {
  auto const on = run_child("check_goes_on");
  CHECK(on.status == 66);
  CHECK(contains(on.output, "went on"));
  auto const r = run_child("check_goes_on", {{"DOLMEN_CHECK", "abort,threads=1"}});
  CHECK(r.status == 66);
  CHECK(occurrences(r.output, "dolmen check: ") == 1);
  CHECK(!contains(r.output, "went on"));
}

TEST_CASE("check: kinds that are not asked for are not reported") {
  auto const r = run_child("check_two_mistakes", {{"DOLMEN_CHECK", "kinds=race+leak"}});
  CHECK(r.status == 66);
  CHECK(contains(r.output, "[race]"));
  CHECK(!contains(r.output, "[out_of_bounds]"));
  CHECK(run_child("check_two_mistakes", {{"DOLMEN_CHECK", "kinds=leak"}}).status == 0);
  auto const without = run_child("check_two_mistakes", {{"DOLMEN_CHECK", "without=race+leak"}});
  CHECK(!contains(without.output, "[race]"));
  CHECK(contains(without.output, "[out_of_bounds]"));
}

TEST_CASE("check: no more findings than the limit are told, and all are counted") {
  auto const r = run_child("check_two_mistakes", {{"DOLMEN_CHECK", "limit=1"}});
  CHECK(r.status == 66);
  CHECK(occurrences(r.output, "    hint: ") == 1);
  CHECK(contains(r.output, "33 findings, 1 of them different"));  // 32 words of two threads each, and one index
}

TEST_CASE("check: text that DOLMEN_CHECK does not take is an error") {
  auto const says = [](char const* text, char const* part) {
    auto const r = run_child("check_no_mistake", {{"DOLMEN_CHECK", text}});
    CAPTURE(r.output);
    CHECK(r.status != 0);
    CHECK(r.status != 66);
    CHECK(contains(r.output, part));
  };
  says("sed=1", "'sed' is none of seed=N");
  says("seed=x", "seed wants a number, not 'x'");
  says("seed=", "seed wants a number");
  says("threads=-1", "threads wants");
  says("threads=1.5", "threads wants");
  says("limit=-3", "limit wants");
  says("kinds=races", "there is no kind 'races'; there are out_of_bounds, race,");
  says("abort=1", "abort takes no value");
  says("kinds=", "kinds wants");
  says("json=", "json wants");
  CHECK(run_child("check_no_mistake", {{"DOLMEN_CHECK", ""}}).status == 0);
  CHECK(run_child("check_no_mistake", {{"DOLMEN_CHECK", "seed=18446744073709551615,threads=3,limit=0,"}}).status == 0);
}

TEST_CASE("check: a file for tools") {
  auto const file = (std::filesystem::temp_directory_path() / ("dolmen_check_" + std::to_string(getpid()) + ".json")).string();
  auto const text = [&] {
    std::ifstream in(file);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  };
  CHECK(run_child("check_two_mistakes", {{"DOLMEN_CHECK", "json=" + file}}).status == 66);
  auto const found = text();
  CAPTURE(found);
  CHECK(contains(found, "{\"kind\": \"race\", \"count\": 32, \"kernel\": \"(anonymous namespace)::two_mistakes\""));
  CHECK(contains(found, "{\"kind\": \"out_of_bounds\", \"count\": 1, "));
  CHECK(occurrences(found, "\"line\": " + std::to_string(store_line) + ", ") == 2);
  CHECK(contains(found, "\"second\": null"));
  CHECK(contains(found, "\"block\": [0, 0, 0]"));
  CHECK(contains(found, "\"accepted\": [\n]"));
  CHECK(run_child("check_accepts", {{"DOLMEN_CHECK", "json=" + file}}).status == 0);
  CHECK(contains(text(), "{\"kind\": \"same_value\", \"count\": 32, \"file\": "));
  CHECK(contains(text(), "\"reason\": \"all write the same\"}"));
  CHECK(run_child("check_no_mistake", {{"DOLMEN_CHECK", "json=" + file}}).status == 0);
  CHECK(text() == "{\"findings\": [\n], \"accepted\": [\n]}\n");
  std::remove(file.c_str());
}

TEST_CASE("check: a file that cannot be written fails the process, before its work where that can be seen") {
  for (char const* name : {"check_goes_on", "check_no_mistake"}) {
    auto const r = run_child(name, {{"DOLMEN_CHECK", "json=/nowhere/at/all"}});
    CAPTURE(r.output);
    CHECK(r.status == 1);
    CHECK(contains(r.output, "DOLMEN_CHECK: cannot write json=/nowhere/at/all: No such file or directory"));
    CHECK(!contains(r.output, "went on"));
    CHECK(!contains(r.output, "[race]"));
  }
  CHECK(run_child("check_nothing", {{"DOLMEN_CHECK", "json=/nowhere/at/all"}}).status == 1);
  auto const full = run_child("check_no_mistake", {{"DOLMEN_CHECK", "json=/dev/full"}});
  CHECK(full.status == 66);
  CHECK(contains(full.output, "cannot write /dev/full"));
  // The folder is that of the start.
  auto const file = std::filesystem::path("dolmen_check_folder_" + std::to_string(getpid()) + ".json");
  CHECK(run_child("check_changes_folder", {{"DOLMEN_CHECK", "json=" + file.string()}}).status == 66);
  CHECK(std::filesystem::exists(file));
  std::filesystem::remove(file);
}

TEST_CASE("check: the file for tools is the same whatever locale the program set") {
  auto const file = (std::filesystem::temp_directory_path() / ("dolmen_abroad_" + std::to_string(getpid()) + ".json")).string();
  CHECK(run_child("check_far_down_abroad", {{"DOLMEN_CHECK", "json=" + file}}).status == 66);
  std::ifstream in(file);
  std::string const found(std::istreambuf_iterator<char>(in), {});
  CAPTURE(found);
  CHECK(contains(found, "{\"kind\": \"out_of_bounds\", \"count\": 4096, "));
  CHECK(contains(found, "\"line\": 1234567, "));
  std::remove(file.c_str());
}

TEST_CASE("check: a finding that the source accepts is no failure, and is listed") {
  auto const r = run_child("check_accepts");
  CHECK(r.status == 0);
  CHECK(contains(r.output, "dolmen check: accepted 32 of [same_value] at "));
  CHECK(contains(r.output, ": all write the same\n"));
  CHECK(!contains(r.output, "nothing to accept"));

  stream s;
  buffer<int> out(s, 64);
  check::expect_findings const expected;
  launch(s, grid(1), accepts_something_else{out.view()});
  auto const found = check::take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == check::kind::same_value);
  CHECK(found[0].count == 32);
  index_t accepted = 0;
  for (auto const& a : check::accepted_findings()) accepted += a.count;
  CHECK(accepted == 0);
}

namespace {

// Threads in pairs, in one block or in two, write to one element, which the host fills with 7 before.
template <class T, bool Blocks>
struct writes_twice {
  using shape = block_shape<64>;
  T first, second;
  view<T> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      bool const other = Blocks ? block.index.x == 1 : t.rank % 2 == 1;
      out(Blocks ? t.rank : t.rank / 2) = other ? second : first;
    });
  }
};

template <class T, bool Blocks>
void check_same_value() {
  stream s;
  buffer<T> out(s, 64);
  check::expect_findings const expected;
  for (T second : {T(3), T(4), T(7)}) {
    CAPTURE(int(second));
    fill(s, out, T(7));
    launch(s, grid(Blocks ? 2 : 1), writes_twice<T, Blocks>{T(3), second, out.view()});
    auto const found = check::take_findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == (second == T(3) ? check::kind::same_value : check::kind::race));
    CHECK(found[0].count == (Blocks ? 64 : 32));  // one per access, however wide
  }
}

}  // namespace

TEST_CASE("check: writes of the same value are a class of races of their own") {
  check_same_value<float, false>();
  check_same_value<float, true>();
  check_same_value<double, true>();
  check_same_value<std::uint8_t, false>();
  check_same_value<std::uint8_t, true>();
  check_same_value<half, true>();
}

namespace {

/// Plain reads of one element, for which nobody waits but this thread.
struct waits_for_ever {
  using shape = block_shape<32>;
  struct shared {
    tile<int, 1> flag;
  };
  view<int> flag;
  bool in_shared;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { mem.flag(0) = 0; });
    block.sync();
    block.each_thread(1, [&](thread) {
      while ((in_shared ? mem.flag.load(0) : flag.load(0)) == 0) {
      }
    });
  }
};

}  // namespace

TEST_CASE("check: plain reads of one element over and over end, in shared and in global memory") {
  stream s;
  buffer<int> flag(s, 1);
  fill(s, flag, 0);
  check::expect_findings const expected;
  for (bool in_shared : {false, true}) {
    launch(s, grid(1), waits_for_ever{flag.view(), in_shared});
    auto const found = check::take_findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == check::kind::spin);
  }
}

namespace {

struct distances {
  view<int> out;
  DOLMEN_FN void operator()(index_t i, index_t j) const { out(2 * i + j + 1) = 1; }
};

/// Thread 8 reads what thread 9 wrote, in each tile; and one index is too large.
template <class Shared>
struct crosses {
  using shape = block_shape<10>;
  using shared = Shared;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) {
      mem.line(t.rank) = t.rank;
      mem.table(t.rank / 5, t.rank % 5) = half(1);
      if (t.rank == 0) mem.line(10) = 1;
    });
    block.each_thread(9, [&](thread t) {
      if (t.rank == 8) out(0) = mem.line.load(9) + int(float(mem.table.load(1, 4)));
    });
  }
};
struct named {
  tile<int, 10> line;
  tile<half, 2, 5> table;
};
struct with_more {
  tile<int, 10> line;
  int count;
  tile<half, 2, 5> table;
};

template <class Kernel>
std::vector<std::string> elements_of(stream const& s, Kernel const& kernel) {
  launch(s, grid(1), kernel);
  std::vector<std::string> elements;
  for (auto const& f : check::take_findings()) elements.push_back(f.element);
  return elements;
}

}  // namespace

TEST_CASE("check: kernels, and members of shared memory, have their own names") {
  stream s;
  buffer<int> out(s, 4);
  check::expect_findings const expected;
  for_each_index(s, extents<2>{{2, 2}}, distances{out.view()});
  auto const found = check::take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kernel == "(anonymous namespace)::distances");

#if !defined(__clang__) || __clang_major__ >= 18
  std::string const line = "line", table = "table";
#else
  std::string const line = "tile 0", table = "tile 1";
#endif
  auto const names = elements_of(s, crosses<named>{out.view()});
  REQUIRE(names.size() == 3);
  CHECK(names[0] == "index 10 of dimension 0, which has 10 elements, of " + line + " in shared memory");
  CHECK(names[1] == line + "(9), byte 36 (4 bytes) of the block's shared memory");
  CHECK(names[2].find(table + "(1, 4), byte ") == 0);
  // Bytes, where not all members are tiles.
  auto const bytes = elements_of(s, crosses<with_more>{out.view()});
  REQUIRE(bytes.size() == 3);
  CHECK(bytes[0] == "index 10 of dimension 0, which has 10 elements, of shared memory");
  CHECK(bytes[1] == "byte 36 (4 bytes) of the block's shared memory");
}

namespace {
int told = 0;
}

TEST_CASE("check: a listener is told of new findings, unless they are expected") {
  {
    check::expect_findings const expected;
    check::set_listener([](check::finding const&) { ++told; });
    run_two_mistakes();
    CHECK(told == 0);
    CHECK(check::take_findings().size() == 2);
  }
  run_two_mistakes();
  CHECK(told == 2);
  run_two_mistakes();
  CHECK(told == 2);  // the same again
  auto const found = check::take_findings();
  check::set_listener([](check::finding const& f) { ADD_FAIL_CHECK_AT(f.first.file.c_str(), f.first.line, f.text); });
  REQUIRE(found.size() == 2);
  CHECK(found[0].count + found[1].count == 66);
  for (auto const& f : found) CHECK(f.first.line == (f.what == check::kind::race ? store_line : load_line));
}

// The last of this file, since its lines are not where they say: far down.
namespace {

struct far_down {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
#line 1234567
    block.each_thread(1, [&](thread) { out(block.index.x) = in(4096) + 1; });
  }
};

void run_far_down_abroad() {
  testing::foreign_locale const abroad;
  stream s;
  buffer<int> in(s, 4096), out(s, 4096);
  fill(s, in, 0);
  launch(s, grid(4096), far_down{in, out});
}

}  // namespace

DOLMEN_TEST_CHILD(check_far_down_abroad) { run_far_down_abroad(); }
