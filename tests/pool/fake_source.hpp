// A device of a few megabytes that counts what a pool asks of it.
#pragma once

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <dolmen/core/pool/memory_pool.hpp>

namespace testing {

using dolmen::detail::memory_pool;
using dolmen::detail::pool_block;
using dolmen::detail::stream_order;

inline constexpr std::size_t mebi = 1024 * 1024;

struct fake_source {
  explicit fake_source(std::size_t capacity) : capacity(capacity) {}
  ~fake_source() {
    for (auto& [data, bytes] : taken) std::free(data);
  }

  dolmen::detail::memory_source source() {
    return {[this](std::size_t bytes) -> void* {
              if (bytes > capacity - held) {
                ++refused;
                return nullptr;
              }
              void* data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
              held += bytes;
              taken[data] = bytes;
              ++allocations;
              return data;
            },
            [this](void* data, std::size_t bytes) {
              auto const found = taken.find(data);
              if (found == taken.end() || found->second != bytes) {
                ++wrong_releases;
                return;
              }
              held -= bytes;
              taken.erase(found);
              std::free(data);
            },
            [this] { return ++drains, can_wait; }, [this] { return capacity - held; }, "the fake device"};
  }

  std::size_t capacity, held = 0;
  bool can_wait = true;
  int allocations = 0, refused = 0, drains = 0, wrong_releases = 0;
  std::map<void*, std::size_t> taken;
};

/// A stream's place in the order. Streams that wait for each other keep each other alive until they end; those of the tests
/// end with the program.
inline std::shared_ptr<stream_order> new_stream() {
  struct streams {
    std::mutex mutex;
    std::vector<std::weak_ptr<stream_order>> made;
    ~streams() {
      for (auto const& known : made)
        if (auto const s = known.lock()) s->finish();
    }
  };
  static streams all;
  auto made = std::make_shared<stream_order>();
  std::lock_guard lock(all.mutex);
  all.made.push_back(made);
  return made;
}

/// A pool on a fake device, and what tests say briefly.
struct pool_fixture {
  explicit pool_fixture(std::size_t capacity = 256 * mebi) : device(capacity), pool(device.source()) {}
  using stream = std::shared_ptr<stream_order>;
  static stream new_stream() { return testing::new_stream(); }
  pool_block* take(std::size_t bytes, stream const& s, dolmen::source_location where = dolmen::source_location::current()) {
    return pool.allocate(bytes, *s, where);
  }
  void give(pool_block* b, stream const& s) { pool.free(b, s); }

  fake_source device;
  memory_pool pool;
};

}  // namespace testing
