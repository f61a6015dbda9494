// Keeps what the calling thread accesses, from construction to stop().
#pragma once

#include <vector>

#include <dolmen/core/access.hpp>

namespace testing {

struct recorder final : dolmen::detail::access_recorder {
  recorder() { dolmen::detail::current_recorder() = this; }
  ~recorder() { stop(); }
  void stop() { dolmen::detail::current_recorder() = nullptr; }
  bool record(dolmen::detail::access_event const& event) override {
    events.push_back(event);
    return true;
  }

  bool is(std::size_t i, dolmen::detail::access_kind kind, void const* address, int width, int line = 0) const {
    auto const& e = events[i];
    return e.kind == kind && e.address == address && e.width == width && (line == 0 || int(e.line.line()) == line);
  }

  std::vector<dolmen::detail::access_event> events;
};

}  // namespace testing
