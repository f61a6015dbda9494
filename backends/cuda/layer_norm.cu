#include "layer_norm.cuh"

namespace dolmen::cuda {

DOLMEN_NORM(float)
DOLMEN_NORM(double)

}  // namespace dolmen::cuda
