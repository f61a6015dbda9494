// Many operations of the block behind each other, with warps that arrive at different times: what one of them leaves in
// shared memory must not meet the next one's.
#include <algorithm>

#include "checks.hpp"

namespace test_warps {

/// A number that takes some warps longer than others.
DOLMEN_FN inline std::uint32_t worked_for(int round, int rank) {
  std::uint32_t x = std::uint32_t(round * 7919 + rank);
  int const steps = (rank / 32 * 7 + round) % 5 == 0 ? 60 : 2;
  for (int i = 0; i < steps; ++i) x = x * 1664525u + 1013904223u;
  return x >> 3;
}

template <class Shape>
struct many_rounds {
  using shape = Shape;
  struct shared {
    tile<std::uint32_t, Shape::size> data;
  };
  int rounds;
  view<std::uint32_t> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    constexpr int size = Shape::size;
    auto v = block.per_thread(0u), sum = block.per_thread(0u);
    auto wide = block.per_thread(array<std::uint32_t, 5>{});
    for (int round = 0; round < rounds; ++round) {
      block.each_thread([&](thread t) {
        v[t] = worked_for(round, t.rank);
        mem.data(t.rank) = v[t] + 1;
      });
      // Each of these is a barrier: the phases between them read what other threads wrote.
      std::uint32_t const all = block.reduce(v);
      block.each_thread([&](thread t) { sum[t] = sum[t] * 31 + all + mem.data.load((t.rank + round) % size); });
      std::uint32_t const one = block.uniform(v, round % size);
      block.each_thread([&](thread t) { mem.data(t.rank) = v[t] + 2; });
      auto const upto = block.inclusive_scan(v, maximum{});
      block.each_thread([&](thread t) { sum[t] = sum[t] * 31 + upto[t] + mem.data.load((t.rank * 3 + round) % size); });
      if (round % 3 == 0) {  // the pieces of shared memory change their turns, and there are more of them
        block.each_thread([&](thread t) { wide[t] = array<std::uint32_t, 5>{{v[t], 1, 2, 3, v[t]}}; });
        auto const sums = block.reduce(wide, add_elements<std::uint32_t, 5>{});
        block.each_thread([&](thread t) { sum[t] += sums[0] ^ sums[3]; });
      }
      block.sync();  // what was written two phases ago has been read
      block.each_thread([&](thread t) { mem.data(t.rank) = v[t] + 3; });
      std::uint32_t total = 0;
      auto const before = block.exclusive_scan(v, one, plus{}, total);
      block.each_thread([&](thread t) { sum[t] = sum[t] * 31 + before[t] + total + mem.data.load((t.rank * 5 + round) % size); });
      block.each_thread([&](thread t) { v[t] = v[t] % 64 == 0; });
      int const count = block.count(v);
      std::uint32_t const first = block.broadcast(sum, size - 1);
      block.each_thread([&](thread t) { sum[t] = sum[t] * 31 + std::uint32_t(count) + first; });
    }
    block.each_thread([&](thread t) { out(block.first_index() + t.rank) = sum[t]; });
  }
};

template <int Size>
std::vector<std::uint32_t> expected_of_rounds(int rounds) {
  constexpr std::uint32_t n = Size;
  std::vector<std::uint32_t> v(n), sum(n);
  for (int round = 0; round < rounds; ++round) {
    auto const r = std::uint32_t(round);
    std::uint32_t all = 0, most = 0, count = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      v[i] = worked_for(round, int(i));
      all += v[i];
      count += v[i] % 64 == 0;
    }
    std::uint32_t const one = v[r % n];
    for (std::uint32_t i = 0; i < n; ++i) {
      most = std::max(most, v[i]);
      sum[i] = (sum[i] * 31 + all + v[(i + r) % n] + 1) * 31 + most + v[(i * 3 + r) % n] + 2;
      if (round % 3 == 0) sum[i] += all ^ (3 * n);
    }
    std::uint32_t before = one;
    for (std::uint32_t i = 0; i < n; ++i) {
      sum[i] = sum[i] * 31 + before + (one + all) + v[(i * 5 + r) % n] + 3;
      before += v[i];
    }
    std::uint32_t const last = sum[n - 1];
    for (auto& x : sum) x = x * 31 + count + last;
  }
  return sum;
}

template <class B, int Size>
void check_rounds(typename B::stream const& s) {
  CAPTURE(Size);
  int const rounds = int(testing::size_of(1000, 60));
  constexpr int many = 4;
  guarded<std::uint32_t, B> out(s, many * Size);
  launch(s, grid(many), many_rounds<block_shape<Size>>{rounds, out.view()});
  auto const seen = out.values();
  auto const expected = expected_of_rounds<Size>(rounds);
  for (int b = 0; b < many; ++b) CHECK(same(part(seen, 0, 0, b * Size, Size), expected));
  CHECK(out.intact());
}

}  // namespace test_warps

TEST_CASE_TEMPLATE("block: a thousand rounds of operations", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_warps::check_rounds<B, 20>(s);
  test_warps::check_rounds<B, 32>(s);
  test_warps::check_rounds<B, 96>(s);
  test_warps::check_rounds<B, 256>(s);
  test_warps::check_rounds<B, 1000>(s);
}
