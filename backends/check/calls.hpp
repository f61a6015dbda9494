// Calls of a user's functions by algorithms. What they read and write through views that they hold is legal, as it is in a kernel,
// and judged as a kernel's accesses are.
#pragma once

#include "course.hpp"
#include "operations.hpp"

namespace dolmen::check::impl {

/// While one lives, accesses of the calling thread are those of a function that the operation calls. Each call is a thread of its
/// own, in no order with the others. Waits until no kernel runs.
class DOLMEN_API function_calls {
 public:
  function_calls(operation_number by, source_location where);
  ~function_calls();
  function_calls(function_calls const&) = delete;

  /// What follows belongs to another call.
  [[gnu::always_inline]] void next() {
    if (++call_ == together) begin();
    course_->runs(call_);
  }

 private:
  struct state;
  static constexpr int together = 1024;  // calls that differ by the thread on record; others differ by the block
  void begin();
  state* state_;
  course* course_ = nullptr;
  int call_ = together - 1;
};

/// A function whose calls are told apart.
template <class F>
class watched {
 public:
  watched(F const& f, function_calls& calls) : f_(f), calls_(calls) {}
  template <class... X>
  decltype(auto) operator()(X const&... x) const {
    calls_.next();
    return f_(x...);
  }

 private:
  F const& f_;
  function_calls& calls_;
};

}  // namespace dolmen::check::impl
