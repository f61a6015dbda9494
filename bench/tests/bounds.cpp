// The bound of every problem: what is rounded once passes, and an error of a few times what theory expects does not.
#include "bounds.hpp"

#include <dolmen/dolmen.hpp>

#include <algorithm>

using namespace bounds;
using std::fabs;

TEST_CASE_TEMPLATE("bounds: element by element", T, float, double) {
  index_t const n = 1000;
  double const v = std::is_same_v<T, double> ? u_double : u;
  auto const added = study::vector_add_problem<T>(n), axpy = study::axpy_problem<T>(n), triad = study::triad_problem<T>(n);
  auto const in = [](study::problem_ptr const& p, std::size_t k, index_t i) { return real(as<T>(p).in[k][i]); };
  check_bound(
      as<T>(added), v, [&](index_t i) { return in(added, 0, i) + in(added, 1, i); },
      [&](index_t i) { return fabs(in(added, 0, i)) + fabs(in(added, 1, i)); });
  auto const y = [&](index_t i) { return real(as<T>(axpy).initial[i]); };
  check_bound(
      as<T>(axpy), 2 * v, [&](index_t i) { return 0.75L * in(axpy, 0, i) + y(i); },
      [&](index_t i) { return fabs(0.75L * in(axpy, 0, i)) + fabs(y(i)); });
  check_bound(
      as<T>(triad), 2 * v, [&](index_t i) { return in(triad, 0, i) + 3 * in(triad, 1, i); },
      [&](index_t i) { return fabs(in(triad, 0, i)) + fabs(3 * in(triad, 1, i)); });
  auto const filled = study::fill_problem<T>(n), copied = study::copy_problem<T>(n);
  check_exact(as<T>(filled), [](index_t) { return 1.25; });
  check_exact(as<T>(copied), [&](index_t i) { return as<T>(copied).in[0][i]; });
  index_t const side = 33;
  auto const turned = study::transpose_problem<T>(side);
  check_exact(as<T>(turned), [&](index_t i) { return as<T>(turned).in[0][i % side * side + i / side]; });
}

TEST_CASE("bounds: element by element, of floats and bytes alone") {
  index_t const n = 1000, side = 33;
  auto const fused = study::multiply_add_problem<float>(n);
  auto const in = [](study::problem_ptr const& p, std::size_t k, index_t i) { return real(as<float>(p).in[k][i]); };
  check_bound(
      as<float>(fused), 2 * u, [&](index_t i) { return in(fused, 0, i) * in(fused, 1, i) + in(fused, 2, i); },
      [&](index_t i) { return fabs(in(fused, 0, i) * in(fused, 1, i)) + fabs(in(fused, 2, i)); });
  auto const relu = study::relu_problem<float>(n);
  check_exact(as<float>(relu), [&](index_t i) { return std::max(as<float>(relu).in[0][i], 0.0f); });
  auto const halves = study::transpose_problem<dolmen::half>(side);
  check_exact(as<dolmen::half>(halves), [&](index_t i) { return as<dolmen::half>(halves).in[0][i % side * side + i / side]; });
  auto const bytes = study::transpose_problem<std::uint8_t>(side);
  check_exact(as<std::uint8_t>(bytes), [&](index_t i) { return as<std::uint8_t>(bytes).in[0][i % side * side + i / side]; });
  auto const split = study::split_problem(n), join = study::join_problem(n);
  check_exact(as<float>(split), [&](index_t i) { return as<float>(split).in[0][i % n * 8 + i / n]; });
  check_exact(as<float>(join), [&](index_t i) { return as<float>(join).in[0][i % 8 * n + i / 8]; });
}

TEST_CASE("bounds: rows") {
  index_t const width = 3;  // a million rows of them
  double const roundings = 34 + std::sqrt(double(width));
  auto const check = [&]<class T>(T, double storing) {
    auto const softmax = study::softmax_problem<T>(width);
    auto const x = [&](index_t i) { return real(double(as<T>(softmax).in[0][i])); };
    auto const share = [&](index_t at) {
      index_t const first = at / width * width;
      return std::exp(x(at)) / sum_of(first, width, 1, [&](index_t i) { return std::exp(x(i)); });
    };
    check_bound(as<T>(softmax), storing + roundings * u, share, share);
  };
  check(0.0f, u);
  check(dolmen::half(), u_half);
  for (bool centred : {true, false}) {
    auto const holder = centred ? study::layer_norm_problem<float>(width) : study::rms_norm_problem<float>(width);
    auto const& p = as<float>(holder);
    auto const parts = [&](index_t at) {
      index_t const first = at / width * width;
      auto const x = [&](index_t i) { return real(p.in[0][i]); };
      real const mean = centred ? sum_of(first, width, 1, x) / width : 0;
      real const squares = sum_of(first, width, 1, [&](index_t i) { return (x(i) - mean) * (x(i) - mean); });
      real const factor = real(p.in[1][at % width]) / std::sqrt(squares / width + 1e-5L), addend = centred ? real(p.in[2][at % width]) : 0;
      return std::pair((x(at) - mean) * factor + addend, fabs((x(at) - mean) * factor + addend) + fabs(factor) + fabs(addend));
    };
    check_bound(
        p, (1 + roundings) * u, [&](index_t at) { return parts(at).first; }, [&](index_t at) { return parts(at).second; });
  }
}

namespace {

void check_neighbours(study::problem_ptr const& holder, index_t planes, int radius, double roundings,
                      std::function<real(int, int, int)> w) {
  auto const& p = as<float>(holder);
  index_t const n = p.n;
  auto const sum = [&](index_t at, auto f) {
    index_t const z = at / (n * n), y = at / n % n, x = at % n;
    real total = 0;
    for (int dz = planes > 1 ? -radius : 0; dz <= (planes > 1 ? radius : 0); ++dz)
      for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
          index_t const k = z + dz, j = y + dy, i = x + dx;
          if (k < 0 || k >= planes || j < 0 || j >= n || i < 0 || i >= n) continue;
          total += f(w(dz, dy, dx) * real(p.in[0][(k * n + j) * n + i]));
        }
    return total;
  };
  check_bound(
      p, roundings * u, [&](index_t at) { return sum(at, [](real x) { return x; }); },
      [&](index_t at) { return sum(at, [](real x) { return fabs(x); }); });
}

}  // namespace

TEST_CASE("bounds: stencils") {
  check_neighbours(study::stencil_problem<float>(20), 1, 1, 3,
                   [](int, int y, int x) { return std::abs(y) + std::abs(x) == 1 ? real(0.25) : real(0); });
  real const by_distance[] = {0.5, 0.125, 0.0625, 0.03125};
  auto const box = [&](int z, int y, int x) { return by_distance[z * z + y * y + x * x]; };
  auto const star = [&](int z, int y, int x) { return z * z + y * y + x * x > 1 ? real(0) : by_distance[z * z + y * y + x * x]; };
  check_neighbours(study::near_problem<2, true>(20), 1, 1, 28, star);
  check_neighbours(study::near_problem<2, false>(20), 1, 1, 28, box);
  check_neighbours(study::near_problem<3, true>(9), 9, 1, 28, star);
  check_neighbours(study::near_problem<3, false>(9), 9, 1, 28, box);
  auto const filter = study::study_filter();
  check_neighbours(study::convolution_problem(20), 1, 2, 26, [&](int, int y, int x) { return real(filter.weight[(2 - y) * 5 + 2 - x]); });
}

namespace {

/// Without the exact numbers: the study's own, from results that are nearly right.
template <class T>
void check_random(study::problem_ptr const& holder, double bound, std::vector<T> out) {
  auto const& p = as<T>(holder);
  auto const v = p.check(out);
  CHECK(v.ok());
  CHECK(v.bound <= 2 * bound);
  for (index_t at : {index_t(0), p.n / 2, p.n - 1}) {
    T const right = out[std::size_t(at)];
    refuse_at(p, out, at, bound > 0 ? T(double(right) + 4 * bound) : next_to(right));
    refuse_at(p, out, at, bound > 0 ? T(double(right) - 4 * bound) : next_to(right));
    refuse_at(p, out, at, std::numeric_limits<T>::quiet_NaN());
  }
}

}  // namespace

TEST_CASE_TEMPLATE("bounds: random numbers", T, float, double) {
  index_t const n = 1000;
  dolmen::cpu::stream s;
  dolmen::buffer<T, dolmen::cpu::backend> numbers(s, n);
  dolmen::fill_uniform(s, numbers, study::random_seed);
  check_random<T>(study::uniform_problem<T>(n), 0, dolmen::download(s, numbers));
  dolmen::fill_normal(s, numbers, study::random_seed);
  check_random<T>(study::normal_problem<T>(n), std::is_same_v<T, double> ? 4e-15 : 2e-6, dolmen::download(s, numbers));
}
