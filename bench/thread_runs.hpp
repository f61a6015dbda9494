// Runs with several numbers of threads. OpenMP could change its number between rows, but Kokkos fixes its own when it starts,
// and OpenBLAS follows the backend: so each number gets a process of its own, started with OMP_NUM_THREADS.
#pragma once

#include "output_file.hpp"
#include "report.hpp"

namespace study {

/// The backends of a run with --threads: the CPU's. Throws usage_error if another was asked for.
std::vector<std::string> backends_with_threads(std::vector<std::string> const& asked);

/// Starts this program again for each number, with `argv` and the option --child; its table goes to the same output. Then
/// writes the results of all into the files that are not null. Returns the exit status of the whole.
int run_with_threads(std::vector<int> const& counts, char** argv, output_file* json, output_file* csv);

/// In such a process: throws if the backend does not use as many threads as it should.
void check_threads(int asked, int used);
/// In such a process: passes the results on. `child` is what --child says.
void hand_over(std::vector<int> const& child, std::string const& json, std::string const& csv);

}  // namespace study
