#include "linear.hpp"

#include "transform.hpp"

namespace dolmen::cpu {
#include "../linear_bodies.inc"
}  // namespace dolmen::cpu
