// What a run leaves: a table for people, JSON and CSV for programs.
#pragma once

#include <cstdio>
#include <string>

#include "kernel_costs.hpp"
#include "runner.hpp"

namespace study {

/// "1.234 ms", four digits.
std::string time_text(double seconds);
/// A size as a power of two where it is a long one: 2^25, 8192.
std::string size_text(index_t size);
/// Breaks a text at spaces into lines of at most `width` columns, each behind `indent` spaces.
std::string wrapped(std::string const& text, int width, int indent);

/// Rows in columns, 100 wide at most; rows of one group come together, so that peers can be set against dolmen.
class table {
 public:
  static constexpr int width = 100;
  explicit table(bool colour) : colour_(colour) {}
  std::string header() const;
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

std::string to_json(machine const& m, std::map<std::string, ceilings> const& c, std::vector<result> const& results,
                    kernel_pairs const& kernels = {});
std::string to_csv(std::vector<result> const& results);

/// A file that appears whole or not at all. The constructor throws usage_error where it could not be written. "-" and what
/// is no regular file (a pipe, /dev/stdout) are written in place.
class output_file {
 public:
  explicit output_file(std::string path);
  output_file(output_file const&) = delete;
  ~output_file();
  void write(std::string const& text);

 private:
  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace study
