// Calls algorithms only: any C++20 compiler will do.
#include "chosen.hpp"

int main() {
  chosen::stream stream;
  chosen_buffer<float> data(stream, 1000);
  dolmen::fill(stream, data, 2.0f);
  return dolmen::sum(stream, data) == 2000.0f ? 0 : 1;
}
