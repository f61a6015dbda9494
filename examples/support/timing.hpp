// For the examples: how long something takes on a stream, by the stream's own events.
#pragma once

#include <dolmen/core/stream.hpp>

namespace example {

/// Seconds that the device needs for what `body` gives to the stream: the best of `repeats`, after one that warms up.
template <dolmen::stream_type Stream, class Body>
double best_seconds(Stream const& stream, int repeats, Body const& body) {
  typename Stream::backend::event begin, end;
  double best = 0;
  for (int i = 0; i <= repeats; ++i) {
    begin.record(stream);
    body();
    end.record(stream);
    end.wait();
    double const seconds = elapsed(begin, end);
    if (i == 1 || (i > 1 && seconds < best)) best = seconds;
  }
  return best;
}

}  // namespace example
