#include "../../core/access.hpp"

namespace dolmen::detail {

access_recorder*& current_recorder() noexcept {
  thread_local access_recorder* recorder = nullptr;
  return recorder;
}

}  // namespace dolmen::detail
