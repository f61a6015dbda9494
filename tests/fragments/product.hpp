// D = C + A B by fragments, one fragment of D per warp: any layout, leading dimension and origin, from views or by way of
// tiles; against a reference on the host.
#pragma once

#include <cmath>

#include "../backends.hpp"

#include <dolmen/core/fragment.hpp>

#include "../support/data.hpp"
#include "../support/guarded.hpp"

namespace test_fragments {

using namespace dolmen;
using testing::guarded;

/// Where a fragment begins in its matrix.
struct origin {
  index_t row = 0, column = 0;
};

template <class T, class Shape, layout A, layout B, layout C>
struct product {
  static constexpr int warps = 2;
  using shape = block_shape<32 * warps>;
  using a_spec = matrix_a<T, Shape, A>;
  using b_spec = matrix_b<T, Shape, B>;
  using c_spec = accumulator<T, Shape, C>;
  using stored = typename a_spec::value_type;
  using sum = typename c_spec::value_type;

  /// Rows and columns in memory.
  template <class Spec>
  static constexpr int height = Spec::layout == layout::row_major ? Spec::rows : Spec::columns;
  template <class Spec>
  static constexpr int width = Spec::layout == layout::row_major ? Spec::columns : Spec::rows;
  /// Elements of 16 bytes: what origins and leading dimensions are multiples of.
  template <class E>
  static constexpr int unit = 16 / int(sizeof(E));
  template <class E>
  static constexpr int rounded(int n) {
    return (n + unit<E> - 1) / unit<E> * unit<E>;
  }
  template <class Spec, class E>
  using staged = tile<E, 1 + warps * height<Spec>, rounded<E>(width<Spec>) + unit<E>>;

  struct shared {
    staged<a_spec, stored> a;
    staged<b_spec, stored> b;
    staged<c_spec, sum> c;
  };

  view<stored const, 2> a, b;
  view<sum const, 2> c;
  view<sum, 2> d;
  origin at_a, at_b, at_d;  // of the first warp; c begins at (0, 0)
  int steps;
  bool by_tiles, load_c;

  // Each warp has an A one row further down, a B one unit further right, and a C and D of its own below the last one's.
  static DOLMEN_FN origin a_of(origin o, int warp) { return {o.row + warp, o.column}; }
  static DOLMEN_FN origin b_of(origin o, int warp) { return {o.row, o.column + warp * unit<stored>}; }
  static DOLMEN_FN origin c_of(origin o, int warp) { return {o.row + warp * height<c_spec>, o.column}; }
  // The next step's A is further along its columns, B along its rows.
  static DOLMEN_FN origin a_at(origin o, int step) {
    return A == layout::row_major ? origin{o.row, o.column + step * Shape::k} : origin{o.row + step * Shape::k, o.column};
  }
  static DOLMEN_FN origin b_at(origin o, int step) {
    return B == layout::row_major ? origin{o.row + step * Shape::k, o.column} : origin{o.row, o.column + step * Shape::k};
  }

  template <class Spec, class Block, class Tile, class E>
  static DOLMEN_FN void stage(Block& block, Tile& to, view<E const, 2> const& from, origin o, int warp) {
    block.each_index(fixed<height<Spec>, width<Spec>>{},
                     [&](int y, int x) { to(1 + warp * height<Spec> + y, unit<E> + x) = from.load(o.row + y, o.column + x); });
  }

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto sums = block.per_warp(fragment<Block, c_spec>{});
    if (load_c) {
      if (by_tiles) {
        for (int w = 0; w < warps; ++w) stage<c_spec>(block, mem.c, c, c_of({}, w), w);
        block.sync();
      }
      block.each_warp([&](auto& warp) {
        if (by_tiles)
          warp.load(sums[warp], mem.c, 1 + warp.index * height<c_spec>, unit<sum>);
        else
          warp.load(sums[warp], c, c_of({}, warp.index).row, c_of({}, warp.index).column);
      });
      block.sync();
    }
    for (int step = 0; step < steps; ++step) {
      if (by_tiles) {
        for (int w = 0; w < warps; ++w) {
          stage<a_spec>(block, mem.a, a, a_at(a_of(at_a, w), step), w);
          stage<b_spec>(block, mem.b, b, b_at(b_of(at_b, w), step), w);
        }
        block.sync();
      }
      block.each_warp([&](auto& warp) {
        fragment<Block, a_spec> left;
        fragment<Block, b_spec> right;
        if (by_tiles) {
          warp.load(left, mem.a, 1 + warp.index * height<a_spec>, unit<stored>);
          warp.load(right, mem.b, 1 + warp.index * height<b_spec>, unit<stored>);
        } else {
          auto const from_a = a_at(a_of(at_a, warp.index), step), from_b = b_at(b_of(at_b, warp.index), step);
          warp.load(left, a, from_a.row, from_a.column);
          warp.load(right, b, from_b.row, from_b.column);
        }
        warp.mma(sums[warp], left, right);
      });
      block.sync();
    }
    block.each_warp([&](auto& warp) {
      auto const to = c_of(at_d, warp.index);
      if (by_tiles) {
        warp.store(mem.c, 1 + warp.index * height<c_spec>, unit<sum>, sums[warp]);
        warp.sync();
        warp.each_index(fixed<height<c_spec> * width<c_spec>>{}, [&](int i) {
          int const y = i / width<c_spec>, x = i % width<c_spec>;
          d(to.row + y, to.column + x) = mem.c.load(1 + warp.index * height<c_spec> + y, unit<sum> + x);
        });
      } else {
        warp.store(d, to.row, to.column, sums[warp]);
      }
    });
  }
};

/// A host matrix of the kernel's memory layout.
template <class E>
struct matrix {
  index_t rows, columns;
  std::vector<E> values;
  E const& at(index_t i, index_t j) const { return values[std::size_t(i * columns + j)]; }
  E& at(index_t i, index_t j) { return values[std::size_t(i * columns + j)]; }
};

template <layout L, class E>
E const& element(matrix<E> const& m, origin o, index_t i, index_t j) {
  return L == layout::row_major ? m.at(o.row + i, o.column + j) : m.at(o.row + j, o.column + i);
}

/// What a leading dimension and an origin look like: gap behind every row and offset of the view in its memory, both in
/// units of 16 bytes.
struct arrangement {
  origin a, b, d;  // columns in units
  index_t gap, offset;
  int steps;
  bool by_tiles, load_c;
};

/// Runs a product on matrices that `make(n)` fills. compare(c, terms, result): the accumulator's start, the products'
/// factors in order, and what came out, for every element; false where that is wrong.
template <class Backend, class T, class Shape, layout A, layout B, layout C, class Make, class MakeSum, class Compare>
void run_product(arrangement const& how, Make make, MakeSum make_sum, Compare compare) {
  using kernel = product<T, Shape, A, B, C>;
  using stored = typename kernel::stored;
  using sum = typename kernel::sum;
  constexpr int in = kernel::template unit<stored>, out = kernel::template unit<sum>, warps = kernel::warps;
  origin const a0{how.a.row, how.a.column * in}, b0{how.b.row, how.b.column * in}, d0{how.d.row, how.d.column * out};

  constexpr bool a_rows = A == layout::row_major, b_rows = B == layout::row_major;
  index_t const depth = index_t(how.steps) * Shape::k;
  auto const sized = [](index_t rows, index_t columns, auto const& fill) {
    return matrix<typename std::decay_t<decltype(fill(0))>::value_type>{rows, columns, fill(rows * columns)};
  };
  auto const a = sized(a0.row + (a_rows ? Shape::m : depth) + warps - 1,
                       kernel::template rounded<stored>(int(a0.column + (a_rows ? depth : Shape::m))), make);
  auto const b = sized(b0.row + (b_rows ? depth : Shape::n),
                       kernel::template rounded<stored>(int(b0.column + (b_rows ? Shape::n : depth))) + in * (warps - 1), make);
  constexpr int high = kernel::template height<typename kernel::c_spec>, wide = kernel::template width<typename kernel::c_spec>;
  auto const c = sized(warps * high, kernel::template rounded<sum>(wide), make_sum);
  matrix<sum> expected = sized(d0.row + warps * high + 1, kernel::template rounded<sum>(int(d0.column) + wide) + out, make_sum);

  typename Backend::stream s;
  auto const guard = [&](auto const& m, int unit) {
    using E = typename std::decay_t<decltype(m.values)>::value_type;
    return guarded<E, Backend, 2>(s, {{m.rows, m.columns}}, m.values, {how.offset * unit, how.gap * unit});
  };
  auto da = guard(a, in);
  auto db = guard(b, in);
  auto dc = guard(c, out);
  auto dd = guard(expected, out);
  require_fragments_fit(da.const_view(), "a");
  require_fragments_fit(dd.view(), "d");
  launch(s, grid(1), kernel{da.const_view(), db.const_view(), dc.const_view(), dd.view(), a0, b0, d0, how.steps, how.by_tiles, how.load_c});
  matrix<sum> const result{expected.rows, expected.columns, dd.values()};

  int wrong = 0;
  std::vector<std::pair<stored, stored>> factors(static_cast<std::size_t>(depth));
  for (int w = 0; w < warps; ++w)
    for (int i = 0; i < Shape::m; ++i)
      for (int j = 0; j < Shape::n; ++j) {
        auto const to = kernel::c_of(d0, w);
        sum const start = how.load_c ? element<C>(c, kernel::c_of({}, w), i, j) : sum(0);
        for (index_t p = 0; p < depth; ++p)
          factors[std::size_t(p)] = {element<A>(a, kernel::a_of(a0, w), i, p), element<B>(b, kernel::b_of(b0, w), p, j)};
        sum const& found = element<C>(result, to, i, j);
        wrong += !compare(start, factors, found);
        const_cast<sum&>(element<C>(expected, to, i, j)) = found;
      }
  CHECK(wrong == 0);
  CHECK(std::memcmp(expected.values.data(), result.values.data(), sizeof(sum) * result.values.size()) == 0);  // nothing else was written
  CHECK(dd.intact());
}

/// Origins, leading dimensions, depths, ways. The first has everything where it is easiest.
inline std::vector<arrangement> arrangements() {
  return {
      {{0, 0}, {0, 0}, {0, 0}, 0, 0, 1, false, false}, {{0, 0}, {0, 0}, {0, 0}, 0, 0, 1, true, true},
      {{1, 1}, {2, 3}, {3, 1}, 1, 1, 3, false, true},  {{5, 0}, {0, 1}, {0, 2}, 3, 0, 2, true, true},
      {{0, 2}, {7, 0}, {1, 0}, 2, 2, 5, false, false}, {{3, 3}, {1, 1}, {2, 1}, 5, 3, 4, true, false},
      {{0, 0}, {0, 0}, {0, 0}, 1, 0, 0, false, true},
  };
}

/// Small whole numbers (all bytes for integers): equal bit for bit.
template <class Backend, class T, class Shape, layout A, layout B, layout C>
void exact() {
  using kernel = product<T, Shape, A, B, C>;
  using stored = typename kernel::stored;
  using sum = typename kernel::sum;
  std::uint64_t seed = 1;
  for (auto const& how : arrangements()) {
    CAPTURE(seed);
    auto const make = [&](index_t n) {
      if constexpr (std::is_integral_v<stored>) return testing::random_values<stored>(n, ++seed);
      return testing::whole_values<stored>(n, ++seed);
    };
    auto const make_sum = [&](index_t n) {
      if constexpr (std::is_integral_v<stored>) return testing::random_values<sum>(n, ++seed);  // so large that sums wrap
      return testing::whole_values<sum>(n, ++seed);
    };
    run_product<Backend, T, Shape, A, B, C>(how, make, make_sum, [](sum start, auto const& factors, sum found) {
      std::int64_t total = static_cast<std::int64_t>(start);
      for (auto const& [x, y] : factors) total += static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y);
      if constexpr (std::is_integral_v<sum>)
        return found == static_cast<sum>(static_cast<std::uint32_t>(total));
      else
        return found == static_cast<sum>(total);
    });
  }
}

/// 10 bits of fraction, ties away from zero, by arithmetic.
inline double tf32_reference(float x) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent;
  double const fraction = std::frexp(double(x), &exponent);  // 11 significant bits
  return std::ldexp(std::round(std::ldexp(fraction, 11)), exponent - 11);
}

template <class T, class E>
double reference_value(E x) {
  if constexpr (std::is_same_v<T, tf32>)
    return tf32_reference(x);
  else
    return double(x);
}

/// Any numbers: within the bound that core/fragment.hpp states.
template <class Backend, class T, class Shape, layout A, layout B, layout C>
void within_bound() {
  using kernel = product<T, Shape, A, B, C>;
  using stored = typename kernel::stored;
  using sum = typename kernel::sum;
  std::uint64_t seed = 100;
  for (auto how : arrangements()) {
    how.steps *= 4;
    auto const make = [&](index_t n) {
      auto const floats = testing::random_values<double>(n, ++seed);
      std::vector<stored> values(floats.size());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<stored>(floats[i] * (i % 5 == 0 ? 0.01 : 4));
      return values;
    };
    auto const make_sum = [&](index_t n) { return testing::random_values<sum>(n, ++seed); };
    run_product<Backend, T, Shape, A, B, C>(how, make, make_sum, [](sum start, auto const& factors, sum found) {
      double exact = double(start), size = std::abs(double(start));
      for (auto const& [x, y] : factors) {
        double const term = reference_value<T>(x) * reference_value<T>(y);
        exact += term;
        size += std::abs(term);
      }
      // double: k sums and k products, each rounded to nearest; the reference's as well
      double const unit = std::is_same_v<sum, double> ? 0x1p-51 : 0x1p-22;
      return std::abs(double(found) - exact) <= double(factors.size()) * unit * size;
    });
  }
}

}  // namespace test_fragments
