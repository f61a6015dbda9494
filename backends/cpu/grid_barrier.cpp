#include "grid_barrier.hpp"

#include <atomic>
#include <thread>

#include "../../core/error.hpp"
#include "../../core/print.hpp"

namespace dolmen::cpu {
namespace {

// How often to look before the thread sleeps. With fewer cores than blocks the others need this one's core.
int patience(unsigned blocks) {
  static unsigned const cores = std::thread::hardware_concurrency();
  return blocks <= cores ? 2000 : 10;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

[[noreturn]] void fail(char const* why) {
  block_index const b = dolmen::detail::current_block();
  throw launch_error(dolmen::detail::text("block.grid_sync in block (", b.x, ", ", b.y, ", ", b.z, "): ", why));
}

}  // namespace

void grid_barrier::wait(grid_barrier* all) {
  if (!all) fail("the kernel runs by launch, whose blocks need not run at the same time; it needs launch_cooperative");
  if (!all->pass()) fail("another block of the grid has ended; all blocks call grid_sync equally often");
}

bool grid_barrier::pass() {
  std::atomic_ref const arrived(arrived_), state(state_);
  // Nobody can go on to the next state before this block is counted.
  unsigned const before = state.load(std::memory_order_acquire);
  if (before & closed) return false;
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == blocks_) {
    arrived.store(0, std::memory_order_relaxed);
    state.fetch_add(2, std::memory_order_acq_rel);
    state.notify_all();
    return true;
  }
  unsigned now = before;
  for (int looks = patience(blocks_); looks > 0 && now == before; --looks) {
    pause();
    now = state.load(std::memory_order_acquire);
  }
  while (now == before) {
    state.wait(before, std::memory_order_acquire);
    now = state.load(std::memory_order_acquire);
  }
  return (now | closed) != (before | closed);  // a block that passed may have ended already
}

void grid_barrier::close() noexcept {
  std::atomic_ref const state(state_);
  if (!(state.fetch_or(closed, std::memory_order_acq_rel) & closed)) state.notify_all();
}

}  // namespace dolmen::cpu
