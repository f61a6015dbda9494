// The only file that includes Kokkos.
#include "engine.hpp"

#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>

namespace dolmen::cpu {
namespace {

// KOKKOS_VERSION 30700 is 3.7.0.
#if KOKKOS_VERSION >= 30700
void initialise_kokkos() { Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true)); }
bool kokkos_is_over() { return Kokkos::is_finalized(); }
#else
void initialise_kokkos() {
  Kokkos::InitArguments arguments;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
}
bool kokkos_is_over() { return false; }
#endif

// Before 4.0, Kokkos took work only from the thread that initialised it.
#if KOKKOS_VERSION >= 40000
bool kokkos_takes_this_thread() { return true; }
#else
bool kokkos_takes_this_thread() { return !Kokkos::OpenMP::in_parallel(); }
#endif

std::atomic<bool> seen_initialised{false};

// Kokkos binds itself to the thread that initialises it, which should outlive its use: the main thread.
bool on_main_thread() { return getpid() == pid_t(syscall(SYS_gettid)); }

// Dolmen finalises only what it started, and only on the same thread, as Kokkos wants it.
void initialise_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (Kokkos::is_initialized() || kokkos_is_over()) return;
    try {
      initialise_kokkos();
    } catch (std::bad_alloc const&) {  // what it had begun is not begun again: plain OpenMP serves
      return;
    }
    std::atexit([] {
      if (Kokkos::is_initialized() && on_main_thread() && !omp_in_parallel()) Kokkos::finalize();
    });
  });
}

// True where Kokkos takes work from the calling thread.
bool kokkos_serves_here() {
  if (!Kokkos::is_initialized()) {
    bool const finalised = seen_initialised.load(std::memory_order_relaxed);
    if (finalised || !on_main_thread()) return false;
    initialise_once();
    if (!Kokkos::is_initialized()) return false;
  }
  seen_initialised.store(true, std::memory_order_relaxed);
  return kokkos_takes_this_thread();
}

// One caller at a time uses Kokkos: not every release orders callers on its one OpenMP instance.
class kokkos_turn {
 public:
  kokkos_turn() : granted_(mine_.value && kokkos_serves_here()) {}
  bool granted() const noexcept { return granted_; }

 private:
  struct claim {
    static inline std::atomic_flag taken{};
    bool const value = !taken.test_and_set(std::memory_order_acquire);
    claim() = default;
    claim(claim const&) = delete;
    ~claim() {
      if (value) taken.clear(std::memory_order_release);
    }
  };
  claim mine_;  // given back also when Kokkos' initialisation throws
  bool granted_;
};

class first_exception {
 public:
  bool any() const noexcept { return any_.load(std::memory_order_relaxed); }
  void keep() noexcept {
    if (!any_.exchange(true)) exception_ = std::current_exception();
  }
  void rethrow() {
    if (any()) std::rethrow_exception(std::exchange(exception_, nullptr));
  }

 private:
  std::atomic<bool> any_{false};
  std::exception_ptr exception_;
};

// Exactly as many threads as are asked for: with OMP_DYNAMIC, OpenMP may give fewer to a busy machine.
class exact_teams {
 public:
  exact_teams() { omp_set_dynamic(0); }
  exact_teams(exact_teams const&) = delete;
  ~exact_teams() { omp_set_dynamic(before_); }

 private:
  int const before_ = omp_get_dynamic();
};

}  // namespace

scratch& local_scratch() {
  thread_local scratch memory;
  return memory;
}

int workers() {
  if (omp_in_parallel()) return 1;
  kokkos_turn const turn;
  return turn.granted() ? Kokkos::OpenMP().concurrency() : omp_get_max_threads();
}

void run_ranges(index_t n, index_t grain, range_body body) {
  if (n <= 0) return;
  if (n <= grain || omp_in_parallel()) {
    body(0, n, local_scratch());
    return;
  }
  kokkos_turn const turn;
  index_t const threads = turn.granted() ? Kokkos::OpenMP().concurrency() : omp_get_max_threads();
  index_t const parts = std::min(threads, std::max<index_t>(1, n / std::max<index_t>(grain, 1)));
  if (parts == 1) {
    body(0, n, local_scratch());
    return;
  }
  first_exception failure;
  auto const part = [=, &failure](index_t p) {
    // n * p / parts without overflow
    auto const edge = [=](index_t q) { return n / parts * q + std::min(n % parts, q); };
    if (failure.any()) return;
    try {
      body(edge(p), edge(p + 1), local_scratch());
    } catch (...) {
      failure.keep();
    }
  };
  if (turn.granted()) {
    Kokkos::parallel_for("dolmen", Kokkos::RangePolicy<Kokkos::OpenMP, Kokkos::Schedule<Kokkos::Static>, index_t>(0, parts), part);
  } else {
#pragma omp parallel for schedule(static)
    for (index_t p = 0; p < parts; ++p) part(p);
  }
  failure.rethrow();
}

int most_at_once() {
  if (omp_in_parallel() || omp_get_max_active_levels() == 0) return 1;
  return std::max(1, std::min(omp_get_max_threads(), omp_get_thread_limit()));
}

// Not by Kokkos, which promises no number of threads. The team is the calling thread's own, so no turn is needed: Kokkos is
// not called, and its teams on other host threads are others.
int run_at_once(int n, grid_barrier& barrier, range_body body) {
  if (n <= 0) return n;
  first_exception failure;
  int obtained = 1;
  auto const one = [&](int i) {
    try {
      body(i, i + 1, local_scratch());
    } catch (...) {
      failure.keep();  // before those that wait are released, whose exceptions come of this one
    }
    barrier.close();
  };
  if (n == 1) {
    one(0);
  } else {
    exact_teams const exact;
#pragma omp parallel num_threads(n)
    {
      int const me = omp_get_thread_num(), threads = omp_get_num_threads();
      if (me == 0) obtained = threads;
      if (threads == n) one(me);
    }
  }
  failure.rethrow();
  return obtained;
}

}  // namespace dolmen::cpu
