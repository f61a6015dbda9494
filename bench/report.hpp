// What a run leaves: a table for people, JSON and CSV for programs.
#pragma once

#include <string>

#include "kernel_costs.hpp"
#include "runner.hpp"

namespace study {

/// A size as a power of two where it is a long one: 2^25, 8192.
std::string size_text(index_t size);
/// Rows in columns, 100 wide at most; rows of one group come together, so that peers can be set against dolmen.
class table {
 public:
  static constexpr int width = 100;
  explicit table(bool colour) : colour_(colour) {}
  std::string header() const;
  /// A heading between rows, behind an empty line unless it is the first.
  std::string title(std::string const& text, bool first) const;
  std::string rows(std::vector<result> const& group) const;

 private:
  std::string row(result const& r, result const* ours) const;
  std::string painted(std::string const& text, char const* code) const;
  bool colour_;
};

std::string machine_text(machine const& m);
std::string ceilings_text(std::string const& backend, ceilings const& c);
/// "56 ok, 1 failed, 2 skipped", and every row that is not ok by name, behind its reason.
std::string summary_text(std::vector<result> const& results);

/// What was asked for, and whether all of it was measured.
struct run_facts {
  bool tour = false, cut_short = false;
  int rows_planned = 0;
  double seconds_per_row = 0;
  int repetitions = 1;
};

std::string to_json(machine const& m, std::map<std::string, ceilings> const& c, std::vector<result> const& results,
                    kernel_pairs const& kernels = {}, run_facts const& run = {});
std::string to_csv(std::vector<result> const& results);

/// One document of several, which differ in the number of threads; of `planned` some may be missing. Ceilings get the number in
/// their names: cpu/2.
std::string joined_json(std::vector<std::string> const& documents, int planned, bool cut_short);
std::string joined_csv(std::vector<std::string> const& documents);

}  // namespace study
