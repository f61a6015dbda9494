// The barrier of all blocks of a cooperative launch, each of which has a thread of its own.
#pragma once

#include "../../core/config.hpp"

namespace dolmen::cpu {

class DOLMEN_API grid_barrier {
 public:
  explicit grid_barrier(int blocks) noexcept : blocks_(unsigned(blocks)) {}
  grid_barrier(grid_barrier const&) = delete;

  /// Returns when all blocks have come here. Throws launch_error when one has ended instead, and where there is no barrier,
  /// as in a plain launch.
  static void wait(grid_barrier* all);

  /// A block has ended, however it did: those that wait for it, and those that come here later, get launch_error.
  void close() noexcept;

 private:
  bool pass();  // false: closed

  static constexpr unsigned closed = 1;  // a bit of state_; above it the number of times that all blocks came

  unsigned const blocks_;
  // Atomic, by std::atomic_ref: <atomic> is for the source file.
  alignas(64) unsigned arrived_ = 0;  // apart from what those that wait look at
  alignas(64) unsigned state_ = 0;
};

}  // namespace dolmen::cpu
