// Kokkos has a life of its own: Dolmen joins one that the application started, goes on after one that ended, and never
// ends what it did not start. Each order of events is a process.
#include "../backends.hpp"

#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>

#include <Kokkos_Core.hpp>
#include <thread>

#include "../support/child.hpp"

using namespace dolmen;

namespace {

bool dolmen_works() {
  cpu::stream s;
  buffer<int, cpu::backend> b(s, 1 << 20);
  fill(s, b, 3);
  return sum(s, b) == 3 << 20;
}

bool kokkos_works() {
  long total = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<Kokkos::OpenMP>(0, 100000), KOKKOS_LAMBDA(int, long& t) { t += 1; }, total);
  return total == 100000;
}

void require(bool condition, int status) {
  if (!condition) std::_Exit(status);
}

}  // namespace

DOLMEN_TEST_CHILD(application_first) {
  Kokkos::initialize();
  require(dolmen_works(), 3);
  require(kokkos_works(), 4);
  require(dolmen_works(), 5);
  Kokkos::finalize();  // Dolmen must not have done it, nor do it again at exit
}

DOLMEN_TEST_CHILD(after_finalize) {
  Kokkos::initialize();
  require(dolmen_works(), 3);
  Kokkos::finalize();
  require(dolmen_works(), 4);
  std::thread([] { require(dolmen_works(), 5); }).join();
}

DOLMEN_TEST_CHILD(only_after_finalize) {
  Kokkos::initialize();
  require(kokkos_works(), 3);
  Kokkos::finalize();
#if KOKKOS_VERSION >= 30700  // older ones cannot tell that they were finalised
  require(dolmen_works(), 4);
#endif
}

DOLMEN_TEST_CHILD(buffers_outlive_kokkos) {
  cpu::stream s;
  Kokkos::initialize();
  {
    buffer<int, cpu::backend> kept(s, 1 << 20);
    fill(s, kept, 1);
    Kokkos::finalize();
    fill(s, kept, 2);
    require(sum(s, kept) == 2 << 20, 3);
  }
  s.get_device().trim_pool();
}

DOLMEN_TEST_CHILD(application_without_threads) {
#if KOKKOS_VERSION < 30700  // later ones end the program
  setenv("KOKKOS_NUM_THREADS", "0", 1);
  Kokkos::initialize();
  require(dolmen_works(), 3);
  require(dolmen_works(), 4);
  Kokkos::finalize();
#endif
}

DOLMEN_TEST_CHILD(application_forks) {
  Kokkos::initialize();
  require(dolmen_works(), 3);
  pid_t const child = fork();
  if (child == 0) {
    alarm(60);
    require(dolmen_works(), 4);
    std::thread([] { require(dolmen_works(), 5); }).join();
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  require(status == 0, 6);
  require(dolmen_works(), 7);
  require(kokkos_works(), 8);
  Kokkos::finalize();
}

DOLMEN_TEST_CHILD(dolmen_starts_it) {
  require(!Kokkos::is_initialized(), 3);
  require(dolmen_works(), 4);
  require(kokkos_works() || !Kokkos::is_initialized(), 5);
}

DOLMEN_TEST_CHILD(first_use_in_a_thread) {
  std::thread([] { require(dolmen_works(), 3); }).join();
  require(dolmen_works(), 4);
}

DOLMEN_TEST_CHILD(first_use_in_a_region) {
  int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  wrong += !dolmen_works();
  require(wrong == 0, 3);
  require(dolmen_works(), 4);
}

DOLMEN_TEST_CHILD(inside_a_kokkos_kernel) {
  Kokkos::initialize();
  int wrong = 0;
  Kokkos::parallel_reduce(
      "dolmen inside", Kokkos::RangePolicy<Kokkos::OpenMP>(0, 8), [](int, int& w) { w += !dolmen_works(); }, wrong);
  require(wrong == 0, 3);
  require(kokkos_works(), 4);
  Kokkos::finalize();
}

DOLMEN_TEST_CHILD(exits_from_a_thread) {
  require(dolmen_works(), 3);
  std::thread([] { std::exit(0); }).detach();  // joining a thread that exits the program would be a leak
  for (;;) pause();
}

TEST_CASE_TEMPLATE("Kokkos: every order of lives", B, cpu::backend) {
  for (std::string const name : {"application_first", "after_finalize", "only_after_finalize", "buffers_outlive_kokkos",
                                 "application_without_threads", "application_forks", "dolmen_starts_it", "first_use_in_a_thread",
                                 "first_use_in_a_region", "inside_a_kokkos_kernel", "exits_from_a_thread"}) {
    bool const forks = name == "application_forks";
    if (forks && !testing::forked_can_start_threads) continue;
    for (std::string const threads : {"1", "3"}) {
      CAPTURE(name);
      CAPTURE(threads);
      testing::environment environment{{"OMP_NUM_THREADS", threads}, {"OMP_PROC_BIND", "false"}};
      if (forks) environment = testing::of_forks(environment);
      // The OpenMP runtime of clang leaves its threads unjoined when another thread than the main one ends the program.
      if (char const* options = std::getenv("TSAN_OPTIONS"); options && name == "exits_from_a_thread")
        environment.emplace_back("TSAN_OPTIONS", std::string(options) + " report_thread_leaks=0");
      auto const r = testing::run_child(name, environment);
      CAPTURE(r.output);
      CHECK(r.status == 0);
      // Kokkos may warn an application that starts it with more threads than cores; Dolmen starts it quietly.
      bool const dolmen_starts = name.find("use") != std::string::npos || name.find("starts") != std::string::npos;
      if (dolmen_starts) CHECK(r.output == "");
    }
  }
}
