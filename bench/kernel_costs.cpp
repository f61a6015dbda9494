#include "kernel_costs.hpp"

#include <algorithm>
#include <dolmen/core/error.hpp>
#include <dolmen/default_backend.hpp>
#if DOLMEN_HAS_CUDA
#include <dolmen/dolmen.hpp>
#endif

#include "text.hpp"

namespace study {

kernel_pairs joined(kernel_costs const& portable, kernel_costs const& twins) {
  kernel_pairs all;
  for (auto const& t : twins) all.push_back({t.kernel, std::nullopt, t});
  for (auto const& p : portable) {
    auto const twin = std::find_if(all.begin(), all.end(), [&](kernel_pair const& pair) { return pair.kernel == p.kernel; });
    if (twin == all.end())
      all.push_back({p.kernel, p, std::nullopt});
    else
      twin->portable = p;
  }
  return all;
}

kernel_pairs compare_kernels() {
#if DOLMEN_HAS_CUDA
  dolmen::cuda::device const first_gpu;  // throws where there is none
  kernel_costs twins;
  peers::add_twin_costs(twins);
  peers::add_pack_costs(twins);
  peers::add_shuffle_costs(twins);
  peers::add_histogram_costs(twins);
  peers::add_wmma_costs(twins);
  peers::add_sparse_costs(twins);
  return joined(portable_costs(), twins);
#else
  throw dolmen::backend_unavailable("this build has no cuda backend, and kernels on the CPU have no registers to count");
#endif
}

namespace {

template <class Value>
std::string column(kernel_pair const& pair, Value kernel_cost::*what) {
  auto const text = [&](std::optional<kernel_cost> const& cost) { return cost ? formatted("{}", (*cost).*what) : "-"; };
  return formatted("  {:>7} {:>7}", text(pair.portable), text(pair.twin));
}

}  // namespace

std::string kernels_text(kernel_pairs const& pairs) {
  std::string out =
      formatted("{:<18}  {:^15}  {:^15}  {:^15}  {:^15}\n{:<18}", "", "registers", "spilled, B", "shared, B", "blocks per SM", "kernel");
  for (int k = 0; k < 4; ++k) out += formatted("  {:>7} {:>7}", "dolmen", "cuda");
  out += '\n' + std::string(18 + 4 * 17, '-') + '\n';
  for (auto const& pair : pairs)
    out += formatted("{:<18}", pair.kernel) + column(pair, &kernel_cost::registers) + column(pair, &kernel_cost::local_bytes) +
           column(pair, &kernel_cost::shared_bytes) + column(pair, &kernel_cost::resident_blocks) + '\n';
  return out;
}

}  // namespace study
