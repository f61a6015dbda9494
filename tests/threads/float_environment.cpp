// Workers compute in the caller's floating-point environment, whatever they had before.
#include "../backends.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <thread>

#include "../support/data.hpp"

using namespace dolmen;

namespace test_float_environment {

class rounding {
 public:
  explicit rounding(int mode) { std::fesetround(mode); }
  rounding(rounding const&) = delete;
  ~rounding() { std::fesetround(before_); }

 private:
  int const before_ = std::fegetround();
};

struct thirds {
  using shape = block_shape<64>;
  view<double> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(out.size() - first, [&](thread t) { out(first + t.rank) = 1.0 / double(3 + (first + t.rank) % 2 * 4); });
  }
};

/// One where all threads compute as the caller does.
template <class B>
bool all_as(double third, double seventh) {
  typename B::stream const s;
  index_t const n = 64 * 300;
  buffer<double, B> out(s, n);
  auto const right = [&](std::vector<double> const& values) {
    for (index_t i = 0; i < n; ++i)
      if (values[std::size_t(i)] != (i % 2 ? seventh : third)) return false;
    return true;
  };
  launch(s, grid(n / 64), thirds{out});
  if (!right(download(s, out))) return false;
  view<double> const v = out;
  for_each_index(
      s, n, DOLMEN_LAMBDA(index_t i) { v(i) = 1.0 / double(3 + i % 2 * 4); });
  return right(download(s, out));
}

#if defined(__x86_64__)
// Flush-to-zero and denormals-are-zero.
class flushing {
 public:
  flushing() { __builtin_ia32_ldmxcsr(before_ | 0x8040); }
  flushing(flushing const&) = delete;
  ~flushing() { __builtin_ia32_ldmxcsr(before_); }

 private:
  unsigned const before_ = __builtin_ia32_stmxcsr();
};
#endif

template <class B>
std::vector<float> halves_of(std::vector<float> const& values) {
  typename B::stream const s;
  auto const in = upload(s, values);
  buffer<float, B> out(s, index_t(values.size()));
  transform(
      s, in, out, DOLMEN_LAMBDA(float x) { return x * 0.5f; });
  return download(s, out);
}

}  // namespace test_float_environment

using namespace test_float_environment;

#if !DOLMEN_HAS_CUDA  // a GPU has no such state
TEST_CASE_TEMPLATE("floating-point environment: every thread rounds as the caller does", B, DOLMEN_TEST_BACKENDS) {
  REQUIRE(all_as<B>(1.0 / 3, 1.0 / 7));  // threads are made
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    CAPTURE(mode);
    double volatile one = 1, three = 3, seven = 7;
    double third = 0, seventh = 0;
    bool right = false;
    {
      rounding const r(mode);
      third = one / three;
      seventh = one / seven;
      right = all_as<B>(third, seventh);
      CHECK(std::fegetround() == mode);
    }
    CHECK(right);
    CHECK(third == (mode == FE_UPWARD ? std::nextafter(1.0 / 3, 1.0) : 1.0 / 3));
    CHECK(all_as<B>(1.0 / 3, 1.0 / 7));  // nothing of it stays
  }
}

#if defined(__x86_64__)
TEST_CASE_TEMPLATE("floating-point environment: subnormals are flushed on all threads or on none", B, DOLMEN_TEST_BACKENDS) {
  std::size_t const n = 60001;
  float const smallest = std::numeric_limits<float>::min();
  std::vector<float> const values(n, smallest);
  auto const kept = std::vector<float>(n, smallest / 2), flushed = std::vector<float>(n, 0.0f);
  REQUIRE(halves_of<B>(values) == kept);
  bool zeros = false;
  {
    flushing const f;
    auto const halves = halves_of<B>(values);
    zeros = std::all_of(halves.begin(), halves.end(), [](float const& x) { return std::bit_cast<std::uint32_t>(x) == 0; });
  }
  CHECK(zeros);
  CHECK(halves_of<B>(values) == kept);
  // Sums of subnormal numbers.
  typename B::stream const s;
  auto const small = upload(s, kept);
  CHECK(sum<double>(s, small) == double(n) * double(smallest) / 2);
  float total = 1;
  {
    flushing const f;
    total = sum<float>(s, small);
  }
  CHECK(total == 0);
}
#endif

TEST_CASE_TEMPLATE("floating-point environment: each host thread has its own", B, DOLMEN_TEST_BACKENDS) {
  REQUIRE(all_as<B>(1.0 / 3, 1.0 / 7));
  bool up = false, nearest = false;
  std::thread upward([&] {
    std::fesetround(FE_UPWARD);
    double volatile one = 1, three = 3, seven = 7;
    double const third = one / three, seventh = one / seven;
    up = true;
    for (int i = 0; i < 10; ++i) up = up && all_as<B>(third, seventh);
  });
  nearest = true;
  for (int i = 0; i < 10; ++i) nearest = nearest && all_as<B>(1.0 / 3, 1.0 / 7);
  upward.join();
  CHECK(up);
  CHECK(nearest);
}
#endif
