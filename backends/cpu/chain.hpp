// Chunks of a line that depend on all chunks before them only by one value, as in scans: threads take them in order,
// and hand that value on before they write.
#pragma once

#include <optional>

#include "engine.hpp"

namespace dolmen::cpu::impl {

/// Waits until it is chunk c's turn. False if another thread's chunk failed.
class DOLMEN_API turns {
 public:
  bool wait(index_t c) const noexcept;
  void pass(index_t c) noexcept { __atomic_store_n(&next_, c + 1, __ATOMIC_RELEASE); }
  void fail() noexcept { __atomic_store_n(&next_, failed, __ATOMIC_RELEASE); }

 private:
  static constexpr index_t failed = -1;
  index_t next_ = 0;
};

/// Calls write(begin, end, before) for every chunk of [0, n), where `before` is what the chunks before it and `initial`
/// come to, if anything; it returns what its own chunk comes to. sum(begin, end) returns the same and writes nothing.
/// join(a, b) puts the values of neighbours together. What is joined with what depends on n and chunk alone, not on
/// threads: before(c + 1) is join(before(c), sum of c).
///
/// Whoever holds the lowest chunk waits for nobody, so that this ends with any number of threads, also with one.
template <class Value, class Sum, class Join, class Write>
void in_chunks(index_t n, index_t chunk, std::optional<Value> const& initial, Sum const& sum, Join const& join, Write const& write) {
  index_t const chunks = ceil_div(n, chunk);
  auto before = initial;
  auto const append = [&](Value const& value) { before = before ? std::optional<Value>(join(*before, value)) : value; };
  int const threads = chunks > 1 ? workers() : 1;
  if (threads == 1) {
    for (index_t begin = 0; begin < n; begin += chunk) append(write(begin, min(begin + chunk, n), before));
    return;
  }
  index_t next = 0;
  turns turn;
  run_ranges(min(index_t(threads), chunks), 1, [&](index_t, index_t, scratch&) {
    try {
      for (index_t c; (c = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < chunks;) {
        index_t const begin = c * chunk, end = min(begin + chunk, n);
        Value const mine = sum(begin, end);
        if (!turn.wait(c)) return;
        auto const here = before;
        append(mine);
        turn.pass(c);
        write(begin, end, here);
      }
    } catch (...) {
      turn.fail();
      throw;
    }
  });
}

}  // namespace dolmen::cpu::impl
