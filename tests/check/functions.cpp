// Functions that algorithms call: what they read through views that they hold is silent where a GPU could read it, and reported as a
// kernel's accesses are where it could not.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

#include <dolmen/dolmen.hpp>

using namespace dolmen;

namespace {

constexpr index_t n = 3000;  // more than function_calls tells apart in one block

constexpr int look_line = __LINE__ + 5;
/// A table's value; past its end for `shift` above 0.
struct looks_up {
  view<int const> table;
  int shift = 0;
  DOLMEN_FN int look(int x) const { return table.load(x % 1000 + shift); }
  DOLMEN_FN int operator()(int x) const { return look(x); }
  DOLMEN_FN int operator()(int x, int y) const { return look(0) + x + y - 7; }  // table(0) is 7
};
struct is_marked {
  looks_up f;
  DOLMEN_FN bool operator()(int x) const { return f.look(x) % 2 == 0; }
};
struct adds_products {
  looks_up f;
  DOLMEN_FN int operator()(int x, int y) const { return f.look(x) * (y >= 0 ? 1 : -1); }
};

std::vector<int> numbers() {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}
/// 7, 8, 9, ...
std::vector<int> table_of(std::size_t size) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 7);
  return all;
}

/// Calls run(name, call) for each algorithm that takes a function; call(f) gives numbers that depend on what the table holds.
struct algorithms {
  stream s;
  buffer<int> in = upload(s, numbers());
  buffer<int> out{s, n};

  std::vector<int> all_results(looks_up const& f) {
    std::vector<int> results;
    auto const put = [&](auto x) { results.push_back(int(x)); };
    auto const put_out = [&] {
      auto const host = download(s, out);
      results.insert(results.end(), host.begin(), host.end());
    };
    transform(s, in, out, f), put_out();
    transform(s, in, in, out, adds_products{f}), put_out();
    put(transform_reduce(s, in, f, plus{}, 0));
    put(transform_reduce(s, in, in, adds_products{f}, maximum{}, -1));
    put(reduce(s, in, f, 0));
    put(count_if(s, in, is_marked{f}));
    put(any_of(s, in, is_marked{f}));
    put(all_of(s, in, is_marked{f}));
    put(select(s, in, out, is_marked{f}));
    inclusive_scan(s, in, out, f), put_out();
    exclusive_scan(s, in, out, f, 3), put_out();
    buffer<int> rows(s, 30), columns(s, 100);
    reduce_rows(s, in.view(30, 100), rows, f, 0);
    reduce_columns(s, in.view(30, 100), columns, f, 0);
    for (int x : download(s, rows)) put(x);
    for (int x : download(s, columns)) put(x);
    inclusive_scan_rows(s, in.view(30, 100), out.view(30, 100), f), put_out();
    return results;
  }
};

check::finding only_finding() {
  auto found = check::take_findings();
  std::string texts;
  for (auto const& f : found) texts += f.text;
  CAPTURE(texts);
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("check: functions of algorithms read views that they hold") {
  algorithms a;
  auto const table = upload(a.s, table_of(1000));
  auto const got = a.all_results({table.view()});
  CHECK(check::take_findings().empty());

  // The same from the host's own loops.
  auto const look = [](int x) { return x % 1000 + 7; };
  std::vector<int> expected;
  auto const in = numbers();
  for (int repeat = 0; repeat < 2; ++repeat)
    for (int x : in) expected.push_back(look(x));
  int sum = 0, largest = -1, marked = 0, total = 0;
  for (int x : in) sum += look(x), largest = std::max(largest, look(x)), marked += look(x) % 2 == 0, total += x;
  for (int x : {sum, largest, total, marked, 1, 0, marked}) expected.push_back(x);
  int running = 0;
  for (int x : in) expected.push_back(running += x);
  running = 3;
  for (int x : in) expected.push_back(running), running += x;
  for (int r = 0; r < 30; ++r) expected.push_back(std::accumulate(in.begin() + r * 100, in.begin() + r * 100 + 100, 0));
  for (int c = 0; c < 100; ++c) {
    int of_column = 0;
    for (int r = 0; r < 30; ++r) of_column += in[std::size_t(r * 100 + c)];
    expected.push_back(of_column);
  }
  for (int r = 0; r < 30; ++r)
    for (int c = 0, row = 0; c < 100; ++c) expected.push_back(row += in[std::size_t(r * 100 + c)]);
  CHECK(got == expected);
}

TEST_CASE("check: an index beyond a view that a function holds") {
  algorithms a;
  auto const table = upload(a.s, table_of(999));  // one short
  check::expect_findings const expected;
  a.all_results({table.view()});
  std::set<std::string> told;
  for (auto const& f : check::take_findings()) {
    CAPTURE(f.text);
    CHECK(f.what == check::kind::out_of_bounds);
    CHECK(f.first.line == look_line);
    CHECK(f.first.file.ends_with("functions.cpp"));
    CHECK(f.first.block == std::array<int, 3>{-2, -2, -2});
    CHECK(f.text.find("    here:   the function at ") != std::string::npos);
    CHECK(f.element.find("index 999 of dimension 0, which has 999 elements") == 0);
    told.insert(f.kernel);
  }
  CHECK(told == std::set<std::string>{"transform", "reduce", "select"});
}

TEST_CASE("check: what a function reads is uninitialised, freed, or being written") {
  algorithms a;
  check::expect_findings const expected;
  buffer<int> table(a.s, 1000);
  view<int const> const kept = table.view();

  transform(a.s, a.in, a.out, looks_up{kept});
  auto f = only_finding();
  CHECK(f.what == check::kind::uninitialised);
  CHECK(f.kernel == "transform");
  CHECK(f.first.line == look_line);
  CHECK(f.count == n);

  auto fresh = table_of(1000);
  copy(a.s, fresh, table);
  stream other;
  event uploaded;
  uploaded.record(a.s);
  copy(other, fresh, table);
  CHECK(only_finding().what == check::kind::stream_order);
  transform(a.s, a.in, a.out, looks_up{kept});  // does not wait for `other`
  f = only_finding();
  CHECK(f.what == check::kind::stream_order);
  CHECK(f.element.find("functions.cpp:" + std::to_string(look_line)) != std::string::npos);
  other.synchronize();

  table.free();
  CHECK(count_if(a.s, a.in, is_marked{{kept}}) >= 0);
  f = only_finding();
  CHECK(f.what == check::kind::use_after_free);
  CHECK(f.first.line == look_line);

  fill(a.s, a.out, 1);
  transform(a.s, a.in, a.out, looks_up{std::as_const(a.out).view()});  // reads what other calls write
  f = only_finding();
  CHECK(f.what == check::kind::race);
  CHECK(f.first.line == look_line);
}

namespace {

constexpr int store_line = __LINE__ + 6;
/// Writes beside its result.
struct writes_too {
  view<int> second;
  int shared_by;
  DOLMEN_FN int operator()(int x) const {
    second(x / shared_by) = x;
    return x;
  }
};
struct counts {
  view<int> count;
  DOLMEN_FN bool operator()(int x) const { return count.atomic(0).fetch_add(1) >= 0 && x % 2 == 0; }
};
struct waits {
  view<int const> flag;
  DOLMEN_FN int operator()(int x) const {
    while (flag.load(0) == 0) {
    }
    return x;
  }
};
struct throws {
  view<int const> table;
  DOLMEN_FN int operator()(int x) const {
    if (x == 2000) throw std::runtime_error("at 2000");
    return table.load(0) + x;
  }
};

}  // namespace

TEST_CASE("check: writes of a function's calls race, unless each has an element of its own or they are atomic") {
  algorithms a;
  buffer<int> second(a.s, n);
  transform(a.s, a.in, a.out, writes_too{second.view(), 1});
  CHECK(download(a.s, second) == numbers());
  fill(a.s, second, 0);
  CHECK(transform_reduce(a.s, a.in, counts{second.view()}, plus{}, 0) == n / 2);
  CHECK(download(a.s, second)[0] == n);
  CHECK(check::take_findings().empty());

  check::expect_findings const expected;
  transform(a.s, a.in, a.out, writes_too{second.view(), 2});
  auto const f = only_finding();
  CHECK(f.what == check::kind::race);
  CHECK(f.first.line == store_line);
  CHECK(f.second.line == store_line);
  CHECK(f.count == n / 2);
}

TEST_CASE("check: a function that waits, and one that throws, leave what comes after them as it was") {
  algorithms a;
  buffer<int> flag(a.s, 1);
  fill(a.s, flag, 0);
  check::expect_findings const expected;
  transform(a.s, a.in, a.out, waits{flag.view()});
  CHECK(only_finding().what == check::kind::spin);
  CHECK_THROWS_WITH(transform(a.s, a.in, a.out, throws{flag.view()}), "at 2000");
  CHECK(check::take_findings().empty());
  fill(a.s, flag, 1);
  transform(a.s, a.in, a.out, waits{flag.view()});
  CHECK(download(a.s, a.out) == numbers());
  CHECK(check::take_findings().empty());
}

namespace {

/// A kernel and functions with plain pointers to device memory, as CUDA's have.
struct through_pointer {
  using shape = block_shape<64>;
  int const* in;
  int* out;
  index_t count;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(count - first, [&](thread t) { out[first + t.rank] = in[first + t.rank] + 1; });
  }
};
constexpr int phase_line = __LINE__ - 3;

}  // namespace

TEST_CASE("check: plain pointers to device memory work in kernels and functions, silently") {
  algorithms a;
  int* const out = a.out.data();
  launch(a.s, grid(ceil_div(n, index_t(64))), through_pointer{std::as_const(a.in).data(), out, n});
  auto expected = numbers();
  for (int& x : expected) ++x;
  CHECK(download(a.s, a.out) == expected);
  for_each_index(
      a.s, n, DOLMEN_LAMBDA(index_t i) { out[i] += 1; });
  int const* const in = a.in.data();
  buffer<int> doubled(a.s, n);
  transform(
      a.s, a.in, doubled, DOLMEN_LAMBDA(int x) { return 2 * in[x]; });
  CHECK(download(a.s, a.out)[5] == 7);
  CHECK(download(a.s, doubled)[2999] == 5998);
  CHECK(check::take_findings().empty());

  check::expect_findings const expect;
  a.s.synchronize();
  CHECK(a.out.data()[5] == 7);  // the host's own access after it is still one
  CHECK(only_finding().what == check::kind::host_access);
}

TEST_CASE("check: plain pointers beyond all memory, and to freed memory") {
  algorithms a;
  check::expect_findings const expect;
  int const* far = a.in.data() + 100'000'000;
  launch(a.s, grid(1), through_pointer{far, a.out.data(), 3});
  auto f = only_finding();
  CHECK(f.what == check::kind::out_of_bounds);
  CHECK(f.kernel.ends_with("through_pointer"));
  CHECK(f.first.line == phase_line);
  CHECK(f.element.find("through a pointer") != std::string::npos);
  buffer<int> freed(a.s, n);
  int const* const kept = freed.data();
  freed.free();
  launch(a.s, grid(1), through_pointer{kept, a.out.data(), 3});
  f = only_finding();
  CHECK(f.what == check::kind::use_after_free);
  CHECK(f.first.line == phase_line);
}
