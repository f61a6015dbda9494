#include "softmax.cuh"

namespace dolmen::cuda {

DOLMEN_SOFTMAX(float)
DOLMEN_SOFTMAX(double)

}  // namespace dolmen::cuda
