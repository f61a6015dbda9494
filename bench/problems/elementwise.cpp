// Problems in which each element of the result depends on few elements of the input.
#include <cmath>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

/// The largest error over all elements. expected(i, scale) returns the exact value and sets its scale.
template <class Out, class Expected>
double largest_error(std::span<Out const> out, Expected expected) {
  using wide = wide_t<Out>;
  auto const n = index_t(out.size());
  Out const* const got = out.data();
  double worst = 0;
#pragma omp parallel for reduction(max : worst)
  for (index_t i = 0; i < n; ++i) {
    wide scale = 1;
    wide const exact = expected(i, scale);
    double const error = error_ratio(wide(got[i]), exact, scale);
    if (error > worst) worst = error;
  }
  return worst;
}

/// `Rule` has wide operator()(T const* const* in, index_t i, wide& scale) and a bound.
template <class T, class Rule>
struct elementwise : problem<T> {
  Rule rule;
  elementwise(index_t n, index_t elements, int inputs, Rule rule, bool updates = false) : rule(rule) {
    this->n = n;
    this->out_size = elements;
    for (int k = 0; k < inputs; ++k) this->in.push_back(random_array<T>(std::uint64_t(k) + 1, elements));
    if (updates) this->initial = random_array<T>(9, elements);
  }
  verdict check(std::span<T const> out) const override {
    T const* in[3] = {};
    for (std::size_t k = 0; k < this->in.size(); ++k) in[k] = this->in[k].data();
    if (!this->initial.empty()) in[this->in.size()] = this->initial.data();
    auto const expected = [&](index_t i, wide_t<T>& scale) { return rule(in, i, scale); };
    return {largest_error<T>(out, expected), rule.bound()};
  }
};

template <class T>
struct add_rule {
  static double bound() { return rounding_bound<T>(1); }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>& scale) const {
    using wide = wide_t<T>;
    scale = std::fabs(wide(in[0][i])) + std::fabs(wide(in[1][i]));
    return wide(in[0][i]) + wide(in[1][i]);
  }
};

template <class T>
struct relu_rule {
  static double bound() { return 0; }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>&) const { return in[0][i] < 0 ? 0 : wide_t<T>(in[0][i]); }
};

// x, then the addend: two roundings, or one where they are fused.
template <class T>
struct multiply_add_rule {
  double factor;
  bool factor_on_first;
  static double bound() { return rounding_bound<T>(2); }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>& scale) const {
    using wide = wide_t<T>;
    wide const product = wide(factor) * wide(in[factor_on_first ? 0 : 1][i]), addend = wide(in[factor_on_first ? 1 : 0][i]);
    scale = std::fabs(product) + std::fabs(addend);
    return product + addend;
  }
};

template <class T>
struct three_inputs_rule {
  static double bound() { return rounding_bound<T>(2); }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>& scale) const {
    using wide = wide_t<T>;
    wide const product = wide(in[0][i]) * wide(in[1][i]), addend = wide(in[2][i]);
    scale = std::fabs(product) + std::fabs(addend);
    return product + addend;
  }
};

template <class T>
struct fill_rule {
  static double bound() { return 0; }
  wide_t<T> operator()(T const* const*, index_t, wide_t<T>&) const { return wide_t<T>(fill_value); }
};

template <class T>
struct copy_rule {
  static double bound() { return 0; }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>&) const { return wide_t<T>(in[0][i]); }
};

/// The input's `rows` x `columns` elements, column after column.
struct turn_rule {
  index_t rows, columns;
  static double bound() { return 0; }
  double operator()(float const* const* in, index_t i, double&) const { return in[0][i % rows * columns + i / rows]; }
};

template <class T>
struct transpose_rule {
  index_t side;
  static double bound() { return 0; }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>&) const {
    index_t const mirrored = i % side * side + i / side;
    return wide_t<T>(in[0][mirrored]);
  }
};

// Three additions; the factor 1/4 is exact.
template <class T>
struct stencil_rule {
  index_t side;
  static double bound() { return rounding_bound<T>(3); }
  wide_t<T> operator()(T const* const* in, index_t i, wide_t<T>& scale) const {
    using wide = wide_t<T>;
    index_t const y = i / side, x = i % side;
    T const* const a = in[0] + i;
    wide const left = x > 0 ? a[-1] : T(0), right = x + 1 < side ? a[1] : T(0);
    wide const up = y > 0 ? a[-side] : T(0), down = y + 1 < side ? a[side] : T(0);
    scale = (std::fabs(left) + std::fabs(right) + std::fabs(up) + std::fabs(down)) / 4;
    return (left + right + up + down) / 4;
  }
};

template <class T, class Rule>
problem_ptr make(index_t n, index_t elements, int inputs, Rule rule, bool updates = false) {
  return std::make_shared<elementwise<T, Rule>>(n, elements, inputs, rule, updates);
}

}  // namespace

template <class T>
problem_ptr vector_add_problem(index_t n) {
  return make<T>(n, n, 2, add_rule<T>{});
}
template <class T>
problem_ptr relu_problem(index_t n) {
  return make<T>(n, n, 1, relu_rule<T>{});
}
template <class T>
problem_ptr axpy_problem(index_t n) {
  return make<T>(n, n, 1, multiply_add_rule<T>{axpy_alpha, true}, true);
}
template <class T>
problem_ptr triad_problem(index_t n) {
  return make<T>(n, n, 2, multiply_add_rule<T>{triad_scalar, false});
}
template <class T>
problem_ptr multiply_add_problem(index_t n) {
  return make<T>(n, n, 3, three_inputs_rule<T>{});
}
template <class T>
problem_ptr fill_problem(index_t n) {
  return make<T>(n, n, 0, fill_rule<T>{});
}
template <class T>
problem_ptr copy_problem(index_t n) {
  return make<T>(n, n, 1, copy_rule<T>{});
}
template <class T>
problem_ptr transpose_problem(index_t side) {
  return make<T>(side, side * side, 1, transpose_rule<T>{side});
}
template <class T>
problem_ptr stencil_problem(index_t side) {
  return make<T>(side, side * side, 1, stencil_rule<T>{side});
}

problem_ptr split_problem(index_t n) { return make<float>(n, n * record_floats, 1, turn_rule{n, record_floats}); }
problem_ptr join_problem(index_t n) { return make<float>(n, n * record_floats, 1, turn_rule{record_floats, n}); }

#define STUDY_PROBLEMS(T)                              \
  template problem_ptr vector_add_problem<T>(index_t); \
  template problem_ptr axpy_problem<T>(index_t);       \
  template problem_ptr triad_problem<T>(index_t);      \
  template problem_ptr fill_problem<T>(index_t);       \
  template problem_ptr copy_problem<T>(index_t);
STUDY_PROBLEMS(float)
STUDY_PROBLEMS(double)
template problem_ptr relu_problem<float>(index_t);
template problem_ptr multiply_add_problem<float>(index_t);
template problem_ptr transpose_problem<float>(index_t);
template problem_ptr transpose_problem<double>(index_t);
template problem_ptr transpose_problem<dolmen::half>(index_t);
template problem_ptr transpose_problem<std::uint8_t>(index_t);
template problem_ptr stencil_problem<float>(index_t);

namespace {
struct nothing : problem<float> {
  verdict check(std::span<float const>) const override { return {}; }
};
}  // namespace

problem_ptr no_problem(index_t n) {
  auto p = std::make_shared<nothing>();
  p->n = n;
  return p;
}

}  // namespace study
