// A machine without a GPU: a program with the CUDA backend starts, counts none, and says why when asked for one.
#include "../backends.hpp"

#include "../support/child.hpp"
#include "../support/errors.hpp"

using namespace dolmen;

namespace {

// Runs where no GPU is visible.
void without_a_gpu() {
  auto const require = [](bool condition, char const* what) {
    if (!condition) {
      std::cerr << what << '\n';
      std::_Exit(3);
    }
  };
  require(cuda::device::count() == 0, "count is not 0");
  for (int i = 0; i < 2; ++i) {
    auto const said = testing::complaint<backend_unavailable>({"cuda", "no GPU can be used here"}, [] { cuda::stream s; });
    require(said.empty(), said.c_str());
  }
  require(testing::complaint<backend_unavailable>({"no GPU"}, [] { cuda::device d(0); }).empty(), "device");
  require(testing::complaint<backend_unavailable>({"no GPU"}, [] { pinned_buffer<int, cuda::backend> p(10); }).empty(), "pinned_buffer");
  // Handles that own nothing need no GPU.
  buffer<float, cuda::backend> nothing;
  cuda::event never;
  require(nothing.empty(), "a buffer of nothing");
#if DOLMEN_HAS_CPU
  // The CPU works on.
  cpu::stream s;
  buffer<int, cpu::backend> b(s, 1000);
  fill(s, b, 2);
  require(sum(s, b) == 2000, "the CPU");
#endif
}

}  // namespace

DOLMEN_TEST_CHILD(sees_no_gpu) { without_a_gpu(); }

TEST_CASE("absence: no GPU is visible") {
  auto const r = testing::run_child("sees_no_gpu", {{"CUDA_VISIBLE_DEVICES", ""}});
  CHECK(r.output == "");
  CHECK(r.status == 0);
}

TEST_CASE("absence: as this machine is") {
  if (cuda::device::count() == 0)
    without_a_gpu();
  else
    CHECK(cuda::device(0).properties().processors > 0);
}
