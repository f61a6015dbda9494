// What a block's phases, barriers and copies tell the monitor, as far as it is compiled into kernels.
#pragma once

#include <string>

#include "../../core/access.hpp"
#include "../../core/shape.hpp"
#include "findings.hpp"
#include "record.hpp"

namespace dolmen::check::impl {

/// block.grid_sync of the calling thread's block.
DOLMEN_API void wait_for_grid(source_location where);

/// The course of the block that runs on this thread. The rest of it, and its judgement, is the monitor.
class DOLMEN_API course : public dolmen::detail::access_recorder {
 public:
  /// -1: block scope; at warp scope the first lane, with `lanes` of them.
  int thread = -1, lanes = 0;
  bool in_phase = false;
  int size = 0;  // threads of the block
  source_location phase;

  virtual void phase_begins(source_location where) = 0;
  virtual void phase_ends(int outer_thread, int outer_lanes) = 0;
  /// What follows is of this thread of the block.
  [[gnu::always_inline]] void runs(int rank) {
    thread = running = rank;
    impl::record r;
    r.when = now_;
    r.thread = unsigned(rank);
    r.epoch = epoch();
    quick.mine = r.packed();
  }

  bool warp_scope() const { return !in_phase && lanes > 0; }
  bool block_scope() const { return !in_phase && lanes == 0; }

  virtual void barrier(source_location where, char const* what) = 0;
  virtual void warp_barrier() = 0;
  /// True, after a report, when a phase or collective begins inside of a phase.
  virtual bool nested(source_location where, char const* what) = 0;
  /// The same for what belongs to block scope and is called at warp scope.
  virtual bool misplaced(source_location where, char const* what) = 0;
  virtual void frame_written(source_location where, int rank) = 0;
  virtual void misuse(kind what, std::string text, source_location where) = 0;

  virtual void copy_begins(char const* to, char const* to_end, char const* from, char const* from_end, source_location where) = 0;
  virtual void commit() = 0;
  virtual void wait(int newest) = 0;

  std::uint64_t random() { return seed_ = seed_ * 6364136223846793005u + 1442695040888963407u, seed_ >> 33; }

 protected:
  explicit course(std::uint64_t seed) : seed_(seed) {}
  ~course() = default;
  unsigned epoch() const { return epochs_[thread < 0 ? 0 : thread / warp_size]; }

  interval now_ = 0;
  unsigned epochs_[32] = {};  // barriers of each warp since the block's last one
  std::uint64_t seed_;
};

/// Ends a block that cannot go on: what it waits for will not come.
struct DOLMEN_API gave_up {};

/// That of the block that the calling thread runs; null outside of kernels.
DOLMEN_API course* current_course();

}  // namespace dolmen::check::impl
