// Random numbers against their definition: Philox's words, and Box and Muller's formula by the C library.
#include <algorithm>
#include <cmath>
#include <dolmen/core/philox.hpp>
#include <memory>

#include "../problem.hpp"

namespace study {
namespace {

std::uint64_t two_words(dolmen::philox_words const& w, int k) { return std::uint64_t(w.word[k + 1]) << 32 | w.word[k]; }

/// Number i of the sequence.
template <class T>
long double uniform_number(index_t i) {
  if constexpr (std::is_same_v<T, double>)
    return double(two_words(dolmen::philox(random_seed, std::uint64_t(i) / 2), int(i % 2) * 2) >> 11) * 0x1p-53;
  else
    return double(dolmen::philox(random_seed, std::uint64_t(i) / 4).word[i % 4] >> 8) * 0x1p-24;
}

template <class T>
long double normal_number(index_t i) {
  long double unit, turn;
  if constexpr (std::is_same_v<T, double>) {
    auto const w = dolmen::philox(random_seed, std::uint64_t(i) / 2);
    unit = ((long double)(two_words(w, 0) >> 12) + 0.5L) * 0x1p-52L;
    turn = (long double)(two_words(w, 2) >> 12) * 0x1p-52L;
  } else {
    auto const w = dolmen::philox(random_seed, std::uint64_t(i) / 4);
    auto const pair = i % 4 / 2 * 2;
    unit = ((long double)(w.word[pair] >> 1) + 0.5L) * 0x1p-31L;
    turn = (long double)w.word[pair + 1] * 0x1p-32L;
  }
  long double const radius = std::sqrt(-2 * std::log(unit)), angle = 6.283185307179586476925286766559L * turn;
  return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

/// The errors are absolute. Of long outputs every 61st element is looked at: the formula takes the C library long.
template <class T>
struct random_numbers : problem<T> {
  long double (*number)(index_t);
  double bound;
  random_numbers(index_t n, long double (*number)(index_t), double bound) : number(number), bound(bound) {
    this->n = n;
    this->out_size = n;
  }
  verdict check(std::span<T const> out) const override {
    index_t const step = out.size() > 1000000 ? 61 : 1, last = index_t(out.size()) - 1;
    T const* const got = out.data();
    double worst = error_ratio<long double>(got[last], number(last), 1);
#pragma omp parallel for reduction(max : worst)
    for (index_t i = 0; i < last; i += step) worst = std::max(worst, error_ratio<long double>(got[i], number(i), 1));
    return {worst, bound};
  }
};

}  // namespace

template <class T>
problem_ptr uniform_problem(index_t n) {
  return std::make_shared<random_numbers<T>>(n, uniform_number<T>, 0);
}
template problem_ptr uniform_problem<float>(index_t);
template problem_ptr uniform_problem<double>(index_t);

template <class T>
problem_ptr normal_problem(index_t n) {
  return std::make_shared<random_numbers<T>>(n, normal_number<T>, std::is_same_v<T, double> ? 4e-15 : 2e-6);
}
template problem_ptr normal_problem<float>(index_t);
template problem_ptr normal_problem<double>(index_t);

}  // namespace study
