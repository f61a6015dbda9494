// The runner of every test program.
//
//   test_memory --backend cuda     only the instances of that backend (as does DOLMEN_TEST_BACKEND=cuda)
//   test_memory --child NAME       what a test runs in a process of its own (support/child.hpp)
//   test_memory ...                doctest's own options
//
// Exit status 77 says that the backend has no device here: ctest reports that as skipped, never as passed. A run that
// matches no test is a failure.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include <doctest/doctest.h>

#include <dolmen/core/error.hpp>
#include <dolmen/dolmen.hpp>

#include "support/child.hpp"

namespace {

constexpr int skipped = 77;
unsigned tests_run = 0;

// Counts what the filters let through, which doctest's exit status does not tell.
struct counter : doctest::IReporter {
  explicit counter(doctest::ContextOptions const&) {}
  void report_query(doctest::QueryData const&) override {}
  void test_run_start() override {}
  void test_run_end(doctest::TestRunStats const& stats) override { tests_run = stats.numTestCasesPassingFilters; }
  void test_case_start(doctest::TestCaseData const&) override {}
  void test_case_reenter(doctest::TestCaseData const&) override {}
  void test_case_end(doctest::CurrentTestCaseStats const&) override {}
  void test_case_exception(doctest::TestCaseException const&) override {}
  void subcase_start(doctest::SubcaseSignature const&) override {}
  void subcase_end() override {}
  void log_assert(doctest::AssertData const&) override {}
  void log_message(doctest::MessageData const&) override {}
  void test_case_skipped(doctest::TestCaseData const&) override {}
};

// Why the backend cannot run here; empty if it can.
std::string unavailable(std::string const& backend) {
#if DOLMEN_HAS_CPU
  if (backend == "cpu") return dolmen::cpu::device::count() > 0 ? "" : "no device";
#endif
#if DOLMEN_HAS_CUDA
  if (backend == "cuda") {
    if (dolmen::cuda::device::count() > 0) return "";
    try {
      dolmen::cuda::device first(0);
    } catch (dolmen::backend_unavailable const& e) {
      return e.what();
    }
    return "no device";
  }
#endif
  if (backend == "check" && DOLMEN_HAS_CHECK) return "";
  std::cerr << "this build has no backend '" << backend << "'\n";
  std::exit(1);
}

std::string argument(int argc, char** argv, char const* option) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], option) == 0) return argv[i + 1];
  return "";
}

}  // namespace

REGISTER_LISTENER("counter", 1, counter);

int main(int argc, char** argv) {
  if (auto const child = argument(argc, argv, "--child"); !child.empty()) return testing::be_child(child);
  std::string backend = argument(argc, argv, "--backend");
  if (char const* set = std::getenv("DOLMEN_TEST_BACKEND"); backend.empty() && set) backend = set;

#if DOLMEN_HAS_CHECK
  dolmen::check::set_listener([](dolmen::check::finding const& f) { ADD_FAIL_CHECK_AT(f.first.file.c_str(), f.first.line, f.text); });
#endif

  doctest::Context context(argc, argv);
  if (!backend.empty()) {
    setenv("DOLMEN_TEST_BACKEND", backend.c_str(), 1);  // for children
    if (auto const why = unavailable(backend); !why.empty()) {
      std::cout << "skipped: the backend " << backend << " cannot run here: " << why << '\n';
      return skipped;
    }
    context.addFilter("test-case", dolmen::detail::text("*<", backend, ">*").c_str());
  }
  int const status = context.run();
  if (context.shouldExit()) return status;
  if (status == 0 && tests_run == 0) {
    std::cerr << "no test matched\n";
    return 1;
  }
  return status;
}
