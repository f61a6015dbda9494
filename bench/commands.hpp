// The commands of dolmen-study. They return the exit status.
#pragma once

#include "selection.hpp"

namespace study {

struct run_options : options {
  std::vector<std::string> size_texts;
  std::string json_file, csv_file;
};

/// What has to happen before anything is measured; may start the program again.
void prepare_process(char** argv);

int run_command(registry const& r, run_options o);
int list_command(registry const& r);
int devices_command();
/// Registers, spills, shared memory and residency of the kernels and their twins; also to a file, unless its name is empty.
int facts_command(std::string const& json_file);

}  // namespace study
