// After a device fault every call says that an earlier one failed; the process ends cleanly all the same.
#include "../backends.hpp"

#include <iostream>

#include "../support/child.hpp"
#include "../support/errors.hpp"
#include "raw.cuh"

using namespace dolmen;
using B = cuda::backend;

namespace test_faults {

struct faults {
  using shape = block_shape<32>;
  view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { out(t.rank) = 1; });
  }
};

std::string after_the_fault(void (*call)(cuda::stream const&, buffer<float, B>&), cuda::stream const& s, buffer<float, B>& b) {
  return testing::complaint<device_error>({"earlier", "failed"}, [&] { call(s, b); });
}

}  // namespace test_faults

DOLMEN_TEST_CHILD(loses_the_device) {
  using namespace test_faults;
  cuda::stream s;
  buffer<float, B> b(s, 1000);
  launch(s, grid(1), faults{view<float>(reinterpret_cast<float*>(64), 32)});
  int failed = 0;
  auto const say = [&](char const* what, std::string const& wrong) {
    if (!wrong.empty()) std::cout << what << ": " << wrong << '\n', ++failed;
  };
  say("synchronize", testing::complaint<device_error>({"illegal"}, [&] { s.synchronize(); }));
  for (int i = 0; i < 2; ++i) {
    say("synchronize", after_the_fault([](cuda::stream const& t, auto&) { t.synchronize(); }, s, b));
    say("fill", after_the_fault([](cuda::stream const& t, auto& x) { fill(t, x, 1.0f); }, s, b));
    say("sum", after_the_fault([](cuda::stream const& t, auto& x) { (void)sum(t, x); }, s, b));
    say("launch", after_the_fault([](cuda::stream const& t, auto& x) { launch(t, grid(1), faults{x}); }, s, b));
    say("stream", after_the_fault([](cuda::stream const&, auto&) { cuda::stream another; }, s, b));
  }
  if (failed) std::exit(3);
  std::cout << "all calls say so\n";
  // Buffers and streams are freed now, and nothing is thrown.
}

DOLMEN_TEST_CHILD(loses_the_device_synchronously) {
  cuda::stream s;
  auto const wrong = testing::complaint<device_error>(
      {"test_faults::faults", "illegal"}, [&] { launch(s, grid(1), test_faults::faults{view<float>(reinterpret_cast<float*>(64), 32)}); });
  std::cout << wrong;
}

TEST_CASE_TEMPLATE("faults: every later call says that an earlier one failed", T, B) {
  auto const r = testing::run_child("loses_the_device");
  CHECK(r.output == "all calls say so\n");
  CHECK(r.status == 0);
}

TEST_CASE_TEMPLATE("faults: DOLMEN_SYNC=1 names the launch", T, B) {
  auto const r = testing::run_child("loses_the_device_synchronously", {{"DOLMEN_SYNC", "1"}});
  CHECK(r.output == "");
  CHECK(r.status == 0);
}
