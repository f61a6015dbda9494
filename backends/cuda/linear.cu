#include "linear.hpp"

#include "transform.cuh"

namespace dolmen::cuda {
#include "../linear_bodies.inc"
}  // namespace dolmen::cuda
