// Addresses of the host's memory in kernels and in functions of algorithms.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include <dolmen/dolmen.hpp>

using namespace dolmen;

namespace {

struct behind_view {
  using shape = block_shape<32>;
  view<float> out;
  float const* factor;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { out(t.rank) = *factor; });
  }
};
struct by_pointer {
  using shape = block_shape<32>;
  float const* factor;
  view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { out(t.rank) = factor ? *factor : 0; });
  }
};
struct scales {
  float const* factor;
  DOLMEN_FN float operator()(float x) const { return *factor * x; }
};
struct adds {
  float const* offset;
  DOLMEN_FN float operator()(float x, float y) const { return x + y + *offset; }
};
struct exceeds {
  float const* limit;
  DOLMEN_FN bool operator()(float x) const { return x > *limit; }
};
/// Numbers that look like addresses of memory that is not there, a text, and what lies between.
struct holds_numbers {
  using shape = block_shape<32>;
  alignas(32) int rows = 1024, columns = 0x7fff;
  char const* name = "a constant of the program";
  index_t large = index_t(1) << 46;
  double tiny = 4.94e-324 * 1e15;
  pack<float, 4> weights{};
  char mark = 'x';
  view<float> out{};
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { out(t.rank) = float(rows + columns); });
  }
};
float const constant = 3;
float variable = 2;
float twice(float x) { return 2 * x; }

struct fixture {
  stream s;
  buffer<float> in = upload(s, std::vector<float>(32, 1.0f)), out{s, 32};

  /// The line of the one finding, which is of the kind and says whose memory it is.
  int line(std::string const& owner, std::string const& holder) {
    auto const found = check::take_findings();
    std::string texts;
    for (auto const& f : found) texts += f.text;
    CAPTURE(texts);
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == check::kind::host_pointer);
    CHECK(found[0].element.find(owner) != std::string::npos);
    CHECK(found[0].kernel.find(holder) != std::string::npos);
    CHECK(found[0].first.file.ends_with("host_pointers.cpp"));
    return found[0].first.line;
  }
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "check: pointers to the host's memory in kernels") {
  check::expect_findings const expected;
  float local = 4;
  auto const heap = std::make_unique<float>(5.0f);
  launch(s, grid(1), behind_view{out.view(), &local});
  CHECK(line("bytes 16 to 23 are an address of the host's stack", "behind_view") == __LINE__ - 1);
  launch(s, grid(1), by_pointer{&local, out.view()});
  CHECK(line("bytes 0 to 7 are an address of the host's stack", "by_pointer") == __LINE__ - 1);
  launch(s, grid(1), by_pointer{heap.get(), out.view()});
  CHECK(line("the host's memory", "by_pointer") == __LINE__ - 1);
  launch(s, grid(1), by_pointer{&variable, out.view()});
  CHECK(line("a variable of the program", "by_pointer") == __LINE__ - 1);
  static float zero;  // in another part of the program
  launch(s, grid(1), by_pointer{&zero, out.view()});
  CHECK(line("a variable of the program", "by_pointer") == __LINE__ - 1);
  float host[32];
  for_each_index(s, 32, [v = view<float>(host, 32)](index_t i) { v(i) = 1; });
  CHECK(line("the host's stack", "lambda") == __LINE__ - 1);
  launch_cooperative(s, grid(1), behind_view{out.view(), &local});
  CHECK(line("the host's stack", "behind_view") == __LINE__ - 1);
}

TEST_CASE_FIXTURE(fixture, "check: captures by reference, and pointers in functions of algorithms") {
  check::expect_findings const expected;
  float local = 4;
  auto const v = out.view();
  for_each_index(s, 32, [&](index_t i) { v(i) = local; });
  CHECK(line("the host's stack", "lambda") == __LINE__ - 1);
  for_each_index(s, extents<2>{{4, 8}}, [&local, v](index_t i, index_t j) { v(8 * i + j) = local; });
  CHECK(line("the host's stack", "lambda") == __LINE__ - 1);
  transform(s, in, out, [&](float x) { return local * x; });
  CHECK(line("the host's stack", "lambda") == __LINE__ - 1);
  transform(s, in, out, scales{&local});
  CHECK(line("the host's stack", "scales") == __LINE__ - 1);
  transform(s, in, out, &twice);
  CHECK(line("a function of the host", "float") == __LINE__ - 1);
  transform_reduce(s, in, scales{&local}, plus{}, 0.0f);
  CHECK(line("the host's stack", "scales") == __LINE__ - 1);
  reduce(s, in, adds{&local}, 0.0f);
  CHECK(line("the host's stack", "adds") == __LINE__ - 1);
  count_if(s, in, exceeds{&local});
  CHECK(line("the host's stack", "exceeds") == __LINE__ - 1);
  select(s, in, out, exceeds{&local});
  CHECK(line("the host's stack", "exceeds") == __LINE__ - 1);
  inclusive_scan(s, in, out, adds{&local});
  CHECK(line("the host's stack", "adds") == __LINE__ - 1);
  buffer<float> rows(s, 4);
  reduce_rows(s, in.view(4, 8), rows, adds{&local}, 0.0f);
  CHECK(line("the host's stack", "adds") == __LINE__ - 1);
}

TEST_CASE_FIXTURE(fixture, "check: what a kernel may hold is silent") {
  float const local = 4;
  holds_numbers kernel;
  kernel.out = out.view();
  launch(s, grid(1), kernel);
  launch(s, grid(1), by_pointer{nullptr, out.view()});
  launch(s, grid(1), by_pointer{&constant, out.view()});  // not seen: it could be a text
  pinned_buffer<float> pinned(32);
  pinned[0] = 6;
  launch(s, grid(1), by_pointer{pinned.data(), out.view()});  // a GPU can read it
  CHECK(download(s, out)[31] == 6);
  auto const v = out.view();
  for_each_index(s, 32, [=](index_t i) { v(i) = local; });
  transform(s, in, out, [=](float x) { return local * x; });
  CHECK(download(s, out)[31] == 4);
  float host[32];
  check::launch(grid(1), by_pointer{&local, view<float>(host, 32)});  // kernels on the host's own memory
  CHECK(host[31] == 4);
  for (auto const& f : check::take_findings()) FAIL_CHECK(f.text);
}
