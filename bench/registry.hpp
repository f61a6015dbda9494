// The study as data: cases, the backends they run on, and their variants.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "problem.hpp"

namespace study {

class session;

/// What a case moves, and so which of the machine's measured ceilings it is set against.
enum class traffic { none, read, write, copy, triad, transfer, compute };
char const* name_of(traffic kind);

/// Device: between two events of the stream. Host: the host's steady clock around the calls and a final synchronise, for
/// what the host does itself.
enum class clock_kind { device, host };

/// The groups of the tour, in the order in which they are shown. `none`: not in the tour.
enum class heading { none, kernels, moves, elementwise, reductions, selections, rows, stencils, products, overheads };
char const* title_of(heading h);

/// A case's row in the tour, what runs unless the command line asks for more: under which heading, and at which size.
struct tour_entry {
  heading under = heading::none;
  index_t cpu_size = 0, gpu_size = 0;
};

/// All that the variants of a case share. The functions get the size; null where there is nothing to count.
struct case_info {
  std::string name, type, about;
  std::string accuracy;  // how a result is checked
  traffic kind = traffic::none;
  double (*bytes)(double) = nullptr;
  double (*flops)(double) = nullptr;
  double (*footprint)(double) = nullptr;  // bytes of device memory that a run touches
  std::vector<index_t> cpu_sizes, gpu_sizes;
  tour_entry tour = {};  // for the most telling of the case's types
  problem_ptr (*make)(index_t) = nullptr;
  clock_kind clock = clock_kind::device;
  bool hidden = false;  // takes part only if the filter spells its name out
};

/// A problem in the memory of one backend. Its variants work on the same memory, one after another.
class workspace {
 public:
  virtual ~workspace() = default;
  /// Puts the output into its state before a run: initial values, or poison.
  virtual void reset() = 0;
  virtual void run(int variant) = 0;
  /// Waits and compares.
  virtual verdict verify() = 0;
};

/// A case on one backend.
struct benchmark {
  std::shared_ptr<case_info const> info;
  std::string backend;
  std::vector<std::string> variants;  // "dolmen", then its peers
  std::function<std::unique_ptr<workspace>(session&, problem_base const&)> prepare;

  std::vector<index_t> const& sizes() const { return backend == "cpu" ? info->cpu_sizes : info->gpu_sizes; }
  index_t tour_size() const { return backend == "cpu" ? info->tour.cpu_size : info->tour.gpu_size; }
};

/// In the order in which they run; benchmarks of one case follow each other.
using registry = std::vector<benchmark>;

/// All cases of this build.
registry all_cases();

/// "case/backend/variant/type/size", what --filter is matched against.
std::string row_name(benchmark const& b, std::string_view variant, index_t size);

// One function per file in cases/.
void add_elementwise_cases(registry& r);
void add_stream_cases(registry& r);
void add_record_cases(registry& r);
void add_matrix_cases(registry& r);
void add_tensor_cases(registry& r);
void add_grid_cases(registry& r);
void add_row_cases(registry& r);
void add_stencil_cases(registry& r);
void add_sum_cases(registry& r);
void add_warp_cases(registry& r);
void add_histogram_cases(registry& r);
void add_scan_cases(registry& r);
void add_selection_cases(registry& r);
void add_sort_cases(registry& r);
void add_sparse_cases(registry& r);
void add_algorithm_cases(registry& r);
void add_transfer_cases(registry& r);
void add_overhead_cases(registry& r);
void add_selftest_cases(registry& r);

}  // namespace study
