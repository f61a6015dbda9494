// Downloads that nobody waited for: in memory of the program's own as in pinned memory, whole pages of the destination are closed and
// the rest of it holds a pattern. Whatever waits hands the data over.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <string>

#include <dolmen/dolmen.hpp>

#include "../support/child.hpp"

using namespace dolmen;

namespace {

constexpr std::size_t n = 5000;  // of int: four whole pages at least
constexpr unsigned pattern = 0xfefefefe;

std::vector<int> numbers(int first = 1) {
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// An element that is on a page of its own destination, and one that is not.
constexpr std::size_t inside = n / 2, edge = n - 1;

/// Reads that the compiler does not move.
int volatile const& peek(std::vector<int> const& host, std::size_t i) { return host[i]; }

struct fixture {
  stream s;
  buffer<int> data = upload(s, numbers());
  std::vector<int> host = std::vector<int>(n);
  check::expect_findings const expected;

  /// The findings so far: as many, all early reads, whose download is at this line.
  void found(std::size_t count, int line, char const* text) {
    auto const all = check::take_findings();
    std::string texts;
    for (auto const& f : all) texts += f.text;
    CAPTURE(texts);
    CHECK(all.size() == count);
    for (auto const& f : all) {
      CHECK(f.what == check::kind::early_read);
      CHECK(f.second.line == line);
      CHECK(f.element.find(text) != std::string::npos);
    }
  }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "check: a host array that is read before its download was waited for") {
  copy(s, data, host);
  int const line = __LINE__ - 1;
  CHECK(unsigned(peek(host, edge)) == pattern);
  CHECK(peek(host, inside) == int(inside) + 1);  // reported, and opened
  CHECK(peek(host, inside + 1) == int(inside) + 2);
  s.synchronize();
  found(1, line, "a download into it was not waited for");
  CHECK(host == numbers());
}

// The commonest form: a program that never waits. Large arrays are found when the process ends.
DOLMEN_TEST_CHILD(early_never_waits) {
  stream s;
  auto const data = upload(s, numbers());
  std::vector<int> host(n);
  copy(s, data, host);
  std::printf("%d\n", peek(host, inside));
}
DOLMEN_TEST_CHILD(early_in_order) {
  stream s;
  auto const data = upload(s, numbers());
  std::vector<int> host(n);
  copy(s, data, host);
  s.synchronize();
  std::printf("%d\n", peek(host, inside));
}

TEST_CASE("check: a program that reads a download and never waits for it") {
  auto const wrong = testing::run_child("early_never_waits"), right = testing::run_child("early_in_order");
  CAPTURE(wrong.output);
  CHECK(wrong.status == 66);
  CHECK(wrong.output.find("[early_read] in host code") != std::string::npos);
  CHECK(right.status == 0);
  CHECK(right.output == "2501\n");
}

TEST_CASE_FIXTURE(fixture, "check: a host array that is written before its download was waited for") {
  copy(s, data, host);
  int const line = __LINE__ - 1;
  host[inside] = 3;
  s.synchronize();
  found(1, line, "a download into it was not waited for");
  copy(s, data, host);
  int const second = __LINE__ - 1;
  host[edge] = 3;
  s.synchronize();
  found(1, second, "it was written, or given back");
  CHECK(host[edge] == 3);
}

TEST_CASE_FIXTURE(fixture, "check: whatever waits for a download hands the data over") {
  auto const arrives = [&](auto&& wait) {
    std::fill(host.begin(), host.end(), 0);
    int small[3] = {0, 0, 0};
    copy(s, data, host);
    copy(s, data.view().slice(0, 3), small);
    CHECK(unsigned(const_cast<int volatile&>(small[2])) == pattern);
    wait();
    CHECK(host == numbers());
    CHECK((small[0] == 1 && small[1] == 2 && small[2] == 3));
    CHECK(check::take_findings().empty());
  };
  arrives([&] { s.synchronize(); });
  arrives([&] { CHECK(s.query()); });
  arrives([&] { s.get_device().synchronize(); });
  arrives([&] { CHECK(sum(s, data) > 0); });  // a value for the host
  arrives([&] { CHECK(download(s, data).size() == n); });
  event done;
  arrives([&] { done.record(s), done.wait(); });
  arrives([&] {
    done.record(s);
    CHECK(done.query());
  });
  stream other;
  arrives([&] { done.record(s), other.wait(done), other.synchronize(); });
  {
    int last[3] = {0, 0, 0};
    {
      stream ends;
      copy(ends, data.view().slice(0, 3), last);
      CHECK(unsigned(const_cast<int volatile&>(last[2])) == pattern);
    }
    CHECK(last[2] == 3);  // a stream ends when its work is done
  }
  // Another stream's work is no wait, nor is an event of before.
  done.record(s);
  copy(s, data, host);
  other.synchronize();
  done.wait();
  CHECK(unsigned(peek(host, edge)) == pattern);
  s.synchronize();
  CHECK(host == numbers());
  CHECK(check::take_findings().empty());
}

TEST_CASE_FIXTURE(fixture, "check: a second download into the same memory, and an upload from it") {
  auto const others = upload(s, numbers(7));
  copy(s, data, host);
  copy(s, others, host);
  s.synchronize();
  CHECK(host == numbers(7));
  CHECK(check::take_findings().empty());

  stream two;
  event uploaded;
  uploaded.record(s);
  two.wait(uploaded);
  copy(s, data, host);
  copy(two, others, host);
  auto const found_order = check::take_findings();
  REQUIRE(found_order.size() == 1);
  CHECK(found_order[0].what == check::kind::stream_order);
  s.synchronize();
  two.synchronize();

  for (std::size_t count : {std::size_t(4), n}) {  // an upload from the program's own memory has it at once
    std::span<int> const part(host.data(), count);
    copy(s, data.view().slice(0, index_t(count)), part);
    int const line = __LINE__ - 1;
    copy(s, part, data.view().slice(0, index_t(count)));
    found(1, line, "an upload takes it at once");
    s.synchronize();
    CHECK(check::take_findings().empty());
  }
}

TEST_CASE_FIXTURE(fixture, "check: arrays on the stack, of any alignment, and few bytes") {
  for (std::size_t first : {0, 1, 2, 3}) {
    for (std::size_t count : {1, 1023, 1024, 1025, 2047, 2048, 4000}) {
      CAPTURE(first);
      CAPTURE(count);
      alignas(4096) int on_stack[4096];
      std::fill(std::begin(on_stack), std::end(on_stack), -1);
      auto const heap = std::make_unique<int[]>(4096);
      std::fill(heap.get(), heap.get() + 4096, -1);
      for (int* host : {on_stack, heap.get()}) {
        copy(s, data.view().slice(0, index_t(count)), std::span<int>(host + first, count));
        s.synchronize();
        for (std::size_t i = 0; i < 4096; ++i)
          if (host[i] != (i >= first && i < first + count ? int(i - first) + 1 : -1)) FAIL_CHECK("element ", i, " is ", host[i]);
      }
    }
  }
  CHECK(check::take_findings().empty());
}

TEST_CASE_FIXTURE(fixture, "check: memory that was given back before its download was waited for") {
  int line = 0;
  {
    std::vector<int> gone(n);
    copy(s, data, gone);
    line = __LINE__ - 1;
  }
  std::vector<std::vector<int>> others;  // which may lie where it was
  for (std::size_t size : {n / 4, n / 2, n}) others.emplace_back(size, 9);
  s.synchronize();
  for (auto const& o : others)
    for (int x : o) REQUIRE(x == 9);
  auto const all = check::take_findings();
  REQUIRE(all.size() >= 1);
  for (auto const& f : all) {
    CHECK(f.what == check::kind::early_read);
    CHECK(f.second.line == line);
  }
}

TEST_CASE_FIXTURE(fixture, "check: rows of a matrix") {
  buffer<int> wide(s, 60 * 100);
  fill(s, wide, 5);
  auto const part = wide.view(60, 100).subview({{3, 4}}, {{50, 90}});
  std::vector<int> rows(50 * 90);
  copy(s, part, rows);
  CHECK(unsigned(peek(rows, 50 * 90 - 1)) == pattern);
  s.synchronize();
  CHECK(rows == std::vector<int>(50 * 90, 5));
  CHECK(check::take_findings().empty());
}
