// Samples of one variant: how many runs a sample holds, and the blocks in which samples are taken.
#pragma once

#include "session.hpp"
#include "statistics.hpp"

namespace study {

class sampler {
 public:
  static constexpr int blocks = 4, fewest_samples = 5;

  sampler(session& s, workspace& w, int variant, clock_kind clock, double budget)
      : session_(s), workspace_(w), variant_(variant), clock_(clock), budget_(budget) {}

  /// Warms up and finds how many runs make a sample that the clock can measure. False if no number does.
  bool calibrate();
  /// Takes samples for a share of the budget. Variants take turns block by block, so that a slow moment of the machine
  /// meets all of them; a block starts with a run that does not count, which wakes this variant's threads.
  void take_block();
  bool done() const { return int(samples_.size()) >= fewest_samples && spent_ >= budget_; }

  std::vector<double> const& samples() const { return samples_; }
  index_t runs_per_sample() const { return runs_; }

 private:
  double measure(index_t runs) { return session_.seconds(workspace_, variant_, runs, clock_); }

  session& session_;
  workspace& workspace_;
  int variant_;
  clock_kind clock_;
  double budget_, spent_ = 0;
  index_t runs_ = 1;
  std::vector<double> samples_;  // seconds per run
};

}  // namespace study
