// What the compiler made of a kernel.
#include "../backends.hpp"

#include <algorithm>
#include <sstream>

#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_facts {

std::string text_of(kernel_properties const& facts) {
  std::ostringstream out;
  out << facts;
  return out.str();
}

struct staged {
  using shape = block_shape<256>;
  struct shared {
    tile<float, 1024> all;
  };
  view<float> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.all(4 * t.rank) = data(t.rank); });
    block.sync();
    block.each_thread([&](thread t) { data(t.rank) = mem.all.load(4 * (255 - t.rank)); });
  }
};

struct staged_much {
  using shape = block_shape<256>;
  struct shared {
    tile<float, 15, 1024> all;  // 60 KiB: dynamic on a GPU
  };
  view<float> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.all(14, t.rank) = data(t.rank); });
    block.sync();
    block.each_thread([&](thread t) { data(t.rank) = mem.all.load(14, 255 - t.rank); });
  }
};

/// Every thread keeps 96 values that are all needed until the end.
struct keeps_much {
  using shape = block_shape<256>;
  view<float> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) {
      float kept[96];
      DOLMEN_UNROLL
      for (int i = 0; i < 96; ++i) kept[i] = data(256 * i + t.rank);
      DOLMEN_UNROLL
      for (int i = 0; i < 96; ++i) data(256 * i + t.rank) = kept[95 - i] + kept[(i + 7) % 96];
    });
  }
};

struct bounded : keeps_much {
  static constexpr launch_bounds bounds{.min_blocks = 8};
};

/// What keeps_much computes from data(i) = i.
std::vector<float> expected() {
  std::vector<float> values;
  for (int i = 0; i < 96; ++i)
    for (int t = 0; t < 256; ++t) values.push_back(float(256 * (95 - i) + t) + float(256 * ((i + 7) % 96) + t));
  return values;
}

std::vector<float> counted(index_t n) {
  std::vector<float> values;
  for (index_t i = 0; i < n; ++i) values.push_back(float(i));
  return values;
}

template <class Kernel, class B>
void check_plausible(typename B::stream const& s) {
  auto const facts = kernel_facts<Kernel>(s);
  CAPTURE(text_of(facts));
  CHECK(facts.shared_bytes() >= index_t(detail::shared_bytes<Kernel>));
  CHECK(facts.shared_bytes() < index_t(detail::shared_bytes<Kernel>) + 1024);
  CHECK(facts.resident_blocks >= 1);
  CHECK(facts.multiprocessors >= 1);
  CHECK(facts.max_threads_per_block >= Kernel::shape::size);
  CHECK(facts.max_threads_per_block <= 1024);
  if (is_cpu<B>) {
    CHECK(facts.registers == 0);
    CHECK(facts.local_bytes == 0);
    CHECK(facts.resident_blocks == 1);
  } else {
    CHECK(facts.registers >= 4);
    CHECK(facts.registers <= 255);
    CHECK(facts.resident_blocks * Kernel::shape::size <= 2048);
    CHECK(facts.resident_blocks * Kernel::shape::size * facts.registers <= *s.get_device().properties().registers_per_processor);
    CHECK(facts.resident_blocks * facts.shared_bytes() <= *s.get_device().properties().shared_per_processor);
  }
}

}  // namespace test_facts

TEST_CASE_TEMPLATE("facts: plausible, and the same each time", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_facts;
  typename B::stream s;
  check_plausible<staged, B>(s);
  check_plausible<staged_much, B>(s);
  check_plausible<keeps_much, B>(s);
  check_plausible<bounded, B>(s);
  CHECK(kernel_facts<staged>(s).shared_bytes() >= 4096);
  CHECK(kernel_facts<staged>(s).dynamic_shared_bytes == 0);
  CHECK(kernel_facts<staged_much>(s).dynamic_shared_bytes == (is_cpu<B> ? 0 : 60 * 1024));
  auto const first = text_of(kernel_facts<staged>(s));
  for (int i = 0; i < 100; ++i) CHECK(text_of(kernel_facts<staged>(s)) == first);
}

TEST_CASE_TEMPLATE("facts: asking first changes nothing for the launch", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_facts;
  typename B::stream s;
  auto reversed = counted(256);
  std::reverse(reversed.begin(), reversed.end());
  guarded<float, B> a(s, counted(256)), b(s, counted(256));
  launch(s, grid(1), staged{a.view()});
  launch(s, grid(1), staged_much{b.view()});
  CHECK(a.values() == reversed);
  CHECK(b.values() == reversed);
}

TEST_CASE_TEMPLATE("bounds: fewer registers, the same results", B, DOLMEN_TEST_BACKENDS) {
  using namespace test_facts;
  typename B::stream s;
  auto const free = kernel_facts<keeps_much>(s), bound = kernel_facts<bounded>(s);
  CAPTURE(text_of(free));
  CAPTURE(text_of(bound));
  if (!is_cpu<B>) {
    CHECK(free.registers > 48);
    CHECK(bound.registers <= 32);
    CHECK(bound.local_bytes > 0);
    CHECK(bound.resident_blocks > free.resident_blocks);
    CHECK(max_cooperative_blocks<bounded>(s) > max_cooperative_blocks<keeps_much>(s));
  }
  guarded<float, B> a(s, counted(96 * 256)), b(s, counted(96 * 256));
  launch(s, grid(1), keeps_much{a.view()});
  launch(s, grid(1), bounded{{b.view()}});
  CHECK(a.values() == expected());
  CHECK(b.values() == expected());
}

TEST_CASE_TEMPLATE("facts: as text", B, DOLMEN_TEST_BACKENDS) {
  kernel_properties p;
  p.registers = 32;
  p.static_shared_bytes = 1024;
  p.dynamic_shared_bytes = 8192;
  p.resident_blocks = 8;
  p.multiprocessors = 132;
  CHECK(test_facts::text_of(p) == "32 registers, 0 B spilled, 9.0 KiB shared, 8 blocks per multiprocessor");
  CHECK(p.device_blocks() == 1056);
  p.local_bytes = 1536;
  p.dynamic_shared_bytes = -924;
  p.resident_blocks = 1;
  CHECK(test_facts::text_of(p) == "32 registers, 1.5 KiB spilled, 100 B shared, 1 block per multiprocessor");
  p.registers = 0;
  CHECK(test_facts::text_of(p) == "100 B shared, 1 block per worker");
}

// Numbers of a device that all differ, so that none can stand for another.
TEST_CASE_TEMPLATE("facts: what a refused launch says of the device", B, DOLMEN_TEST_BACKENDS) {
  kernel_properties p;
  p.registers = 40;
  p.static_shared_bytes = 3072;
  p.resident_blocks = 6;
  p.multiprocessors = 132;
  device_properties d;
  d.name = "a device";
  d.max_threads_per_block = 1024;
  CHECK(testing::complaint<launch_error>(
            {"launch_cooperative of int", "asked for 900 blocks (90 x 5 x 2)", "a device holds at most 792 ",
             "6 per multiprocessor, 132 multiprocessors", "256 threads, 40 registers per thread, 3.0 KiB"},
            [&] { detail::too_many_blocks(typeid(int).name(), grid(90, 5, 2), 256, p, d, source_location::current()); }) == "");
  CHECK(testing::complaint<launch_error>(
            {"launch of int", "not even one block fits", "a block has 512 threads", "blocks up to 1024 threads"},
            [&] { detail::no_block_fits("launch", typeid(int).name(), 512, p, d, source_location::current()); }) == "");
}
