// The commands of dolmen-study. They return the exit status.
#pragma once

#include "selection.hpp"

namespace study {

struct run_options : options {
  std::vector<std::string> size_texts;
  std::string json_file, csv_file;
  std::vector<int> threads;  // counts for the cpu backend, one run for each; empty: one run, as the environment says
  std::vector<int> child;    // from thread_runs: a count, and where its results go
};

/// What has to happen before anything is measured; may start the program again.
void prepare_process(char** argv);

/// `argv` is what the program was started with.
int run_command(registry const& r, run_options o, char** argv);
/// Of the rows that match a filter, as in options.
int list_command(registry const& r, std::string const& filter);
int devices_command();
/// Registers, spills, shared memory and residency of the kernels and their twins; also to a file, unless its name is empty.
int facts_command(std::string const& json_file);

}  // namespace study
