#include "../backends.hpp"

#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

TEST_CASE_TEMPLATE("device: is there, and counts from 0", B, DOLMEN_TEST_BACKENDS) {
  using device = typename B::device;
  CHECK(device::count() >= 1);
  device const first;
  CHECK(first.index() == 0);
  CHECK(first == device(0));
  std::string const count = std::to_string(device::count());
  CHECK(complaint<invalid_argument>({"device -1"}, [] { device d(-1); }) == "");
  CHECK(complaint<invalid_argument>({"device 99"}, [] { device d(99); }) == "");
  first.synchronize();
}

TEST_CASE_TEMPLATE("device: properties", B, DOLMEN_TEST_BACKENDS) {
  auto const p = typename B::device().properties();
  CHECK(p.backend == B::name);
  CHECK_FALSE(p.name.empty());
  CHECK_FALSE(p.architecture.empty());
  CHECK(p.memory_bytes > (index_t(1) << 28));
  CHECK(p.processors >= 1);
  CHECK(p.warp_size == warp_size);
  CHECK(p.max_threads_per_block == 1024);
  CHECK(p.max_block[0] == 1024);
  CHECK(p.max_grid[0] == 0x7fffffff);
  if constexpr (is_cpu<B>) {
    CHECK(p.vector_bits >= 128);
    REQUIRE(p.processors_present.has_value());
    CHECK(*p.processors_present >= p.processors);
    CHECK_FALSE(p.compute_capability.has_value());
    CHECK_FALSE(p.shared_per_block.has_value());
  } else {
    REQUIRE(p.compute_capability.has_value());
    CHECK(p.compute_capability->find('.') != std::string::npos);
    CHECK_FALSE(p.novelties.empty());
    CHECK(p.shared_per_block == 48 * 1024);
    CHECK(p.shared_per_block_optin > 48 * 1024);
    CHECK(p.shared_per_processor >= p.shared_per_block_optin);
    CHECK(p.constant_bytes == 64 * 1024);
    CHECK(p.registers_per_block == 64 * 1024);
    CHECK(p.registers_per_processor >= p.registers_per_block);
    CHECK(p.max_threads_per_processor >= 1024);
    CHECK(p.max_blocks_per_processor >= 8);
    CHECK(p.schedulers_per_processor == 4);
    CHECK(p.lanes_per_processor >= 64);
    CHECK(p.l2_bytes > 0);
    CHECK(p.max_pitch_bytes > 0);
    CHECK(p.texture_alignment > 0);
    CHECK(p.copy_engines >= 1);
    CHECK(p.clock_hz > 5e8);
    CHECK(p.memory_clock_hz > 5e8);
    CHECK(p.memory_bus_bits >= 64);
    CHECK(p.bandwidth_bytes_per_s > 1e11);
  }
}

TEST_CASE_TEMPLATE("device: the description says what is known and skips what is not", B, DOLMEN_TEST_BACKENDS) {
  auto const rows = detail::describe(typename B::device().properties());
  auto const value = [&](std::string const& what) {
    for (auto const& [key, text] : rows)
      if (key == what) return text;
    return std::string();
  };
  CHECK(value("backend") == B::name);
  CHECK(value("warp size") == "32");
  CHECK(value("memory").find("iB") != std::string::npos);
  CHECK(value("compute capability").empty() == is_cpu<B>);
  CHECK(value("cores").empty() != is_cpu<B>);
  for (auto const& row : rows) {
    CAPTURE(row.first);
    CHECK_FALSE(row.second.empty());
  }
}
