// Operations of streams, and which of them run after which.
#pragma once

#include <string>

#include "../../core/order_handle.hpp"
#include "../../core/shape.hpp"
#include "record.hpp"

namespace dolmen::check::impl {

using operation_number = std::uint32_t;  // 0: none

/// Begins an operation at the end of the stream.
DOLMEN_API operation_number begin_operation(std::string name, dolmen::detail::order_handle const& stream, source_location where,
                                            dolmen::block_index grid = {1, 1, 1});
/// True if `later`, which is being given to its stream now, runs after `earlier`.
bool runs_after(operation_number later, operation_number earlier);
/// True if the host has waited for it.
bool host_waited(operation_number n);

/// A type's name, as its source has it, from typeid(T).name().
std::string plain_name(char const* mangled);

/// "element 5 (float of 4 bytes) of 100 bytes allocated at app.cpp:12"
std::string describe_address(void const* address, int width);

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
