// How often each byte occurs: exact.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

struct histogram : problem<std::uint8_t, std::uint32_t> {
  std::array<std::uint32_t, histogram_bins> exact{};

  explicit histogram(index_t count, bool constant) {
    n = count;
    out_size = histogram_bins;
    in.push_back(random_array<std::uint8_t>(1, n));
    if (constant) std::fill_n(in[0].data(), n, std::uint8_t(77));
    std::uint8_t const* const keys = in[0].data();
    std::uint32_t counts[histogram_bins] = {};
#pragma omp parallel for reduction(+ : counts)
    for (index_t i = 0; i < n; ++i) ++counts[keys[i]];
    std::copy_n(counts, histogram_bins, exact.begin());
  }

  verdict check(std::span<std::uint32_t const> out) const override {
    double worst = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) worst = std::max(worst, std::fabs(double(out[k]) - double(exact[k])));
    return {worst, 0};
  }
};

}  // namespace

problem_ptr histogram_problem(index_t n) { return std::make_shared<histogram>(n, false); }
problem_ptr constant_histogram_problem(index_t n) { return std::make_shared<histogram>(n, true); }

}  // namespace study
