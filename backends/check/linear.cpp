#include "linear.hpp"

#include "transform.hpp"

namespace dolmen::check {
#include "../linear_bodies.inc"
}  // namespace dolmen::check
