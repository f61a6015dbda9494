// What the environment says to OpenMP and Kokkos: the results are right, or one error names the variable.
#include "../backends.hpp"

#include <cstdlib>

#include "../support/child.hpp"
#include "../support/data.hpp"

using namespace dolmen;
using testing::environment;

#if defined(__clang__)  // its OpenMP library ends in an assertion of its own for a number of this size
constexpr char const* most_threads = "4000";
#else
constexpr char const* most_threads = "2147483647";
#endif

namespace test_environment {

// Each is long enough for several threads.
template <class B>
bool right_results() {
  typename B::stream const s;
  index_t const n = 100003;
  auto const values = testing::whole_values<float>(n, 5);
  double expected = 0;
  for (float v : values) expected += double(v);
  auto const in = upload(s, values);
  buffer<float, B> out(s, n);
  fill(s, out, testing::quiet_nan<float>);
  copy(s, in, out);
  if (sum<double>(s, out) != expected || download(s, out) != values) return false;
  view<float> const v = out;
  for_each_index(
      s, n, DOLMEN_LAMBDA(index_t i) { v(i) += float(i % 3); });
  for (index_t i = 0; i < n; ++i) expected += double(i % 3);
  if (sum<double>(s, out) != expected) return false;
  fill(s, out, 1.0f);
  inclusive_scan(s, out, out);
  auto const counted = download(s, out);
  for (index_t i = 0; i < n; ++i)
    if (counted[std::size_t(i)] != float(i + 1)) return false;
  return true;
}

template <class B>
void works() {
  for (int i = 0; i < 2; ++i)
    if (!right_results<B>()) std::_Exit(3);
}

// The program changes its environment before the first use, and after it.
template <class B>
void changes_it() {
  char const* const names[] = {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "KOKKOS_DEVICE_ID"};
  for (char const* value : {"0", "3", "text", "-2"}) {
    for (char const* name : names) setenv(name, value, 1);
    works<B>();
  }
  for (char const* name : names) unsetenv(name);
  works<B>();
}

bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

// OpenMP itself may say what it thinks of a value; Dolmen and Kokkos say nothing.
bool quiet(std::string const& output) { return !contains(output, "olmen") && !contains(output, "okkos"); }

}  // namespace test_environment

DOLMEN_TEST_CHILD(works_in_its_environment) { DOLMEN_TEST_IN_CHILD(test_environment::works); }
DOLMEN_TEST_CHILD(changes_its_environment) { DOLMEN_TEST_IN_CHILD(test_environment::changes_it); }

TEST_CASE_TEMPLATE("environment: whatever OpenMP's and Kokkos' variables hold, the results are right", B, DOLMEN_TEST_BACKENDS) {
  for (environment const& variables : {environment{{"KOKKOS_NUM_THREADS", "0"}},
                                       {{"KOKKOS_NUM_THREADS", "-1"}},
                                       {{"KOKKOS_NUM_THREADS", "many"}},
                                       {{"KOKKOS_NUM_THREADS", ""}},
                                       {{"KOKKOS_NUM_THREADS", "64"}},
                                       {{"KOKKOS_NUM_THREADS", "600"}},
                                       {{"KOKKOS_NUM_THREADS", "99999999999999"}},
                                       {{"KOKKOS_NUM_THREADS", "4"}, {"OMP_NUM_THREADS", "2"}},
                                       {{"KOKKOS_NUM_THREADS", "4"}, {"OMP_NUM_THREADS", "600"}},
                                       {{"OMP_NUM_THREADS", "600"}},
                                       {{"OMP_NUM_THREADS", "100000"}},
                                       {{"OMP_NUM_THREADS", most_threads}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_THREAD_LIMIT", "2"}},
                                       {{"KOKKOS_NUM_THREADS", "4"}, {"OMP_THREAD_LIMIT", "2"}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_THREAD_LIMIT", "0"}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_DYNAMIC", "true"}},
                                       {{"KOKKOS_NUM_THREADS", "8"}, {"OMP_DYNAMIC", "true"}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_MAX_ACTIVE_LEVELS", "0"}},
                                       {{"KOKKOS_NUM_THREADS", "4"}, {"OMP_MAX_ACTIVE_LEVELS", "0"}},
                                       {{"OMP_NUM_THREADS", "3"}, {"OMP_PROC_BIND", "spread"}},
                                       {{"OMP_NUM_THREADS", "3"}, {"OMP_PROC_BIND", "sideways"}},
                                       {{"OMP_NUM_THREADS", "3"}, {"OMP_PLACES", "{0}"}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_STACKSIZE", "lots"}},
                                       {{"OMP_NUM_THREADS", "4"}, {"OMP_STACKSIZE", "256k"}},
                                       {{"KOKKOS_NUMA", "text"}},
                                       {{"KOKKOS_DEVICE_ID", "-1"}},
                                       {{"KOKKOS_RAND_DEVICES", "text"}},
                                       {{"KOKKOS_NUM_DEVICES", "1"}, {"KOKKOS_RAND_DEVICES", "1"}},
                                       {{"KOKKOS_DISABLE_WARNINGS", "text"}},
                                       {{"KOKKOS_TUNE_INTERNALS", "text"}},
                                       {{"KOKKOS_PROFILE_LIBRARY", "/none.so"}, {"KOKKOS_TOOLS_LIBS", "/none.so"}}}) {
    std::string text;
    for (auto const& [name, value] : variables) text += name + "=" + value + " ";
    CAPTURE(text);
    auto const r = testing::run_child("works_in_its_environment", variables);
    CAPTURE(r.output);
    CHECK(r.status == 0);
    CHECK(test_environment::quiet(r.output));
  }
}

TEST_CASE_TEMPLATE("environment: changed by the program itself", B, DOLMEN_TEST_BACKENDS) {
  for (std::string const threads : {"1", "4"}) {
    auto const r = testing::run_child("changes_its_environment", {{"OMP_NUM_THREADS", threads}});
    CAPTURE(r.output);
    CHECK(r.status == 0);
  }
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("environment: threads that OpenMP could not make, or could not use", B, DOLMEN_TEST_BACKENDS) {
  if (std::string(B::name) != "cpu") return;
  for (auto const& setting : {std::pair("20k", "20480 bytes"), std::pair("200000G", "the system gives this process")}) {
    std::string const value = setting.first, part = setting.second;
    CAPTURE(value);
    auto const r = testing::run_child("works_in_its_environment", {{"OMP_STACKSIZE", value}, {"OMP_NUM_THREADS", "3"}});
    CAPTURE(r.output);
    CHECK(r.status == 1);
    CHECK(test_environment::contains(r.output, std::string("OMP_STACKSIZE=") + value));
    CHECK(test_environment::contains(r.output, part));
  }
}
#endif
