#include "kernels.hpp"

#ifndef DOLMEN_KERNEL_FILE
#error "dolmen_add_executable did not mark this file"
#endif

void scale(chosen::stream& stream, dolmen::view<float> data, float by) {
  dolmen::for_each_index(
      stream, data.size(), DOLMEN_LAMBDA(dolmen::index_t i) { data(i) = data(i) * by; });
}
