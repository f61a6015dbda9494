// Atomic operations where a block's threads run one after another on one thread of the operating system: the cpu and the
// check backend.
#pragma once

#include "atomic_types.hpp"
#include "memory_order.hpp"

namespace dolmen::detail {

/// Stands before each operation. A phase is a loop that is declared to be free of dependences, and its vectorised form loses
/// additions to the same cell (g++ 12 lost four in five). An `asm` that may change the cell is neither analysed nor
/// duplicated along a vector by any compiler, so such a loop stays as it is written. It emits no instruction.
template <class T>
DOLMEN_INLINE_FN void stop_vectoriser([[maybe_unused]] T* cell) {
#if !DOLMEN_ON_DEVICE
  asm volatile("" : "+m"(*cell));
#endif
}

DOLMEN_INLINE_FN constexpr int builtin_order(memory_order order) {
  return order == memory_order::relaxed   ? __ATOMIC_RELAXED
         : order == memory_order::acquire ? __ATOMIC_ACQUIRE
         : order == memory_order::release ? __ATOMIC_RELEASE
                                          : __ATOMIC_ACQ_REL;
}
DOLMEN_INLINE_FN constexpr int acquire_half(memory_order order) { return acquires(order) ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED; }
DOLMEN_INLINE_FN constexpr int release_half(memory_order order) { return releases(order) ? __ATOMIC_RELEASE : __ATOMIC_RELAXED; }

/// Device scope is the processor's atomics. Within a block nothing runs at the same time, so plain reads and writes will do,
/// in the order in which they stand.
template <class T>
struct host_atomics {
  DOLMEN_INLINE_FN static T load(T* cell, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::block) return *cell;
    T value;
    __atomic_load(cell, &value, acquire_half(order));
    return value;
  }

  DOLMEN_INLINE_FN static void store(T* cell, T value, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::block)
      *cell = value;
    else
      __atomic_store(cell, &value, release_half(order));
  }

  DOLMEN_INLINE_FN static T exchange(T* cell, T value, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    T old;
    if (scope == memory_scope::block) {
      old = *cell;
      *cell = value;
    } else {
      __atomic_exchange(cell, &value, &old, builtin_order(order));
    }
    return old;
  }

  DOLMEN_INLINE_FN static bool compare_exchange(T* cell, T& expected, T desired, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::device)
      return __atomic_compare_exchange(cell, &expected, &desired, false, builtin_order(order), acquire_half(order));
    T const seen = *cell;
    bool const same = bits_of(seen) == bits_of(expected);
    if (same)
      *cell = desired;
    else
      expected = seen;
    return same;
  }

  DOLMEN_INLINE_FN static T fetch_add(T* cell, T x, memory_order order, memory_scope scope) {
    if constexpr (atomic_integer<T>)
      if (scope == memory_scope::device) {
        stop_vectoriser(cell);
        return __atomic_fetch_add(cell, x, builtin_order(order));
      }
    return update(cell, order, scope, [x](T old) { return sum(old, x); });
  }
  DOLMEN_INLINE_FN static T fetch_min(T* cell, T x, memory_order order, memory_scope scope) {
    return replace(cell, x, order, scope, [x](T old) { return lowers(old, x); });
  }
  DOLMEN_INLINE_FN static T fetch_max(T* cell, T x, memory_order order, memory_scope scope) {
    return replace(cell, x, order, scope, [x](T old) { return raises(old, x); });
  }
  DOLMEN_INLINE_FN static T fetch_and(T* cell, T x, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::device) return __atomic_fetch_and(cell, x, builtin_order(order));
    return update(cell, order, scope, [x](T old) { return static_cast<T>(old & x); });
  }
  DOLMEN_INLINE_FN static T fetch_or(T* cell, T x, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::device) return __atomic_fetch_or(cell, x, builtin_order(order));
    return update(cell, order, scope, [x](T old) { return static_cast<T>(old | x); });
  }
  DOLMEN_INLINE_FN static T fetch_xor(T* cell, T x, memory_order order, memory_scope scope) {
    stop_vectoriser(cell);
    if (scope == memory_scope::device) return __atomic_fetch_xor(cell, x, builtin_order(order));
    return update(cell, order, scope, [x](T old) { return static_cast<T>(old ^ x); });
  }

 private:
  template <class Next>
  DOLMEN_INLINE_FN static T update(T* cell, memory_order order, memory_scope scope, Next next) {
    stop_vectoriser(cell);
    T old;
    if (scope == memory_scope::block) {
      old = *cell;
      *cell = next(old);
      return old;
    }
    __atomic_load(cell, &old, __ATOMIC_RELAXED);
    T desired;
    do desired = next(old);
    while (!__atomic_compare_exchange(cell, &old, &desired, true, builtin_order(order), __ATOMIC_RELAXED));
    return old;
  }

  // Nothing is written where nothing changes, unless the write is what releases.
  template <class Replaces>
  DOLMEN_INLINE_FN static T replace(T* cell, T x, memory_order order, memory_scope scope, Replaces replaces) {
    stop_vectoriser(cell);
    T old;
    if (scope == memory_scope::block) {
      old = *cell;
      if (replaces(old)) *cell = x;
      return old;
    }
    __atomic_load(cell, &old, acquire_half(order));
    T desired;
    do {
      bool const changes = replaces(old);
      if (!changes && !releases(order)) break;
      desired = changes ? x : old;
    } while (!__atomic_compare_exchange(cell, &old, &desired, true, builtin_order(order), acquire_half(order)));
    return old;
  }
};

DOLMEN_INLINE_FN void host_fence([[maybe_unused]] memory_order order, [[maybe_unused]] memory_scope scope) {
#if !DOLMEN_ON_DEVICE
  asm volatile("" : : : "memory");
  if (scope == memory_scope::device && order != memory_order::relaxed) __atomic_thread_fence(builtin_order(order));
#endif
}

}  // namespace dolmen::detail
