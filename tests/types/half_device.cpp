// half and bfloat16 in kernels: bit for bit what the host makes of the same numbers.
#include "../backends.hpp"

#include "half_reference.hpp"

using namespace dolmen;

namespace test_half_device {

template <class H>
struct widen {
  view<std::uint16_t const> bits;
  view<std::uint32_t> wide;
  DOLMEN_FN void operator()(index_t i) const { wide(i) = __builtin_bit_cast(std::uint32_t, float(H::from_bits(bits(i)))); }
};

template <class H, class N>
struct narrow {
  view<N const> numbers;
  view<H> out;
  DOLMEN_FN void operator()(index_t i) const { out(i) = H(numbers(i)); }
};

/// Every operation on two numbers and the compound forms; the results of element i begin at 6 * i.
template <class H>
struct compute {
  view<H const> a, b;
  view<H> out;
  static DOLMEN_FN void results(H a, H b, H* r) {
    r[0] = a + b;
    r[1] = a - b;
    r[2] = a * b;
    r[3] = a / b;
    r[4] = -a;
    r[4] *= 0.75f;
    r[5] = dolmen::max(a, b);
    r[5] += 1.0 / 3;
  }
  DOLMEN_FN void operator()(index_t i) const {
    H r[6];
    results(a(i), b(i), r);
    for (int k = 0; k < 6; ++k) out(6 * i + k) = r[k];
  }
};

/// Rows of halves through shared memory, added in float.
template <class H>
struct row_sums {
  using shape = block_shape<64>;
  struct shared {
    tile<H, 64> row;
  };
  view<H const, 2> in;
  view<H> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    index_t const y = block.index.x;
    block.each_thread([&](thread t) { mem.row(t.rank) = in(y, t.rank); });
    block.sync();
    block.each_thread(1, [&](thread) {
      float sum = 0;
      for (int i = 0; i < 64; ++i) sum += mem.row(i);
      out(y) = H(sum);
    });
  }
};

template <class B, class H, class N>
void check_narrow(std::vector<N> const& numbers) {
  typename B::stream s;
  buffer<N, B> in(s, index_t(numbers.size()));
  buffer<H, B> out(s, index_t(numbers.size()));
  copy(s, numbers, in);
  for_each_index(s, index_t(numbers.size()), narrow<H, N>{in.view(), out.view()});
  auto const seen = download(s, out);
  for (std::size_t i = 0; i < numbers.size(); ++i) REQUIRE(seen[i].bits() == H(numbers[i]).bits());
}

template <class B, class H>
void check_type() {
  typename B::stream s;
  std::vector<std::uint16_t> patterns(0x10000);
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = std::uint16_t(i);
  index_t const n = index_t(patterns.size());
  {
    buffer<std::uint16_t, B> in(s, n);
    buffer<std::uint32_t, B> wide(s, n);
    copy(s, patterns, in);
    for_each_index(s, n, widen<H>{in.view(), wide.view()});
    auto const seen = download(s, wide);
    for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == __builtin_bit_cast(std::uint32_t, float(H::from_bits(patterns[i]))));
  }
  // NaNs of all kinds, too.
  auto floats = testing::near_midpoints<H, float>();
  for (std::uint32_t const bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu})
    floats.push_back(__builtin_bit_cast(float, bits));
  check_narrow<B, H>(floats);
  auto doubles = testing::near_midpoints<H, double>();
  for (std::uint64_t const bits : {0x7ff0000000000001u, 0x7ff8000000000000u, 0xffffffffffffffffu})
    doubles.push_back(__builtin_bit_cast(double, bits));
  check_narrow<B, H>(doubles);
  std::vector<std::int64_t> integers;
  for (int top = 12; top < 63; ++top)
    for (std::int64_t fraction = 0; fraction < 4096; fraction += 32)
      for (int next = -1; next <= 1; ++next) integers.push_back((top % 2 ? 1 : -1) * (((4096 + fraction) << (top - 12)) + next));
  check_narrow<B, H>(integers);

  std::vector<H> a, b;
  for (int i = 0; i < 0x10000; ++i) {
    a.push_back(H::from_bits(std::uint16_t(i)));
    b.push_back(H::from_bits(std::uint16_t(i * 40503 + 1)));
  }
  buffer<H, B> da(s, n), db(s, n), out(s, 6 * n);
  copy(s, a, da);
  copy(s, b, db);
  for_each_index(s, n, compute<H>{da.view(), db.view(), out.view()});
  auto const seen = download(s, out);
  for (std::size_t i = 0; i < a.size(); ++i) {
    H expected[6];
    compute<H>::results(a[i], b[i], expected);
    for (std::size_t k = 0; k < 6; ++k) REQUIRE(seen[6 * i + k].bits() == expected[k].bits());
  }

  buffer<H, B> rows(s, 16 * 64), sums(s, 16);
  std::vector<H> numbers;
  for (int i = 0; i < 16 * 64; ++i) numbers.push_back(H(i % 13 - 6));
  copy(s, numbers, rows);
  launch(s, grid(16), row_sums<H>{view<H const, 2>{rows.data(), {{16, 64}}}, sums.view()});
  auto const added = download(s, sums);
  for (int y = 0; y < 16; ++y) {
    int sum = 0;
    for (int x = 0; x < 64; ++x) sum += (64 * y + x) % 13 - 6;
    REQUIRE(added[std::size_t(y)] == float(H(sum)));
  }
}

}  // namespace test_half_device

TEST_CASE_TEMPLATE("half in kernels: the host's bits", B, DOLMEN_TEST_BACKENDS) { test_half_device::check_type<B, half>(); }
TEST_CASE_TEMPLATE("bfloat16 in kernels: the host's bits", B, DOLMEN_TEST_BACKENDS) { test_half_device::check_type<B, bfloat16>(); }
