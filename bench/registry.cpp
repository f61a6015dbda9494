#include "registry.hpp"

namespace study {

char const* name_of(traffic kind) {
  switch (kind) {
    case traffic::read:
      return "read";
    case traffic::write:
      return "write";
    case traffic::copy:
      return "copy";
    case traffic::triad:
      return "triad";
    case traffic::transfer:
      return "transfer";
    case traffic::compute:
      return "compute";
    case traffic::none:
      break;
  }
  return "none";
}

char const* title_of(heading h) {
  switch (h) {
    case heading::kernels:
      return "Kernels of the textbooks";
    case heading::moves:
      return "Moving data";
    case heading::elementwise:
      return "Element by element";
    case heading::reductions:
      return "Reductions and scans";
    case heading::selections:
      return "Selecting, sorting, counting";
    case heading::rows:
      return "Rows of matrices";
    case heading::stencils:
      return "Stencils";
    case heading::products:
      return "Products of matrices";
    case heading::overheads:
      return "Overheads";
    case heading::none:
      break;
  }
  return "";
}

std::string row_name(benchmark const& b, std::string_view variant, index_t size) {
  return b.info->name + '/' + b.backend + '/' + std::string(variant) + '/' + b.info->type + '/' + std::to_string(size);
}

registry all_cases() {
  registry r;
  add_elementwise_cases(r);
  add_sum_cases(r);
  add_warp_cases(r);
  add_scan_cases(r);
  add_selection_cases(r);
  add_sort_cases(r);
  add_histogram_cases(r);
  add_grid_cases(r);
  add_row_cases(r);
  add_stencil_cases(r);
  add_matrix_cases(r);
  add_tensor_cases(r);
  add_sparse_cases(r);
  add_algorithm_cases(r);
  add_stream_cases(r);
  add_record_cases(r);
  add_transfer_cases(r);
  add_overhead_cases(r);
  add_selftest_cases(r);
  return r;
}

}  // namespace study
