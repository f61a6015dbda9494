#include "teams.hpp"

#include <omp.h>
#include <pthread.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "../../core/error.hpp"
#include "../../core/host_memory.hpp"

namespace dolmen::cpu::impl {
namespace {

// What kernels may take of a worker's stack for granted.
constexpr std::size_t smallest_stack = 256 * 1024;

std::atomic<bool> lost{false};
bool several_threads = false;  // when fork began

// Each thread is a folder.
bool has_several_threads() {
  struct stat tasks;
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink > 3;
}

// The stack that OpenMP's threads were asked to have: OMP_STACKSIZE = "512", "512K", "1 m". OpenMP has read it when the program began.
struct stack_request {
  char const* name = nullptr;
  char const* text = "";
  std::size_t bytes = 0;  // 0: nothing that OpenMP would follow

  constexpr stack_request() = default;
  explicit stack_request(char const* variable) {
    char const* const value = std::getenv(variable);
    if (!value) return;
    name = variable;
    text = value;
    char* end = nullptr;
    auto const number = std::strtoull(value, &end, 10);
    if (end == value || std::strchr(value, '-') || number >> 34) return;
    auto const skip_spaces = [&] {
      while (std::isspace(static_cast<unsigned char>(*end))) ++end;
    };
    skip_spaces();
    char const *const units = "bkmg", *unit = units + 1;
    if (*end) unit = std::strchr(units, std::tolower(static_cast<unsigned char>(*end++)));
    skip_spaces();
    if (unit && !*end) bytes = std::size_t(number) << (10 * (unit - units));
  }
};

constinit stack_request stack;

// Registered when the library is loaded: a process is forked also by those who have not used Dolmen yet, but OpenMP.
[[maybe_unused]] bool const watching = [] {
  for (char const* variable : {"KMP_STACKSIZE", "GOMP_STACKSIZE", "OMP_STACKSIZE"})
    if (stack_request const request(variable); request.bytes) stack = request;
  return pthread_atfork([] { several_threads = lost || has_several_threads(); }, nullptr, [] { lost = several_threads; }) == 0;
}();

thread_local bool in_own_team = false;

class own_team {
 public:
  own_team() { in_own_team = true; }
  own_team(own_team const&) = delete;
  ~own_team() { in_own_team = false; }
};

// The number of threads that the system gives beside the calling one, up to n; they end at once.
int threads_given(int n, std::size_t stack_bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack_bytes) pthread_attr_setstacksize(&attributes, stack_bytes);  // what is refused is not followed by OpenMP either
  std::latch over(1);
  std::vector<pthread_t> made;
  made.reserve(std::size_t(n));
  auto const wait = [](void* end) -> void* {
    static_cast<std::latch*>(end)->wait();
    return nullptr;
  };
  for (pthread_t thread; int(made.size()) < n && pthread_create(&thread, &attributes, wait, &over) == 0;) made.push_back(thread);
  over.count_down();
  for (pthread_t const thread : made) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return int(made.size());
}

}  // namespace

int team_limit() {
  static int const most = std::max(1024, int(std::thread::hardware_concurrency()));
  if (in_own_team || omp_in_parallel() || omp_get_max_active_levels() <= 0) return 1;
  return std::max(1, std::min({omp_get_max_threads(), omp_get_thread_limit(), most}));
}

void require_threads(int n) {
  static std::atomic<int> known{1};
  if (n <= known.load(std::memory_order_relaxed) || threads_lost()) return;
  std::string const size = stack.bytes ? dolmen::detail::text(" of ", dolmen::detail::bytes_text(double(stack.bytes)), " of stack") : "";
  std::string const names = stack.bytes ? dolmen::detail::text(" (", stack.name, "=", stack.text, ")") : "";
  if (stack.bytes >= std::size_t(PTHREAD_STACK_MIN) && stack.bytes < smallest_stack)
    throw launch_error(dolmen::detail::text(stack.name, "=", stack.text, " gives OpenMP's threads ", stack.bytes,
                                            " bytes of stack; Dolmen's need ", smallest_stack));
  auto const given =
      1 + dolmen::detail::with_host_memory("OpenMP's threads", source_location(), [&] { return threads_given(n - 1, stack.bytes); });
  if (given < n)
    throw launch_error(dolmen::detail::text("asked for ", n, " threads", size, names, ", and the system gives this process ", given,
                                            ". OMP_NUM_THREADS and KOKKOS_NUM_THREADS say how many"));
  int before = known.load();
  while (before < n && !known.compare_exchange_weak(before, n)) {
  }
}

bool threads_lost() noexcept { return lost.load(std::memory_order_relaxed); }

void run_on_own_threads(index_t parts, std::function<void(index_t)> const& part) {
  std::vector<std::thread> team;
  try {
    for (index_t p = 1; p < parts; ++p)
      team.emplace_back([&part, p] {
        own_team const inside;
        part(p);
      });
  } catch (std::exception const&) {  // no more threads, or no memory: those that there are, do it
  }
  {
    own_team const inside;
    part(0);
    for (index_t p = index_t(team.size()) + 1; p < parts; ++p) part(p);
  }
  for (auto& thread : team) thread.join();
}

int run_at_once_on_own_threads(int n, std::function<void(index_t)> const& part) {
  std::latch complete(1);
  bool all = false;
  std::vector<std::thread> team;
  try {
    for (int p = 1; p < n; ++p)
      team.emplace_back([&, p] {
        own_team const inside;
        complete.wait();
        if (all) part(p);
      });
    all = true;
  } catch (std::exception const&) {
  }
  int const given = int(team.size()) + 1;
  complete.count_down();
  if (all) {
    own_team const inside;
    part(0);
  }
  for (auto& thread : team) thread.join();
  return given;
}

}  // namespace dolmen::cpu::impl
