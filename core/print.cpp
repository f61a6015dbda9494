#include "print.hpp"

#include "error.hpp"

namespace dolmen::detail {

block_index& current_block() noexcept {
  thread_local block_index here{-1, -1, -1};
  return here;
}

void assertion_failed(char const* condition, char const* file, int line, int rank) {
  block_index const b = current_block();
  std::string const who = rank < 0 ? "" : text(", thread ", rank);
  throw launch_error(
      text("DOLMEN_ASSERT(", condition, ") failed: block (", b.x, ", ", b.y, ", ", b.z, ")", who, " (", file, ':', line, ')'));
}

}  // namespace dolmen::detail
