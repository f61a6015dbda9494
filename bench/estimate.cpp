#include "estimate.hpp"

#include <algorithm>
#include <numeric>

namespace study {
namespace {

// Seconds of one core, from runs on an EPYC: to make a byte of a problem, and to run a variant once and compare a byte of
// its result.
constexpr double make_byte = 2e-9, verify_byte = 1.5e-9;
// What samples take beyond the budget: the search for the number of runs, and runs that do not count.
constexpr double around_samples = 1.6, around_row = 0.02;

}  // namespace

double expected_seconds(group const& g, options const& o, int cores) {
  auto const footprint = g.of->info->footprint;
  double const bytes = footprint ? footprint(double(g.size)) : 0;
  double const row = verify_byte * bytes / cores + around_samples * o.budget() + around_row;
  return make_byte * bytes / cores + double(g.variants.size()) * o.repetitions * row;
}

countdown::countdown(std::vector<double> expected) : expected_(std::move(expected)) {}

double countdown::total() const { return std::accumulate(expected_.begin(), expected_.end(), 0.0); }

double countdown::seconds_left(double elapsed) const {
  auto const middle = expected_.begin() + std::ptrdiff_t(std::min(done_, expected_.size()));
  double const behind = std::accumulate(expected_.begin(), middle, 0.0), ahead = std::accumulate(middle, expected_.end(), 0.0);
  // The first groups say little: what was expected counts as if a tenth of the run had taken just that.
  double const weight = 0.1 * (behind + ahead);
  return behind + weight > 0 ? ahead * (elapsed + weight) / (behind + weight) : 0;
}

}  // namespace study
