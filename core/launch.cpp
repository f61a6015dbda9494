#include "launch.hpp"

namespace dolmen::detail {

bool any_blocks(char const* call, grid blocks, source_location where) {
  constexpr index_t most = 0x7fffffff, most_blocks = index_t(1) << 62;
  require(blocks.x >= 0 && blocks.y >= 0 && blocks.z >= 0, where, call, ": the grid is ", blocks.x, " x ", blocks.y, " x ", blocks.z,
          ", extents must not be negative");
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0) return false;
  bool const fits = blocks.x <= most && blocks.y <= most && blocks.z <= most && blocks.x * blocks.y <= most_blocks / blocks.z;
  require<launch_error>(fits, where, call, ": the grid is ", blocks.x, " x ", blocks.y, " x ", blocks.z, ", an extent is at most ", most,
                        " and all blocks are at most 2^62");
  return true;
}

}  // namespace dolmen::detail
