// Algorithms that are captured into a graph before they ran for the first time, and run again on other data.
#pragma once

#include <cstring>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/repeated.hpp"

namespace testing {

/// Small whole numbers. The second ones are all greater than 10, the first ones less.
template <class T>
std::vector<T> small_values(index_t n, bool second) {
  std::vector<T> values;
  for (int v : whole_values<int>(n, second ? 2 : 1)) values.push_back(static_cast<T>(second ? v + 20 : v));
  return values;
}

template <class T>
bool same_bytes(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// What the stream's pool hands out next holds these bytes.
template <class B>
void leave_bytes(typename B::stream const& s, int value) {
  std::vector<dolmen::buffer<std::uint8_t, B>> held;
  for (index_t bytes : {512, 4096, 1 << 16, 1 << 20, 1 << 23}) {
    held.emplace_back(s, bytes);
    dolmen::fill(s, held.back(), static_cast<std::uint8_t>(value));
  }
}

/// work(stream, in, out) takes n elements In to `outputs` elements Out, for a few n, of which other data make something else.
/// It runs as a graph and, on another stream at the same time, directly: the results are the same bits. Without graphs the calls
/// are made again: what they find in temporary memory, zeros at one time and NaNs at another, makes no difference.
template <class B, class In, class Out, class Work>
void check_repeated(index_t n, index_t outputs, Work work) {
  CAPTURE(n);
  typename B::stream s, other;
  std::vector<In> const data[] = {small_values<In>(n, false), small_values<In>(n, true)};
  auto in = dolmen::upload(s, data[0]);
  dolmen::buffer<Out, B> out(s, outputs), direct(s, outputs);
  s.synchronize();
  auto const source = dolmen::view<In const>(in.view());
  auto const calls = [&] { work(s, source, out.view()); };
  repeated<B, std::decay_t<decltype(calls)>> captured(s, calls);
  std::vector<Out> results[2];
  for (int k : {1, 0, 1}) {
    dolmen::copy(s, data[k], in);
    dolmen::fill(s, out, Out{});
    dolmen::fill(s, direct, Out{});
    s.synchronize();
    constexpr bool leaves = !decltype(captured)::is_graph && !is_check<B>;  // which keeps no memory, and reports such reads
    if constexpr (leaves) leave_bytes<B>(other, 0);
    captured.run(other);
    if constexpr (leaves) leave_bytes<B>(s, 0xff);
    work(s, source, direct.view());
    other.synchronize();
    results[k] = dolmen::download(s, out);
    CHECK(same_bytes(results[k], dolmen::download(s, direct)));
  }
  CHECK(!same_bytes(results[0], results[1]));
}

/// A result that is a truth, where a vector of bool could not be downloaded.
inline dolmen::view<bool> as_bool(dolmen::view<std::uint8_t> out) { return {reinterpret_cast<bool*>(out.data()), out.size()}; }

/// Of one block, and of many.
inline std::vector<index_t> repeated_sizes() { return {1000, size_of(300000, 6000)}; }

}  // namespace testing
