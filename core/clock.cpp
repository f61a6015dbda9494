#include "clock.hpp"

#include <chrono>

namespace dolmen::detail {

index_t steady_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace dolmen::detail
