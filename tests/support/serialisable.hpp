// Whether atomic operations came one after another: what each found must be what another left.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace testing {

/// The bytes of a value as a number, so that NaN and -0.0 count as themselves.
template <class T>
std::uint64_t bits(T value) {
  std::uint64_t all = 0;
  std::memcpy(&all, &value, sizeof(T));
  return all;
}

/// True if there is an order of the operations, each a pair of the value it found and the value it left in the cell, that
/// begins with `initial`, ends with `final` and joins each operation to the next. That is a path which uses every edge of a
/// graph once (Euler): as many edges enter a value as leave it, but for the two ends, and all hang together.
template <class T>
bool serialisable(T initial, T final, std::vector<std::pair<T, T>> const& operations) {
  std::map<std::uint64_t, int> surplus;
  std::map<std::uint64_t, std::set<std::uint64_t>> neighbours;
  --surplus[bits(initial)];
  ++surplus[bits(final)];
  for (auto const& [found, left] : operations) {
    ++surplus[bits(found)];
    --surplus[bits(left)];
    neighbours[bits(found)].insert(bits(left));
    neighbours[bits(left)].insert(bits(found));
  }
  for (auto const& [value, n] : surplus)
    if (n != 0) return false;
  std::set<std::uint64_t> reached{bits(initial)};
  std::vector<std::uint64_t> todo{bits(initial)};
  while (!todo.empty()) {
    auto const value = todo.back();
    todo.pop_back();
    for (auto const next : neighbours[value])
      if (reached.insert(next).second) todo.push_back(next);
  }
  for (auto const& [found, left] : operations)
    if (!reached.count(bits(found)) || !reached.count(bits(left))) return false;
  return true;
}

}  // namespace testing
