// Runs groups: verifies, then times, and keeps one result per row.
#pragma once

#include <map>
#include <memory>

#include "selection.hpp"
#include "session.hpp"
#include "statistics.hpp"

namespace study {

enum class status { ok, failed, skipped, error };
char const* name_of(status s);

/// Whether the memory that a run touches fits into a quarter of the last-level cache (hot; the cache is shared, with other
/// processes and, in a virtual machine, with other machines), is more than four times the cache (cold), or something
/// between (mixed).
char const* cache_state(double footprint, index_t cache_bytes);

/// One row. What was not measured is empty: a row that is not ok has no times and no rates.
struct result {
  std::string case_name, variant, backend, type;
  index_t size = 0;
  study::status status = status::ok;
  std::string reason;            // why it is not ok
  std::optional<bool> verified;  // empty: nothing to compare, or not reached
  std::optional<double> max_error, bound;
  std::optional<int> threads;    // of the host; empty for a GPU
  std::optional<summary> times;  // over the samples of all repetitions
  std::vector<double> repetition_medians;
  double clock_step = 0;  // the smallest difference that the clock shows, seconds
  index_t runs_per_sample = 0;
  double bytes = 0, flops = 0;
  traffic kind = traffic::none;
  std::string cache;
  std::optional<double> ceiling;  // bytes/s, for rows whose data is larger than the cache
  bool asked_for = false;         // skipping it is a failure, since the command line named its backend or size

  std::optional<double> bytes_per_s() const;
  std::optional<double> flops_per_s() const;
  std::optional<double> ceiling_fraction() const;
  /// A cold row that is faster than memory was ever seen to be.
  bool above_ceiling() const;
  /// A spread of more than half the median.
  bool unsteady() const;
  /// One run takes less than a step of the clock, and so was measured only as part of many.
  bool below_clock() const;
  bool doubtful() const { return unsteady() || below_clock(); }
};

/// The exit status for all rows: 0, or 1 if one failed or erred, if one that was asked for was skipped, or if none is ok.
int exit_status(std::vector<result> const& results);

class runner {
 public:
  explicit runner(options o) : options_(std::move(o)) {}

  /// Opens the backends of the groups and measures their ceilings. Those without a device are remembered with the reason.
  void open(std::vector<group> const& groups);
  /// One result per variant of the group. Throws nothing that a case threw. Where the run was interrupted, variants that
  /// had not begun are missing.
  std::vector<result> run(group const& g);

  std::map<std::string, ceilings> const& measured_ceilings() const { return ceilings_; }
  std::map<std::string, std::string> const& unavailable() const { return unavailable_; }
  session* find(std::string const& backend);

 private:
  std::vector<result> rows(group const& g) const;
  void measure(group const& g, session& s, std::vector<result>& rows, int repetition);
  problem_base const& problem_of(group const& g);

  options options_;
  std::map<std::string, std::unique_ptr<session>> sessions_;
  std::map<std::string, std::string> unavailable_;
  std::map<std::string, ceilings> ceilings_;
  case_info const* problem_case_ = nullptr;
  index_t problem_size_ = 0;
  problem_ptr problem_;
  std::map<std::string, std::vector<double>> samples_;  // by variant, of the group under way
};

}  // namespace study
