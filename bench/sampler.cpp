#include "sampler.hpp"

#include <algorithm>

namespace study {

bool sampler::calibrate() {
  constexpr index_t most_runs = index_t(1) << 22;
  // 1000 steps of the clock keep its error below 0.1 %; some 40 samples fit into the budget.
  double const resolution = session_.clock_resolution(), target = std::max(1000 * resolution, std::min(budget_ / 40, 0.02));
  double seconds = measure(runs_);
  while (seconds < target && runs_ < most_runs) {
    double const factor = seconds > 0 ? std::clamp(1.2 * target / seconds, 2.0, 100.0) : 100.0;
    runs_ = std::min(most_runs, index_t(double(runs_) * factor));
    seconds = measure(runs_);
  }
  return seconds >= 100 * resolution;
}

void sampler::take_block() {
  double const share = budget_ / blocks;
  double const expected = samples_.empty() ? 0 : samples_.back() * double(runs_);
  if (expected < share) measure(1);
  double in_block = 0;
  do {
    double const seconds = measure(runs_);
    samples_.push_back(seconds / double(runs_));
    in_block += seconds;
  } while (in_block < share);
  spent_ += in_block;
}

}  // namespace study
