// Runs the blocks of launches.
#include <cxxabi.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

#include "../../core/emulation/float_environment.hpp"
#include "../../core/host_memory.hpp"
#include "../../core/print.hpp"
#include "fork.hpp"
#include "launch.hpp"
#include "monitor.hpp"
#include "options.hpp"
#include "window.hpp"

namespace dolmen::check::impl {

using dolmen::detail::with_host_memory;

namespace {

constexpr int blocks_at_once = 16;
// A launch that one thread has done in this time is not shared: starting another takes as long.
constexpr auto not_worth_sharing = std::chrono::microseconds(200);

[[noreturn]] void fail(char const* why, source_location where) {
  block_index const b = dolmen::detail::current_block();
  throw launch_error(dolmen::detail::text("block.grid_sync in block (", b.x, ", ", b.y, ", ", b.z, "): ", why), where);
}
constexpr char const* one_ended = "another block of the grid has ended; all blocks call grid_sync equally often";

// The barrier of a cooperative launch's blocks. One that ends early lets the others go.
struct meeting {
  meeting(launch_state& l, int n) : launch(l), blocks(n) {}
  launch_state& launch;
  int blocks, arrived = 0;
  std::uint64_t round = 0;
  bool closed = false;
  std::mutex mutex;
  std::condition_variable changed;

  void wait(monitor& m, source_location where) {
    std::unique_lock lock(mutex);
    if (closed) fail(one_ended, where);
    if (++arrived == blocks) {
      arrived = 0;
      ++round;
      launch.grid_from = last_interval() + 1;
      changed.notify_all();
    } else {
      auto const mine = round;
      changed.wait(lock, [&] { return round != mine || closed; });
      if (round == mine) fail(one_ended, where);
    }
    m.grid_barrier(0);
  }
  void close() {
    std::lock_guard const lock(mutex);
    closed = true;
    changed.notify_all();
  }
};

thread_local meeting* current_meeting = nullptr;

constinit std::mutex one_at_a_time;
[[maybe_unused]] bool const launches_held = hold_in_fork(one_at_a_time);

struct first_exception {
  std::mutex mutex;
  std::exception_ptr kept;
  bool replaced = false;
  void keep() {
    std::lock_guard const lock(mutex);
    if (!kept && !replaced) kept = std::current_exception();
  }
  void replace(std::exception_ptr by) {
    std::lock_guard const lock(mutex);
    kept = std::move(by);
    replaced = true;
  }
};

// The exception that is being handled, as the library's.
std::exception_ptr refused_thread(char const* kernel, index_t asked, std::size_t given, source_location where) {
  try {
    with_host_memory("launch_cooperative", where, [] { throw; });
  } catch (std::system_error const& e) {
    return std::make_exception_ptr(
        launch_error(dolmen::detail::text("launch_cooperative of ", kernel, ": asked for ", asked,
                                          " threads, one per block, and the system gave ", given, " (", e.what(), ")"),
                     where));
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

// A shuffled order of all blocks. An affine walk needs no table; runs of neighbours share what the caches hold of records.
struct block_order {
  block_order(std::uint64_t count, std::uint64_t seed)
      : count(count), together(count < 64 ? 1 : 8), runs(count / together), first(seed * 0x9e3779b97f4a7c15u >> 20) {
    if (runs < 2) return;
    step = first % runs | 1;
    while (std::gcd(step, runs) != 1) step = step % runs + 1;
  }
  std::uint32_t operator[](std::uint64_t i) const {
    auto const run = i / together;
    if (run >= runs) return std::uint32_t(count - 1 - (i - runs * together));  // what is left over, backwards
    auto const at = (run * step + first) % runs, k = i % together;
    return std::uint32_t(at * together + ((at ^ first) % 2 == 0 ? k : together - 1 - k));
  }
  std::uint64_t count, together, runs, first, step = 1;
};

struct worker_memory {
  emulation::scratch scratch;
  shared_memory shared;
};

void run_one(launch_state& launch, block_index grid, std::uint32_t number, std::size_t shared_bytes, block_body const& body,
             worker_memory& memory) {
  memory.scratch.reset();
  char* raw = nullptr;
  with_host_memory("launch", launch.where, [&] {
    raw = static_cast<char*>(memory.scratch.take(std::max<std::size_t>(shared_bytes, 1)));
    memory.shared.start(raw, shared_bytes);
  });
  monitor watch(launch, number, memory.shared, current_options().seed);
  dolmen::detail::running_block running;
  auto const place = dolmen::detail::split(number, grid);
  running.here = place;
  body(place, grid, memory.scratch, raw);
  memory.scratch.reset();
}

}  // namespace

std::string plain_name(char const* mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string const name = status == 0 ? text : mangled;
  std::free(text);
  return name;
}

std::mutex& one_launch_at_a_time() { return one_at_a_time; }

int most_at_once() { return blocks_at_once; }

void wait_for_grid(source_location where) {
  monitor& m = *current_monitor();
  if (m.misplaced(where, "block.grid_sync")) return;
  if (!current_meeting) fail("the kernel runs by launch, whose blocks need not run at the same time; it needs launch_cooperative", where);
  current_meeting->wait(m, where);
}

void run_blocks(stream const& s, char const* kernel, dolmen::grid blocks, shared_request shared, bool cooperative, block_body const& body,
                source_location where) {
  s.require_valid("launch", where);
  if (blocks.blocks() <= 0) return;
  launch_state launch;
  launch.where = where;
  launch.grid = {int(blocks.x), int(blocks.y), int(blocks.z)};
  launch.cooperative = cooperative;
  launch.layout = shared.layout;
  with_host_memory("launch", where, [&] {
    launch.kernel = plain_name(kernel);
    launch.order = std::make_shared<clocks>();
    launch.operation = begin_operation("launch of " + launch.kernel, s.order(), where, launch.grid);
  });
  launch.settled = operation(launch.operation).settled;
  index_t const count = blocks.blocks();
  first_exception failure;
  emulation::float_environment const callers;
  // Launches of several host threads run one after another: a launch on one thread writes its records without looking for others.
  std::lock_guard const alone(one_launch_at_a_time());

  if (cooperative) {
    meeting all(launch, int(count));
    auto const one = [&](index_t b) {
      emulation::float_scope const as_caller(callers);
      current_meeting = &all;
      worker_memory memory;
      try {
        run_one(launch, launch.grid, std::uint32_t(b), shared.bytes, body, memory);
      } catch (gave_up const&) {
      } catch (...) {
        failure.keep();
      }
      all.close();
    };
    std::vector<std::thread> threads;
    try {
      threads.reserve(std::size_t(count));
      for (index_t b = 0; b < count; ++b) threads.emplace_back(one, b);
    } catch (...) {  // not all of them: those that are there must not wait for the rest
      failure.replace(refused_thread(launch.kernel.c_str(), count, threads.size(), where));
      all.close();
    }
    for (auto& t : threads) t.join();
  } else {
    auto const& o = current_options();
    int const wanted = o.threads > 0 ? o.threads : int(std::max(1u, std::thread::hardware_concurrency()));
    bool const heard = dolmen::detail::current_recorder() != nullptr;  // a listener hears its own thread only
    int const workers = heard ? 1 : int(std::min<index_t>(wanted, count));
    launch.one_worker = true;
    block_order const order(std::uint64_t(count), o.seed);
    std::atomic<index_t> next{0};
    auto const guarded = [&](auto const& blocks_of_worker) {
      emulation::float_scope const as_caller(callers);
      worker_memory memory;
      try {
        blocks_of_worker([&](index_t number) { run_one(launch, launch.grid, std::uint32_t(number), shared.bytes, body, memory); });
      } catch (gave_up const&) {
      } catch (...) {
        launch.given_up = true;
        failure.keep();
      }
    };
    // The first and the last block run before all others, alone: one that waits for its neighbours waits for ever, in whatever
    // order the others would have come.
    index_t const ends[2] = {o.seed % 2 == 0 ? 0 : count - 1, o.seed % 2 == 0 ? count - 1 : 0};
    auto const begin = std::chrono::steady_clock::now();
    guarded([&](auto const& run) {
      run(ends[0]);
      if (ends[1] != ends[0] && !launch.given_up) run(ends[1]);
    });
    auto const all = (std::chrono::steady_clock::now() - begin) * count / 2;
    launch.one_worker = workers == 1 || (o.threads == 0 && all < not_worth_sharing);  // who asks for threads gets them
    auto const work = [&] {
      guarded([&](auto const& run) {
        for (index_t i; (i = next.fetch_add(1)) < count && !launch.given_up;)
          if (index_t const number = order[std::uint64_t(i)]; number != ends[0] && number != ends[1]) run(number);
      });
    };
    std::vector<std::thread> others;
    try {
      others.reserve(std::size_t(workers));
      for (int w = 1; w < workers && count > 2 && !launch.one_worker; ++w) others.emplace_back(work);
    } catch (std::exception const&) {  // no memory or no thread is left: those that are there do the work
    }
    work();
    for (auto& t : others) t.join();
  }
  with_host_memory("launch", where, [&] { launch.judge_early(); });
  window::get().close();  // what the kernel reached through pointers
  flush();
  if (failure.kept) emulation::with_scratch("launch", where, [&] { std::rethrow_exception(failure.kept); });
  if (launch.lost) dolmen::detail::host_memory_ran_out("launch", where);
}

}  // namespace dolmen::check::impl
