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
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "../../core/emulation/float_environment.hpp"
#include "kokkos_environment.hpp"
#include "teams.hpp"

namespace dolmen::cpu {

using emulation::float_environment;
using emulation::float_scope;

namespace {

// KOKKOS_VERSION 30700 is 3.7.0.
// Its environment has more to say; where it says the same in another way, older releases throw.
#if KOKKOS_VERSION >= 30700
void initialise_kokkos() {
  Kokkos::InitializationSettings settings;
  if (!std::getenv("KOKKOS_DISABLE_WARNINGS")) settings.set_disable_warnings(true);
  Kokkos::initialize(settings);
}
bool kokkos_is_over() { return Kokkos::is_finalized(); }
#else
void initialise_kokkos() {
  Kokkos::InitArguments arguments;
  arguments.disable_warnings = !std::getenv("KOKKOS_DISABLE_WARNINGS");
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

// Kokkos' own static objects begin after those of a program that it is linked into, and end before them. Those of this library lie
// between.
enum class kokkos_life { not_loaded, not_used, used, over };
std::atomic<kokkos_life> life{kokkos_life::not_loaded};
[[maybe_unused]] bool const loaded = [] {
  life = kokkos_life::not_used;
  return std::atexit([] { life = kokkos_life::over; }) == 0;
}();

// One caller at a time uses Kokkos: not every release orders callers on its one OpenMP instance.
class kokkos_claim {
 public:
  kokkos_claim() = default;
  kokkos_claim(kokkos_claim const&) = delete;
  ~kokkos_claim() {
    if (granted_) taken.clear(std::memory_order_release);
  }
  bool granted() const noexcept { return granted_; }

 private:
  static inline std::atomic_flag taken{};
  bool const granted_ = !taken.test_and_set(std::memory_order_acquire);
};

// Kokkos binds itself to the thread that initialises it, which should outlive its use: the main thread.
bool on_main_thread() { return getpid() == pid_t(syscall(SYS_gettid)); }

bool started_here = false;

// Dolmen finalises only what it started, and only on the same thread, as Kokkos wants it.
void end_kokkos() {
  life = kokkos_life::over;
  kokkos_claim const mine;
  if (!started_here || !mine.granted() || !on_main_thread() || omp_in_parallel() || impl::threads_lost()) return;
  if (Kokkos::is_initialized()) Kokkos::finalize();
}

// Kokkos counts on all of its threads: what OpenMP does not give has its part of the work left out.
bool openmp_gives(int threads) {
  return threads == 1 || (threads > 1 && threads <= omp_get_thread_limit() && !omp_get_dynamic() && omp_get_max_active_levels() > 0);
}

int team_obtained(int threads) {
  int obtained = 0;
#pragma omp parallel num_threads(threads)
  if (omp_get_thread_num() == 0) obtained = omp_get_num_threads();
  return obtained;
}

void start_kokkos() {
  int const threads = impl::threads_for_kokkos();
  if (threads == 0 || !openmp_gives(threads)) return;
  impl::require_threads(std::max(threads, impl::team_limit()));
  if (team_obtained(threads) != threads) return;
  try {
    initialise_kokkos();
  } catch (std::exception const&) {  // it does not like its environment: plain OpenMP serves
  }
  started_here = Kokkos::is_initialized();
}

bool kokkos_runs_every_index() {
  int const threads = Kokkos::OpenMP().concurrency();
  if (threads <= 1 || !openmp_gives(threads)) return threads == 1;  // of one thread the caller may be in a kernel of Kokkos' here
  std::atomic<int> runs{0};
  Kokkos::parallel_for("dolmen", Kokkos::RangePolicy<Kokkos::OpenMP, index_t>(0, threads), [&](index_t) { ++runs; });
  return runs == threads;
}

// The first call that may have Kokkos decides whether it is used.
bool begin_kokkos() {
  if (!Kokkos::is_initialized()) {
    if (kokkos_is_over() || !on_main_thread()) return false;
    start_kokkos();
  } else if (!kokkos_takes_this_thread()) {
    return false;
  }
  bool const works = Kokkos::is_initialized() && kokkos_runs_every_index();
  life = works ? kokkos_life::used : kokkos_life::over;
  if (works || started_here) std::atexit(end_kokkos);
  return works;
}

// True where Kokkos takes work from the calling thread, which holds the claim.
bool kokkos_serves_here() {
  auto const now = life.load(std::memory_order_relaxed);
  if (now == kokkos_life::not_used) return begin_kokkos();
  return now == kokkos_life::used && Kokkos::is_initialized() && kokkos_takes_this_thread() && openmp_gives(Kokkos::OpenMP().concurrency());
}

class kokkos_turn {
 public:
  kokkos_turn() : granted_(mine_.granted() && !impl::threads_lost() && kokkos_serves_here()) {}
  bool granted() const noexcept { return granted_; }
  /// Threads that a call in this turn has.
  int threads() const { return granted_ ? Kokkos::OpenMP().concurrency() : impl::team_limit(); }

 private:
  kokkos_claim const mine_;  // given back also when the start of Kokkos throws
  bool const granted_;
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
  // A pointer has no end, so that what runs at the end of the thread or of the process finds none, and makes new memory. It takes
  // none of the host's, which may have run out.
  static thread_local constinit scratch* memory = nullptr;
  alignas(scratch) static thread_local constinit unsigned char place[sizeof(scratch)] = {};
  if (memory) [[likely]]
    return *memory;
  struct owner {
    ~owner() { std::destroy_at(std::exchange(memory, nullptr)); }
  };
  static thread_local owner const mine;
  static_cast<void>(&mine);
  return *(memory = new (place) scratch);
}

int workers() {
  if (omp_in_parallel()) return 1;
  return kokkos_turn().threads();
}

void run_ranges(index_t n, index_t grain, range_body body) {
  if (n <= 0) return;
  if (n <= grain || omp_in_parallel()) {
    body(0, n, local_scratch());
    return;
  }
  kokkos_turn const turn;
  index_t const threads = turn.threads();
  index_t const parts = std::min(threads, std::max<index_t>(1, n / std::max<index_t>(grain, 1)));
  if (parts == 1) {
    body(0, n, local_scratch());
    return;
  }
  first_exception failure;
  float_environment const callers;
  auto const part = [=, &failure, &callers](index_t p) {
    // n * p / parts without overflow
    auto const edge = [=](index_t q) { return n / parts * q + std::min(n % parts, q); };
    if (failure.any()) return;
    try {
      float_scope const as_caller(callers);
      body(edge(p), edge(p + 1), local_scratch());
    } catch (...) {
      failure.keep();
    }
  };
  if (turn.granted()) {
    Kokkos::parallel_for("dolmen", Kokkos::RangePolicy<Kokkos::OpenMP, Kokkos::Schedule<Kokkos::Static>, index_t>(0, parts), part);
  } else if (impl::threads_lost()) {
    impl::run_on_own_threads(parts, std::ref(part));  // a std::function of a reference takes no memory
  } else {
    impl::require_threads(int(threads));
#pragma omp parallel for schedule(static) num_threads(int(threads))
    for (index_t p = 0; p < parts; ++p) part(p);
  }
  failure.rethrow();
}

int most_at_once() { return impl::team_limit(); }

// Not by Kokkos, which promises no number of threads. The team is the calling thread's own, so no turn is needed: Kokkos is
// not called, and its teams on other host threads are others.
int run_at_once(int n, grid_barrier& barrier, range_body body) {
  if (n <= 0) return n;
  first_exception failure;
  float_environment const callers;
  auto const one = [&](index_t i) {
    try {
      float_scope const as_caller(callers);
      body(i, i + 1, local_scratch());
    } catch (...) {
      failure.keep();  // before those that wait are released, whose exceptions come of this one
    }
    barrier.close();
  };
  int obtained = 1;
  if (n == 1) {
    one(0);
  } else if (impl::threads_lost()) {
    obtained = impl::run_at_once_on_own_threads(n, std::ref(one));
  } else {
    impl::require_threads(n);
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
