#include "layer_norm.cuh"

namespace dolmen::cuda {

DOLMEN_NORM(half)
DOLMEN_NORM(bfloat16)

}  // namespace dolmen::cuda
