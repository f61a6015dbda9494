// What the CUDA compiler made of the portable kernels and of their twins, side by side.
#pragma once

#include <dolmen/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

#include "machine.hpp"

namespace study {

using dolmen::index_t;

struct kernel_cost {
  std::string kernel;        // as its case is called, and its type where there are several: "axpy<double>"
  int registers = 0;         // per thread
  index_t local_bytes = 0;   // per thread: spilled registers, and arrays that could not be registers
  index_t shared_bytes = 0;  // per block, static and dynamic
  int threads = 0;           // per block
  int resident_blocks = 0;   // per multiprocessor of this device
};
using kernel_costs = std::vector<kernel_cost>;

/// A kernel that one side lacks is empty there.
struct kernel_pair {
  std::string kernel;
  std::optional<kernel_cost> portable, twin;
};
using kernel_pairs = std::vector<kernel_pair>;

/// By name: the twins in their order, then portable kernels without a twin.
kernel_pairs joined(kernel_costs const& portable, kernel_costs const& twins);

/// All of this build on the first GPU. Throws dolmen::backend_unavailable where there is none.
kernel_pairs compare_kernels();

std::string kernels_text(kernel_pairs const& pairs);
/// The schema dolmen-study-facts/1.
std::string kernels_json(machine const& m, kernel_pairs const& pairs);

#if DOLMEN_HAS_CUDA
// In cases/kernel_costs.cpp and in each file of twins.
kernel_costs portable_costs();
namespace peers {
void add_twin_costs(kernel_costs& all);
void add_wmma_costs(kernel_costs& all);
void add_pack_costs(kernel_costs& all);
void add_shuffle_costs(kernel_costs& all);
void add_histogram_costs(kernel_costs& all);
void add_sparse_costs(kernel_costs& all);
}  // namespace peers
#endif

}  // namespace study
