// atomic_ref: one element of a view or tile, used atomically; and fence.
//
// Not offered: 8- and 16-bit types (half and bfloat16 among them), bool, enums, packs, and sequentially consistent order.
// Every GPU that Dolmen supports has what is offered here; the rest would be a loop over a wider word on some of them.
#pragma once

#include "access.hpp"
#include "atomic_host.hpp"
#include "source_location.hpp"

namespace dolmen {

namespace detail {

/// The operations of a device whose code is compiled apart from the host's: the functions of host_atomics, and
/// device_atomics<void>::fence. The backend of that device defines them, in a header that every kernel file includes; since
/// what follows are templates, before or after the kernel is the same.
template <class T>
struct device_atomics;

#if DOLMEN_ON_DEVICE
template <class T>
using atomics = device_atomics<T>;
#else
template <class T>
using atomics = host_atomics<T>;
#endif

}  // namespace detail

namespace types {

/// One element that several threads may use at once: `bins.atomic(k).fetch_add(1);`. Made by `atomic` of views (default scope:
/// the device) and of tiles (default scope: the block), with the indices of the call operator. The names are those of
/// std::atomic_ref; T is a 32- or 64-bit integer, float or double. The fetch operations return the value before.
///
///   load, store, exchange, compare_exchange, fetch_add, fetch_sub, fetch_min, fetch_max      all types
///   fetch_and, fetch_or, fetch_xor                                                            integers
///
/// Order is relaxed unless said otherwise: `counter.atomic(0).fetch_add(1, memory_order::acq_rel)`. Order and scope should be
/// constants, which costs nothing; a variable order costs branches.
///
/// Integers wrap around. compare_exchange compares bits: -0.0 is not 0.0, and a NaN equals itself. The minimum or maximum with
/// a NaN, of either sign, in the cell or in the argument, is a NaN; -0.0 is less than 0.0. Sums of floats depend on the order in
/// which threads come, and a GPU may flush subnormal operands and results of a float's fetch_add in global memory to zero.
///
/// Rules (the check backend records what they need):
/// - The threads of one phase, and the blocks of one launch, may use the same element at the same time if all of them do so
///   by atomics of sufficient scope. Block scope is sufficient for the threads of one block only, also in global memory.
/// - A plain read or write of the element, at the same time as another thread's atomic, is a race. A barrier between them
///   makes it right within the block; between blocks, the end of the launch, or an acquire of what was released.
/// - A relaxed atomic orders nothing but its own element: it hands no other data over. Release and acquire do, in pairs: an
///   operation that writes with release, and one that reads that value (or what further atomic updates made of it) with acquire.
///   Both need a scope that includes the other thread. Fences do the same around relaxed atomics: fence(release) before the
///   write, fence(acquire) after the read.
/// - Release covers what the releasing thread saw, so also what the other threads of its block wrote before a sync(). After
///   one thread acquired, a barrier (sync, uniform) hands that on to its block.
/// - fetch_min and fetch_max that change nothing, and a compare_exchange that fails, count as updates in these rules,
///   whatever happened to be in the cell. A compare_exchange that fails releases nothing.
/// - A block that waits for another block's value may wait for ever: blocks need not run at the same time.
template <class T, memory_scope Default = memory_scope::device>
class atomic_ref {
  static_assert(!std::is_const_v<T>, "atomics are for mutable elements: this view's are constant");
  static_assert(detail::atomic_type<std::remove_const_t<T>>,
                "atomics are for 32- and 64-bit integers, float and double; this element type has none");
  using operations = detail::atomics<T>;

 public:
  using value_type = T;
  static constexpr memory_scope default_scope = Default;

  /// Views and tiles make these.
  DOLMEN_INLINE_FN atomic_ref(T* cell, [[maybe_unused]] at index) : cell_(cell) {
#if defined(DOLMEN_CHECK)
    line_ = index.line;
#endif
  }

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T load(memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::load(cell<detail::access_kind::atomic_read>(order, scope), order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN void store(T value, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    operations::store(cell<detail::access_kind::atomic_write>(order, scope), value, order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T exchange(T value, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::exchange(cell<detail::access_kind::atomic_update>(order, scope), value, order, scope);
  }
  /// Writes `desired` if the element equals `expected`, bit for bit. Otherwise `expected` becomes what the element is; it
  /// never fails without reason.
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN bool compare_exchange(T& expected, T desired, memory_order order = memory_order::relaxed,
                                         memory_scope scope = Default) const {
    return operations::compare_exchange(cell<detail::access_kind::atomic_update>(order, scope), expected, desired, order, scope);
  }

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_add(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::fetch_add(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_sub(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::fetch_add(cell<detail::access_kind::atomic_update>(order, scope), detail::negative(x), order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_min(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::fetch_min(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_max(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    return operations::fetch_max(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_and(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    static_assert(detail::atomic_integer<T>, "atomics: fetch_and, fetch_or and fetch_xor are for integers");
    return operations::fetch_and(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_or(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    static_assert(detail::atomic_integer<T>, "atomics: fetch_and, fetch_or and fetch_xor are for integers");
    return operations::fetch_or(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN T fetch_xor(T x, memory_order order = memory_order::relaxed, memory_scope scope = Default) const {
    static_assert(detail::atomic_integer<T>, "atomics: fetch_and, fetch_or and fetch_xor are for integers");
    return operations::fetch_xor(cell<detail::access_kind::atomic_update>(order, scope), x, order, scope);
  }

 private:
#if defined(DOLMEN_CHECK)
  template <detail::access_kind Kind>
  detail::open_for_atomic<T, Kind> cell(memory_order order, memory_scope scope) const {
    return {cell_, line_, order, scope};
  }
#else
  template <detail::access_kind Kind>
  DOLMEN_INLINE_FN T* cell(memory_order, memory_scope) const {
    return cell_;
  }
#endif

  T* cell_;
#if defined(DOLMEN_CHECK)
  source_location line_;
#endif
};

}  // namespace types

using types::atomic_ref;

/// Orders the calling thread's accesses without touching an element: fence(release) before a relaxed atomic write makes that
/// write release, fence(acquire) after a relaxed atomic read makes that read acquire; see the rules above. A relaxed fence does
/// nothing. It is no barrier: nobody waits.
DOLMEN_NO_EXEC_CHECK
template <class Device = void>
DOLMEN_INLINE_FN void fence(memory_order order, memory_scope scope = memory_scope::device,
                            [[maybe_unused]] source_location where = source_location::current()) {
#if defined(DOLMEN_CHECK)
  if (auto* recorder = detail::current_recorder()) recorder->record({nullptr, 0, detail::access_kind::fence, where, order, scope});
#endif
#if DOLMEN_ON_DEVICE
  detail::device_atomics<Device>::fence(order, scope);
#else
  detail::host_fence(order, scope);
#endif
}

}  // namespace dolmen
