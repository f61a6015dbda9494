#include "calls.hpp"

#include <optional>

#include "monitor.hpp"

namespace dolmen::check::impl {

struct function_calls::state {
  std::unique_lock<std::mutex> alone{one_launch_at_a_time()};
  launch_state launch;
  shared_memory none;
  std::uint32_t block = 0;  // that of the library's own accesses
  std::optional<monitor> watch;
};

function_calls::function_calls(operation_number by, source_location where) : state_(new state) {
  auto const& o = operation(by);
  state_->launch.operation = by;
  state_->launch.where = where;
  state_->launch.kernel = o.name;
  state_->launch.of_functions = state_->launch.one_worker = true;
  state_->launch.order = std::make_shared<clocks>();
  state_->launch.settled = o.settled;
}

function_calls::~function_calls() {
  state_->watch.reset();
  state_->launch.judge_early();
  window::get().close();
  delete state_;
}

void function_calls::begin() {
  auto& s = *state_;
  s.watch.reset();
  s.none.start(nullptr, 0);
  s.watch.emplace(s.launch, ++s.block, s.none, 0);
  s.watch->size = together;
  s.watch->phase_begins(source_location());
  course_ = &*s.watch;
  call_ = 0;
}

}  // namespace dolmen::check::impl
