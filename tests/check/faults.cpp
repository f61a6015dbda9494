// The signal SIGSEGV is shared with the program: its own handlers get what is theirs, under the mask and flags that they asked for, and
// may leave by siglongjmp. Each program is a process of its own, as test frameworks have handlers too.
#include <doctest/doctest.h>

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <dolmen/dolmen.hpp>

#include "../support/child.hpp"

using namespace dolmen;
using testing::run_child;

namespace {

sigjmp_buf back;
int volatile handled = 0;

void touch_nothing() { *reinterpret_cast<int volatile*>(16) = 1; }
void jump(int) { siglongjmp(back, 1); }
void jump_with_info(int, siginfo_t* info, void*) {
  if (info->si_addr != reinterpret_cast<void*>(16)) std::_Exit(3);
  siglongjmp(back, 1);
}

/// Faults so often, and comes back by the handler each time.
void fault(int times, bool save_mask = true) {
  int volatile left = times;
  while (left > 0) {
    left = left - 1;
    if (sigsetjmp(back, save_mask) == 0)
      touch_nothing();
    else
      handled = handled + 1;
  }
  std::printf("%d handled\n", handled);
}

void use_device(stream const& s) {
  buffer<int> data(s, 64);
  fill(s, data, 1);
  s.synchronize();
}

void install(void (*handler)(int), int flags = 0) {
  struct sigaction a = {};
  a.sa_handler = handler;
  a.sa_flags = flags;
  sigaction(SIGSEGV, &a, nullptr);
}

struct sigaction before;
/// Opens a page of its own, and hands on all else.
char* own_page = nullptr;
void open_own(int number, siginfo_t* info, void* context) {
  if (info->si_addr == own_page) {
    handled = handled + 1;
    mprotect(own_page, 4096, PROT_READ | PROT_WRITE);
    return;
  }
  if ((before.sa_flags & SA_SIGINFO) != 0)
    before.sa_sigaction(number, info, context);
  else
    std::_Exit(4);
}

}  // namespace

DOLMEN_TEST_CHILD(faults_handler_before) {
  install(jump);
  stream s;
  use_device(s);
  fault(3);
}
DOLMEN_TEST_CHILD(faults_handler_after) {
  stream s;
  use_device(s);
  struct sigaction a = {};
  a.sa_sigaction = jump_with_info;
  a.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &a, nullptr);
  use_device(s);  // which takes the signal back
  fault(3);
}
// The mask stays as the handler's was: the second fault ends the process, as it does without Dolmen.
DOLMEN_TEST_CHILD(faults_mask_not_restored) {
  install(jump);
  stream s;
  use_device(s);
  fault(3, false);
}
DOLMEN_TEST_CHILD(faults_no_defer) {
  install(jump, SA_NODEFER);
  stream s;
  use_device(s);
  fault(3, false);
}
DOLMEN_TEST_CHILD(faults_once) {
  install(jump, int(SA_RESETHAND));
  stream s;
  use_device(s);
  fault(2);
}
DOLMEN_TEST_CHILD(faults_device_between) {
  install(jump);
  stream s;
  buffer<int> data(s, 64);
  fill(s, data, 5);
  s.synchronize();
  fault(1);
  std::printf("element %d\n", *static_cast<int const volatile*>(data.data()));
  fault(1);
}
DOLMEN_TEST_CHILD(faults_chained) {
  stream s;
  use_device(s);
  own_page = static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  struct sigaction a = {};
  a.sa_sigaction = open_own;
  a.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &a, &before);  // knows Dolmen's handler
  use_device(s);                    // which then knows this one
  *static_cast<char volatile*>(own_page) = 1;
  std::printf("%d handled\n", handled);
  std::fflush(stdout);
  touch_nothing();
}
DOLMEN_TEST_CHILD(faults_nobody) {
  stream s;
  use_device(s);
  touch_nothing();
}
DOLMEN_TEST_CHILD(faults_ignored_signal) {
  ::signal(SIGSEGV, SIG_IGN);
  stream s;
  use_device(s);
  raise(SIGSEGV);
  std::puts("went on");
}

TEST_CASE("check: handlers of the program's own leave by siglongjmp as often as they like") {
  for (char const* name : {"faults_handler_before", "faults_handler_after", "faults_no_defer"}) {
    auto const r = run_child(name);
    CAPTURE(name);
    CAPTURE(r.output);
    CHECK(r.status == 0);
    CHECK(r.output == "3 handled\n");
  }
}

TEST_CASE("check: a handler's mask and flags are those that it asked for") {
  CHECK(run_child("faults_mask_not_restored").status == 128 + SIGSEGV);
  CHECK(run_child("faults_once").status == 128 + SIGSEGV);
  auto const sent = run_child("faults_ignored_signal");
  CHECK(sent.status == 0);
  CHECK(sent.output == "went on\n");
}

TEST_CASE("check: device memory is reported between faults of the program's own") {
  auto const r = run_child("faults_device_between");
  CAPTURE(r.output);
  CHECK(r.status == 66);
  CHECK(r.output.find("1 handled\n") != std::string::npos);
  CHECK(r.output.find("[host_access]") != std::string::npos);
  CHECK(r.output.find("element 5\n") != std::string::npos);
  CHECK(r.output.find("2 handled\n") != std::string::npos);
}

TEST_CASE("check: a handler that hands on what is not its own, and no handler at all") {
  auto const chained = run_child("faults_chained");
  CHECK(chained.status == 128 + SIGSEGV);
  CHECK(chained.output == "1 handled\n");
  CHECK(run_child("faults_nobody").status == 128 + SIGSEGV);
}

TEST_CASE("check: system calls fail on device memory, and are not seen; what the C library copies is") {
  stream s;
  buffer<int> data(s, 64);
  fill(s, data, 5);
  s.synchronize();
  check::expect_findings const expected;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  errno = 0;
  CHECK(write(ends[1], data.data(), 4) == -1);
  CHECK(errno == EFAULT);
  CHECK(check::take_findings().empty());
  close(ends[0]);
  close(ends[1]);
  auto* const file = std::tmpfile();
  REQUIRE(file);
  CHECK(std::fwrite(data.data(), 1, 4, file) == 4);
  std::fclose(file);
  auto const found = check::take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == check::kind::host_access);
}
