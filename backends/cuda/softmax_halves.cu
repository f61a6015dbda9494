#include "softmax.cuh"

namespace dolmen::cuda {

DOLMEN_SOFTMAX(half)
DOLMEN_SOFTMAX(bfloat16)

}  // namespace dolmen::cuda
