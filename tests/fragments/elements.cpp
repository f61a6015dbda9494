// fill and each_element, and arrays of fragments.
#include "../backends.hpp"

#include <dolmen/core/fragment.hpp>

#include "../support/guarded.hpp"
#include "product.hpp"

namespace test_fragments {

/// out(0) = each element of C by bodies of one and two fragments; out(1) = A' I, where A' comes from fill and bodies alone.
template <class T>
struct elementwise {
  using shape = block_shape<32>;
  using a_spec = matrix_a<T>;
  using b_spec = matrix_b<T>;
  using c_spec = accumulator<T>;
  using stored = typename a_spec::value_type;
  using sum = typename c_spec::value_type;
  static constexpr int rows = c_spec::rows, columns = c_spec::columns;

  view<sum const, 2> c;
  view<stored const, 2> a, identity;
  view<sum, 2> first, second;

  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, c_spec> x, y;
      warp.load(x, c, 0, 0);
      warp.fill(y, sum(3));
      warp.each_element(y, [](sum& v) { v = v + 4; });                // 7
      warp.each_element(x, [](sum& v) { v = 2 * v + 1; });            // 2 c + 1
      warp.each_element(x, y, [](sum& v, sum w) { v = v - 3 * w; });  // 2 c - 20
      warp.store(first, 0, 0, x);

      fragment<Block, a_spec> left, other;
      fragment<Block, b_spec> right;
      warp.load(left, a, 0, 0);
      warp.fill(other, stored(1));
      warp.each_element(other, [](stored& v) { v = static_cast<stored>(v + v); });                      // 2
      warp.each_element(left, other, [](stored& v, stored w) { v = static_cast<stored>(v * w + w); });  // 2 a + 2
      warp.load(right, identity, 0, 0);
      warp.fill(y, sum(5));
      warp.mma(y, left, right);
      warp.store(second, 0, 0, y);  // 2 a + 7, and 5 where the identity has no column
    });
  }
};

template <class B, class T>
void check_elementwise() {
  using kernel = elementwise<T>;
  using stored = typename kernel::stored;
  using sum = typename kernel::sum;
  constexpr int rows = kernel::rows, columns = kernel::columns, depth = kernel::a_spec::columns;
  typename B::stream s;
  std::vector<stored> a(rows * depth), identity(depth * columns);
  std::vector<sum> c(rows * columns), first(c.size()), second(c.size());
  for (int i = 0; i < rows * depth; ++i) a[std::size_t(i)] = static_cast<stored>(i % 50);
  for (int i = 0; i < depth; ++i)
    for (int j = 0; j < columns; ++j) identity[std::size_t(i * columns + j)] = static_cast<stored>(i == j);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      auto const k = std::size_t(i * columns + j);
      c[k] = sum(int(k) - 100);
      first[k] = 2 * c[k] - 20;
      second[k] = j < depth ? sum(2 * ((i * depth + j) % 50) + 7) : sum(5);
    }
  guarded<stored, B, 2> da(s, {{rows, depth}}, a), di(s, {{depth, columns}}, identity);
  guarded<sum, B, 2> dc(s, {{rows, columns}}, c), d1(s, {{rows, columns}}), d2(s, {{rows, columns}});
  launch(s, grid(1), kernel{dc.const_view(), da.const_view(), di.const_view(), d1.view(), d2.view()});
  CHECK(d1.values() == first);
  CHECK(d2.values() == second);
  CHECK(d1.intact());
  CHECK(d2.intact());
}

/// Two warps, each with four accumulators in an array that lives through many barriers, while the tiles are written anew.
struct many_steps {
  static constexpr int warps = 2, count = 4, steps = 100;
  using shape = block_shape<32 * warps>;
  struct shared {
    tile<half, 16, 24> a;
    tile<half, 16, 24> b[warps];
  };
  view<float, 2> out;  // warps * 16 x count * 16
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sums = block.per_warp(dolmen::array<fragment<Block, accumulator<half>>, count>{});
    for (int step = 0; step < steps; ++step) {
      block.each_index(16, 16, [&](int i, int j) {
        mem.a(i, j) = half(i == j ? 1 : 0);
        for (int w = 0; w < warps; ++w) mem.b[w](i, j) = half((i + 2 * j + step * (w + 1)) % 16);
      });
      block.sync();
      block.each_warp([&](auto& warp) {
        fragment<Block, matrix_a<half>> a;
        fragment<Block, matrix_b<half>> b;
        warp.load(a, mem.a, 0, 0);
        warp.load(b, mem.b[warp.index], 0, 0);
        for (int f = 0; f < count; ++f) {
          if ((step + warp.index) % (f + 1) == 0) warp.mma(sums[warp][f], a, b);  // warps go their own ways
        }
      });
      block.sync();
    }
    block.each_warp([&](auto& warp) {
      for (int f = 0; f < count; ++f) warp.store(out, 16 * warp.index, 16 * f, sums[warp][f]);
    });
  }
};

}  // namespace test_fragments

using namespace test_fragments;

TEST_CASE_TEMPLATE("fragments: fill, and bodies of one and two fragments", B, DOLMEN_TEST_BACKENDS) {
  check_elementwise<B, half>();
  check_elementwise<B, bfloat16>();
  check_elementwise<B, std::int8_t>();
  check_elementwise<B, std::uint8_t>();
  check_elementwise<B, tf32>();
  check_elementwise<B, double>();
}

TEST_CASE_TEMPLATE("fragments: arrays of them live through barriers", B, DOLMEN_TEST_BACKENDS) {
  using kernel = many_steps;
  typename B::stream s;
  guarded<float, B, 2> out(s, {{16 * kernel::warps, 16 * kernel::count}});
  launch(s, grid(1), kernel{out.view()});
  auto const found = out.values();
  int wrong = 0;
  for (int w = 0; w < kernel::warps; ++w)
    for (int f = 0; f < kernel::count; ++f)
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
          int sum = 0;
          for (int step = 0; step < kernel::steps; ++step)
            if ((step + w) % (f + 1) == 0) sum += (i + 2 * j + step * (w + 1)) % 16;
          wrong += found[std::size_t((16 * w + i) * 16 * kernel::count + 16 * f + j)] != float(sum);
        }
  CHECK(wrong == 0);
  CHECK(out.intact());
}
