// One access in 64 bits, and where the interval that it names belongs.
#pragma once

#include <cstdint>

#include "sites.hpp"

namespace dolmen::check::impl {

/// An interval is what a block does between two barriers; its number is unique in the process and grows. Operations of the
/// library and of the host are one interval each.
using interval = std::uint32_t;  // below 2^30

enum class how : unsigned { plain = 0, atomic_in_block = 1, atomic_in_device = 2 };
/// Whose read or write it was besides the thread that is named.
enum class readers : unsigned { one = 0, warp = 1, block = 2 };

struct record {
  interval when = 0;
  site where = 0;
  unsigned thread = 0;  // within the block
  how kind = how::plain;
  unsigned epoch = 0;  // barriers of the warp since the interval began
  readers many = readers::one;
  bool other_blocks = false;  // of a read: other blocks of the launch have read too

  explicit operator bool() const { return when != 0; }
  std::uint64_t packed() const {
    return std::uint64_t(when) | std::uint64_t(where & 0x1fff) << 30 | std::uint64_t(thread & 0x3ff) << 43 | std::uint64_t(kind) << 53 |
           std::uint64_t(epoch & 0x3f) << 55 | std::uint64_t(many) << 61 | std::uint64_t(other_blocks) << 63;
  }
  static record unpack(std::uint64_t bits) {
    record r;
    r.when = interval(bits & 0x3fffffff);
    r.where = site(bits >> 30 & 0x1fff);
    r.thread = unsigned(bits >> 43 & 0x3ff);
    r.kind = how(bits >> 53 & 3);
    r.epoch = unsigned(bits >> 55 & 0x3f);
    r.many = readers(bits >> 61 & 3);
    r.other_blocks = (bits >> 63) != 0;
    return r;
  }
};

/// What an interval belongs to.
struct interval_info {
  std::uint32_t operation;
  std::uint32_t block;    // number in the grid, x fastest; of the library and the host 0
  std::uint32_t barrier;  // how many barriers of the block came before
};

DOLMEN_API interval new_interval(interval_info info);
/// The newest interval so far.
DOLMEN_API interval last_interval();

}  // namespace dolmen::check::impl
