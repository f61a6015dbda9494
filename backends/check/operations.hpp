// Operations of streams, and which of them run after which.
#pragma once

#include <memory>
#include <string>

#include "../../core/ordering.hpp"
#include "../../core/shape.hpp"
#include "record.hpp"

namespace dolmen::check::impl {

using operation_number = std::uint32_t;  // 0: none

struct operation_info {
  std::string name;  // "launch of kernel", "copy", ...
  site where = 0;
  std::shared_ptr<dolmen::detail::stream_order> stream;
  std::uint64_t tick = 0;
  dolmen::block_index grid{1, 1, 1};
  interval first_interval = 0;
  interval settled = 0;  // what has a lower interval is ordered before this operation
};

/// Begins an operation at the end of the stream.
DOLMEN_API operation_number begin_operation(std::string name, std::shared_ptr<dolmen::detail::stream_order> const& stream,
                                            source_location where, dolmen::block_index grid = {1, 1, 1});
operation_info const& operation(operation_number n);

/// True if `later`, which is being given to its stream now, runs after `earlier`.
bool runs_after(operation_number later, operation_number earlier);
/// True if the host has waited for it.
bool host_waited(operation_number n);

/// "element 5 (float of 4 bytes) of 100 bytes allocated at app.cpp:12"
std::string describe_address(void const* address, int width);

/// A read that no order ties to a newer one of the same word, whose record takes its place: kept apart, for writes to come.
void keep_parted_read(char const* word, std::uint64_t record);
/// Such a read of this word that `by` does not run after; 0 if there is none.
extern std::atomic<std::size_t> parted_reads_kept;  // how many there are
std::uint64_t parted_read(operation_number by, char const* word);

enum class use {
  read,  ///< values count: bytes that were never written are reported
  move,  ///< values are passed on, written or not
  write,
  allocate,  ///< the memory begins here: whatever used these addresses before is over
  release,   ///< nothing may use it after this
};
/// A library operation uses these bytes of device memory. Returns false, after a report, where they are not all of one live
/// allocation: the operation must leave them alone. Other memory than the device's passes.
DOLMEN_API bool use_range(operation_number by, void const* begin, std::size_t bytes, use what);

}  // namespace dolmen::check::impl
