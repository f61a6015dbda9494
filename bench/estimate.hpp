// How long a run will take, before it starts and while it runs.
#pragma once

#include <chrono>

#include "selection.hpp"

namespace study {

/// Seconds that a group will take: its problem is made, each variant verified and timed. Within a factor of two on an idle
/// machine with as many cores.
double expected_seconds(group const& g, options const& o, int cores);

/// The time that is left of a run.
class countdown {
 public:
  explicit countdown(std::vector<double> expected);
  /// One more group is done.
  void step() { ++done_; }
  double total() const;
  /// What is expected of the rest, corrected by how long the groups so far took.
  double seconds_left() const { return seconds_left(std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()); }
  double seconds_left(double elapsed) const;

 private:
  std::vector<double> expected_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace study
