#include "calls.hpp"

#include <memory>
#include <optional>

#include "../../core/host_memory.hpp"
#include "monitor.hpp"

namespace dolmen::check::impl {

struct function_calls::state {
  std::unique_lock<std::mutex> alone{one_launch_at_a_time()};
  launch_state launch;
  shared_memory none;
  std::uint32_t block = 0;  // that of the library's own accesses
  std::optional<monitor> watch;
};

function_calls::function_calls(operation_number by, source_location where)
    : state_(dolmen::detail::with_host_memory(operation(by).name.c_str(), where, [&] {
        auto const& o = operation(by);
        auto made = std::make_unique<state>();  // it holds a lock, also while the host's memory runs out
        made->launch.operation = by;
        made->launch.where = where;
        made->launch.kernel = o.name;
        made->launch.of_functions = made->launch.one_worker = true;
        made->launch.order = std::make_shared<clocks>();
        made->launch.settled = o.settled;
        return made.release();
      })) {}

function_calls::~function_calls() {
  state_->watch.reset();
  try {
    state_->launch.judge_early();
  } catch (...) {  // a report that does not fit in the host's memory is lost
  }
  window::get().close();
  delete state_;
}

void function_calls::begin() {
  auto& s = *state_;
  s.watch.reset();
  dolmen::detail::with_host_memory(s.launch.kernel.c_str(), s.launch.where, [&] { s.none.start(nullptr, 0); });
  s.watch.emplace(s.launch, ++s.block, s.none, 0);
  s.watch->size = together;
  s.watch->phase_begins(source_location());
  course_ = &*s.watch;
  call_ = 0;
}

}  // namespace dolmen::check::impl
