// Handles may be global: however the process ends, it ends with status 0.
#include "../backends.hpp"

#include <thread>

#include "../support/child.hpp"

using namespace dolmen;
using testing::run_child;

namespace {

template <class B>
struct globals {
  std::optional<typename B::stream> stream;
  std::optional<typename B::event> event;
  buffer<float, B> pooled, direct;
  pinned_buffer<float, B> pinned;
};
// Namespace scope: made before main, ended after it. Nothing of a backend runs in their constructors.
template <class B>
globals<B> global;

template <class B>
void use_globals() {
  auto& g = global<B>;
  g.stream.emplace();
  g.event.emplace();
  g.pooled = buffer<float, B>(*g.stream, 1 << 20);
  g.direct = buffer<float, B>(*g.stream, 1000, memory::direct);
  g.pinned = pinned_buffer<float, B>(1000);
  fill(*g.stream, g.pooled, 1.0f);
  g.event->record(*g.stream);
  if (sum(*g.stream, g.pooled) != float(1 << 20)) std::_Exit(3);
}

template <class B>
void leave_by_thread() {
  std::thread([] {
    use_globals<B>();
    std::exit(0);
  }).join();
}

// A static local is made after, so ended before, what Dolmen made before it; the other order is above.
template <class B>
void function_static() {
  static buffer<float, B> kept(typename B::stream(), 1000);
  if (kept.size() != 1000) std::_Exit(3);
}

}  // namespace

DOLMEN_TEST_CHILD(leaves_by_return) { DOLMEN_TEST_IN_CHILD(use_globals); }
DOLMEN_TEST_CHILD(leaves_by_exit) {
  DOLMEN_TEST_IN_CHILD(use_globals);
  std::exit(0);
}
DOLMEN_TEST_CHILD(leaves_by_exit_from_a_thread) { DOLMEN_TEST_IN_CHILD(leave_by_thread); }
DOLMEN_TEST_CHILD(keeps_a_function_static) { DOLMEN_TEST_IN_CHILD(function_static); }
DOLMEN_TEST_CHILD(touches_nothing) {}

TEST_CASE_TEMPLATE("exit: with global handles", B, DOLMEN_TEST_BACKENDS) {
  for (std::string const name :
       {"leaves_by_return", "leaves_by_exit", "leaves_by_exit_from_a_thread", "keeps_a_function_static", "touches_nothing"}) {
    CAPTURE(name);
    auto const r = run_child(name);
    CHECK(r.status == 0);
    CHECK(r.output == "");
  }
}
