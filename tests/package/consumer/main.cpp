#include "kernels.hpp"

int main() {
  chosen::stream stream;
  chosen_buffer<float> data(stream, 1000);
  dolmen::fill(stream, data, 2.0f);
  scale(stream, data, 3.0f);
  return dolmen::sum(stream, data) == 6000.0f ? 0 : 1;
}
