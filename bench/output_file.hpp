// Files that a run leaves, and what it prints.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "interrupt.hpp"

namespace study {

/// A file that appears whole or not at all. The constructor throws usage_error where it could not be written. "-" and what
/// is no regular file (a pipe, /dev/stdout) are written in place.
class output_file {
 public:
  explicit output_file(std::string path);
  output_file(output_file const&) = delete;
  ~output_file();
  /// Throws where the text could not be written to its end.
  void write(std::string const& text);

 private:
  std::string path_, temporary_;
  std::unique_ptr<temporary_file> removal_;
  std::FILE* file_ = nullptr;
};

/// Whether two paths name the same file, also one that does not exist yet. A device such as /dev/null may be named twice.
bool same_file(std::string const& a, std::string const& b);

/// Writes to the standard output and flushes it; throws where that fails.
void say(std::string const& text);

}  // namespace study
