// Tests in a process of their own: what exits, what reads the environment once, what would spoil the process.
//
//   DOLMEN_TEST_CHILD(leaves_by_exit) { std::exit(0); }
//   auto const r = testing::run_child("leaves_by_exit", {{"OMP_NUM_THREADS", "3"}});
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <dolmen/default_backend.hpp>

extern char** environ;

namespace testing {

struct child {
  char const* name;
  void (*body)();
  child const* next;
  static inline child const* all = nullptr;
  child(char const* name, void (*body)()) : name(name), body(body), next(all) { all = this; }
};

#define DOLMEN_TEST_CHILD(name)                                                \
  static void child_##name();                                                  \
  static ::testing::child const registered_child_##name(#name, &child_##name); \
  static void child_##name()

/// Runs a child's body in this process. An exception is its text and status 1.
inline int be_child(std::string const& name) {
  for (auto* c = child::all; c; c = c->next)
    if (name == c->name) {
      try {
        c->body();
        return 0;
      } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
        return 1;
      }
    }
  std::cerr << "no child '" << name << "'\n";
  return 2;
}

struct child_result {
  int status;          // exit status, or 128 + signal
  std::string output;  // stdout and stderr
};

using environment = std::vector<std::pair<std::string, std::string>>;

#if defined(__SANITIZE_THREAD__)
#define DOLMEN_TEST_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DOLMEN_TEST_THREAD_SANITIZER 1
#endif
#endif
/// ThreadSanitizer ends a process that starts threads after it was forked by one with several.
#if defined(DOLMEN_TEST_THREAD_SANITIZER)
inline constexpr bool forked_can_start_threads = false;
#else
inline constexpr bool forked_can_start_threads = true;
#endif

/// For a child that forks: LeakSanitizer calls leaks what the threads of the parent alone knew, which the fork does not have.
inline environment of_forks(environment variables) {
  variables.emplace_back("ASAN_OPTIONS", "detect_leaks=0");
  return variables;
}

/// Runs this program again as the child, with these variables in its environment.
inline child_result run_child(std::string const& name, environment const& variables = {}) {
  std::vector<std::string> lines;
  for (char** e = environ; *e; ++e) {
    bool replaced = false;
    for (auto const& [key, value] : variables) replaced = replaced || std::string(*e).rfind(key + "=", 0) == 0;
    if (!replaced) lines.emplace_back(*e);
  }
  for (auto const& [key, value] : variables) lines.push_back(key + "=" + value);
  std::vector<char*> env;
  for (auto& l : lines) env.push_back(l.data());
  env.push_back(nullptr);

  std::string self(4096, '\0'), option = "--child", argument = name;
  self.resize(std::size_t(std::max<ssize_t>(readlink("/proc/self/exe", self.data(), self.size()), 0)));
  char* arguments[] = {self.data(), option.data(), argument.data(), nullptr};

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {-1, "no pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  pid_t pid = 0;
  int const failed = posix_spawn(&pid, self.c_str(), &actions, nullptr, arguments, env.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child_result result{-1, ""};
  char block[4096];
  for (ssize_t n; !failed && (n = read(ends[0], block, sizeof block)) > 0;) result.output.append(block, std::size_t(n));
  close(ends[0]);
  int status = 0;
  if (!failed && waitpid(pid, &status, 0) == pid) result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// In a child: the name of the backend under test.
inline std::string backend_under_test() {
  char const* name = std::getenv("DOLMEN_TEST_BACKEND");
  return name ? name : "cpu";
}

}  // namespace testing

/// In a child: calls body.template operator()<B>() for the backend under test.
#if DOLMEN_HAS_CHECK
#define DOLMEN_TEST_IN_CHILD(function) function<dolmen::check::backend>()
#elif DOLMEN_HAS_CPU && DOLMEN_HAS_CUDA
#define DOLMEN_TEST_IN_CHILD(function) \
  (testing::backend_under_test() == "cuda" ? function<dolmen::cuda::backend>() : function<dolmen::cpu::backend>())
#elif DOLMEN_HAS_CUDA
#define DOLMEN_TEST_IN_CHILD(function) function<dolmen::cuda::backend>()
#else
#define DOLMEN_TEST_IN_CHILD(function) function<dolmen::cpu::backend>()
#endif
