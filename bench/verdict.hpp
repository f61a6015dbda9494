// What a comparison with the reference found, and the error bounds that the cases use.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace study {

/// Errors are relative to a scale that the case names; a result is right if the largest is within the bound. NaN where
/// the reference has none is an infinite error.
struct verdict {
  double max_error = 0, bound = 0;
  bool compared = true;  // false: the case has no result to compare
  bool ok() const { return max_error <= bound; }
};

/// |got - exact| / scale. 0/0 is a match, as are two NaNs and two infinities of one sign.
template <class Wide>
double error_ratio(Wide got, Wide exact, Wide scale) {
  if (got == exact || (std::isnan(got) && std::isnan(exact))) return 0;
  double const ratio = double(std::fabs(got - exact) / scale);
  return ratio >= 0 ? ratio : std::numeric_limits<double>::infinity();
}

/// What an element type is checked in: at least double, and wider than the type itself where the machine has that.
template <class T>
using wide_t = std::conditional_t<std::is_same_v<T, double>, long double, double>;

/// Half the distance from 1 to the next number: the relative error of one rounded operation.
template <class T>
inline constexpr double unit_roundoff = std::is_floating_point_v<T> ? double(std::numeric_limits<T>::epsilon()) / 2 : 0.0;

/// `count` roundings in a row, worst case: count u / (1 - count u) (Higham, Accuracy and Stability, lemma 3.1).
template <class T>
double rounding_bound(double count) {
  double const nu = count * unit_roundoff<T>;
  return nu / (1 - nu);
}

/// A sum of n rounded products in any order, for random data: lambda sqrt(n) u with lambda = 8, which fails for a right
/// result with a probability below 1e-10 (Higham and Mary, A New Approach to Probabilistic Rounding Error Analysis,
/// SIAM J. Sci. Comput. 41, 2019). The worst case, n u, would let a forgotten term pass.
template <class T>
double product_bound(double n) {
  return 8 * std::sqrt(n) * unit_roundoff<T>;
}

/// The same for products of halves on tensor cores. The products are exact in float, but sums are cut off, not rounded (Fasi,
/// Higham, Mikaitis and Pranesh, Numerical Behavior of NVIDIA Tensor Cores, PeerJ Comput. Sci. 7, 2021): a step errs by up to
/// 2u of its partial sum, towards zero, so that errors of steps add up. For random data a partial sum of k products
/// is within lambda sqrt(k) of the products' typical size with the probability above; these, times 2u, add up to 2/3 lambda
/// sqrt(n) 2u of the scale.
inline double cut_product_bound(double n) { return 2 * product_bound<float>(n); }

/// A sum of n numbers by a tree whose leaves are up to 64 long.
template <class T>
double tree_sum_bound(double n) {
  return rounding_bound<T>(64 + std::log2(n < 2 ? 2 : n));
}

}  // namespace study
