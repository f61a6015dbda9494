// What is kept of operations, for the checks of accesses.
#pragma once

#include <atomic>
#include <memory>

#include "../../core/pool/ordering.hpp"
#include "intervals.hpp"
#include "operations.hpp"

namespace dolmen::check::impl {

struct operation_info {
  std::string name;  // "launch of kernel", "copy", ...
  site where = 0;
  std::shared_ptr<dolmen::detail::stream_order> stream;
  std::uint64_t tick = 0;
  dolmen::block_index grid{1, 1, 1};
  interval first_interval = 0;
  interval settled = 0;  // what has a lower interval is ordered before this operation
};

operation_info const& operation(operation_number n);

/// A read that no order ties to a newer one of the same word, whose record takes its place: kept apart, for writes to come.
void keep_parted_read(char const* word, std::uint64_t record);
/// Such a read of this word that `by` does not run after; 0 if there is none.
extern std::atomic<std::size_t> parted_reads_kept;  // how many there are
std::uint64_t parted_read(operation_number by, char const* word);

}  // namespace dolmen::check::impl
