// Persistent launches: as many blocks as the device holds, which stride over the work.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::guarded;

namespace test_persistent {

struct add_index {
  using shape = block_shape<256>;
  view<std::int32_t> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const step = index_t(block.grid.x) * Block::size;
    for (index_t first = block.first_index(); first < data.size(); first += step)
      block.each_thread(data.size() - first, [&](thread t) { data(first + t.rank) += std::int32_t(first + t.rank); });
  }
};

/// More shared memory than any GPU has for a block.
struct holds_too_much {
  using shape = block_shape<32>;
  struct shared {
    tile<float, 300, 256> much;
  };
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](thread t) { mem.much(t.rank, t.rank) = 1; });
    block.sync();
    block.each_thread(1, [&](thread) { out(block.index.x) = int(mem.much.load(31, 31)); });
  }
};

}  // namespace test_persistent

TEST_CASE_TEMPLATE("persistent: all of the work, whatever its size", B, DOLMEN_TEST_BACKENDS) {
  using test_persistent::add_index;
  typename B::stream s;
  index_t const blocks = persistent_blocks<add_index>(s);
  REQUIRE(blocks >= 1);
  for (index_t n : {index_t(0), index_t(1), index_t(256), index_t(1000003)}) {
    guarded<std::int32_t, B> data(s, std::vector<std::int32_t>(std::size_t(n), 7));
    launch(s, grid(min(blocks, ceil_div(n, index_t(256)))), add_index{data.view()});
    launch(s, grid(blocks), add_index{data.view()});
    auto const values = data.values();
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i) wrong += values[std::size_t(i)] != 7 + 2 * i;
    CHECK(wrong == 0);
    CHECK(data.intact());
  }
}

TEST_CASE_TEMPLATE("persistent: never more blocks than the device holds", B, DOLMEN_TEST_BACKENDS) {
  using test_persistent::add_index;
  typename B::stream s;
  auto const device = s.get_device().properties();
  auto const facts = kernel_facts<add_index>(s);
  index_t const blocks = persistent_blocks<add_index>(s);
  CHECK(blocks == index_t(facts.resident_blocks) * facts.multiprocessors);
  if (device.max_threads_per_processor) {
    CHECK(facts.multiprocessors == device.processors);
    CHECK(blocks * 256 <= index_t(device.processors) * *device.max_threads_per_processor);
    CHECK(facts.resident_blocks <= *device.max_blocks_per_processor);
  }
}

TEST_CASE_TEMPLATE("persistent: where not even one block fits", B, DOLMEN_TEST_BACKENDS) {
  using test_persistent::holds_too_much;
  typename B::stream s;
  guarded<int, B> out(s, 1, {0, 0, false});
  if (is_cpu<B>) {
    CHECK(persistent_blocks<holds_too_much>(s) >= 1);
    launch_cooperative(s, grid(1), holds_too_much{out.view()});
    CHECK(out.values() == std::vector<int>{1});
  } else {
    CHECK(kernel_facts<holds_too_much>(s).resident_blocks == 0);
    auto const parts = {"holds_too_much", "not even one block fits", "32 threads", "300.0 KiB of shared memory"};
    CHECK(testing::complaint<launch_error>(parts, [&] { persistent_blocks<holds_too_much>(s); }) == "");
    CHECK(testing::complaint<launch_error>(parts, [&] { max_cooperative_blocks<holds_too_much>(s); }) == "");
    CHECK(testing::complaint<launch_error>(parts, [&] { launch_cooperative(s, grid(1), holds_too_much{out.view()}); }) == "");
    CHECK(out.unchanged());
  }
}
