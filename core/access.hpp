// How an index and an element look to a kernel. Plain builds: a number and a reference. Under DOLMEN_CHECK an index
// knows the source line on which it was written and an element records how it is used.
#pragma once

#include "half.hpp"
#include "memory_order.hpp"
#if defined(DOLMEN_CHECK)
#include <utility>

#include "quick_access.hpp"
#include "source_location.hpp"
#endif

namespace dolmen {

namespace types {
struct thread;
}
using types::thread;

namespace detail {
template <class I>
concept index_like =
    !is_floating_v<std::remove_cvref_t<I>> && !std::same_as<I, bool> && (std::is_enum_v<I> || std::convertible_to<I, index_t>);

/// How an element is used. An atomic update reads and writes, whether or not it changes anything. A fence uses no element.
enum class access_kind { read, write, atomic_read, atomic_write, atomic_update, fence };
}  // namespace detail

#if !defined(DOLMEN_CHECK)

namespace types {

/// An index of a view or tile: any integer, enum, or what converts to index_t; not a floating-point number.
struct at {
  index_t value;
  template <detail::index_like I>
  DOLMEN_INLINE_FN constexpr at(I i) : value(static_cast<index_t>(i)) {}
};

}  // namespace types

using types::at;

namespace detail {
template <class T>
using reference = T&;

template <class T>
DOLMEN_INLINE_FN constexpr T& access(T* where, at) {
  return *where;
}
}  // namespace detail

#else

namespace types {

/// An index of a view or tile: any integer, enum, or what converts to index_t; not a floating-point number.
struct at {
  index_t value;
  source_location line;
  template <detail::index_like I>
  constexpr at(I i, source_location where = source_location::current()) : value(static_cast<index_t>(i)), line(where) {}
};

}  // namespace types

using types::at;

namespace detail {

/// What is known about one access when it happens.
struct access_event {
  void const* address;
  int width;
  access_kind kind;
  source_location line;
  // Of atomics and fences; the rules are in atomic.hpp.
  memory_order order = memory_order::relaxed;
  memory_scope scope = memory_scope::device;
  bool together = false;        // the lanes of a warp do it as one, each its part
  void const* value = nullptr;  // of a plain write: what is to be written, where that is known
};

/// Takes the accesses of the calling thread. Nothing is recorded while no recorder is set.
struct DOLMEN_API access_recorder {
  /// False: the access is not to happen. A read then gives zeros.
  virtual bool record(access_event const& event) = 0;
  /// The commonest events, for recorders that want them quickly.
  virtual bool read(void const* address, int width, source_location where);
  virtual bool write(void const* address, int width, source_location where, void const* value);
  /// Called when an atomic operation has been done whose record left `performing` set: a recorder can keep the two together.
  virtual void performed();
  bool performing = false;
  /// An index that is not in [0, extent) of a dimension of the view or tile at `base`.
  virtual void outside(void const* base, index_t index, index_t extent, int dimension, source_location where);
  /// A pack at an address that is no multiple of its size. Throws invalid_argument unless overridden.
  virtual void misaligned(void const* address, int width, index_t index, source_location where);
  /// A value of this thread, or the one that it shares with its `neighbours`, is used.
  virtual void uses_value(thread const& owner, int neighbours, source_location where);
  /// A collective of warps begins.
  virtual void collective();

  /// The thread of the block whose phase runs; -1 for none. Its own values need no call of uses_value.
  int running = -1;
  quick_look quick;

 protected:
  ~access_recorder() = default;
};

extern DOLMEN_API constinit thread_local access_recorder* recorder_of_thread;
inline access_recorder*& current_recorder() noexcept { return recorder_of_thread; }

/// Addresses of device memory, which programs hold but cannot touch, and the way to the mapping that kernels use.
struct device_range {
  char *begin = nullptr, *end = nullptr;
  std::ptrdiff_t to_open = 0;
};
extern DOLMEN_API device_range device_addresses;

template <class T>
T* reach(T* p) {
  auto* const address = reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(p));
  bool const on_device = address >= device_addresses.begin && address < device_addresses.end;
  return reinterpret_cast<T*>(on_device ? address + device_addresses.to_open : address);
}

/// The memory to use for an access: the element's, or zeros where the access is not to happen (null: it was refused before).
template <class T>
[[gnu::noinline]] T* open(T* where, access_kind kind, source_location line, memory_order order = memory_order::relaxed,
                          memory_scope scope = memory_scope::device, bool together = false, void const* value = nullptr) {
  auto* const recorder = current_recorder();
  if (where && !recorder) return where;
  if (where) [[likely]] {
    bool const happens = together || kind > access_kind::write ? recorder->record({where, sizeof(T), kind, line, order, scope, together})
                         : kind == access_kind::read           ? recorder->read(where, sizeof(T), line)
                                                               : recorder->write(where, sizeof(T), line, value);
    if (happens) [[likely]]
      return reach(where);
  }
  alignas(T) thread_local unsigned char nothing[sizeof(T)];
  for (auto& byte : nothing) byte = 0;
  return reinterpret_cast<T*>(nothing);
}

template <class T>
inline constexpr bool whole_words = sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16;

// The same for plain reads and writes, with the first look here.
template <class T>
[[gnu::always_inline]] inline T* open_read(T* where, source_location line) {
  if constexpr (whole_words<T>)
    if (auto* const recorder = current_recorder(); where && recorder)
      if (char* const p = recorder->quick.pass<false, sizeof(T) / 4>(where, line)) [[likely]]
        return reinterpret_cast<T*>(p);
  return open(where, access_kind::read, line);
}
template <class T>
[[gnu::always_inline]] inline T* open_write(T* where, source_location line, T const& value) {
  if constexpr (whole_words<T>)
    if (auto* const recorder = current_recorder(); where && recorder)
      if (char* const p = recorder->quick.pass<true, sizeof(T) / 4>(where, line)) [[likely]]
        return reinterpret_cast<T*>(p);
  return open(where, access_kind::write, line, memory_order::relaxed, memory_scope::device, false, &value);
}

/// The memory of one atomic operation, until the end of the expression that does it.
template <class T, access_kind Kind>
class open_for_atomic {
 public:
  [[gnu::always_inline]] open_for_atomic(T* where, source_location line, memory_order order, memory_scope scope) {
    if constexpr (Kind == access_kind::atomic_update)
      if (auto* const recorder = current_recorder(); where && recorder) {
        memory_ = reinterpret_cast<T*>(scope == memory_scope::block
                                           ? recorder->quick.pass<true, sizeof(T) / 4, record_bits::in_block>(where, line)
                                           : recorder->quick.pass<true, sizeof(T) / 4, record_bits::in_device>(where, line));
        if (memory_) [[likely]]
          return;
      }
    memory_ = open(where, Kind, line, order, scope);
  }
  open_for_atomic(open_for_atomic const&) = delete;
  [[gnu::always_inline]] ~open_for_atomic() {
    if (auto* const recorder = current_recorder(); recorder && recorder->performing) recorder->performed();
  }
  operator T*() const { return memory_; }

 private:
  T* memory_;
};

/// True if `width` elements from i on are within a dimension; otherwise the recorder is told.
inline bool inside(void const* base, at i, index_t extent, int dimension, int width = 1) {
  if (i.value >= 0 && i.value + width <= extent) return true;
  auto* const recorder = current_recorder();
  if (recorder) recorder->outside(base, i.value < 0 || i.value >= extent ? i.value : i.value + width - 1, extent, dimension, i.line);
  return !recorder;
}

}  // namespace detail

namespace types {

/// One mutable element. It cannot be copied, and is read or written only where it was made, so that
/// `auto old = v(0); v(0) = v(1); v(1) = old;` is an error here and cannot silently mean something else.
template <class T>
class element {
 public:
  element(T* where, source_location line) : where_(where), line_(line) {}
  element(element const&) = delete;

  operator T() && { return load(); }
  // A half is a float wherever one is wanted, and a conversion of a class has only one step. As of a half, the others are explicit.
  template <detail::plain_number N>
  requires half_type<T>
  explicit(!std::same_as<N, float>) operator N() && { return static_cast<N>(load()); }
  void operator=(T value) && { store(value); }
  void operator=(element&& other) && { store(other.load()); }
  // Compound assignment is a read and a write.
  template <class U>
  void operator+=(U&& u) && {
    store(static_cast<T>(load() + std::forward<U>(u)));
  }
  template <class U>
  void operator-=(U&& u) && {
    store(static_cast<T>(load() - std::forward<U>(u)));
  }
  template <class U>
  void operator*=(U&& u) && {
    store(static_cast<T>(load() * std::forward<U>(u)));
  }
  template <class U>
  void operator/=(U&& u) && {
    store(static_cast<T>(load() / std::forward<U>(u)));
  }
  template <class U>
  void operator%=(U&& u) && {
    store(static_cast<T>(load() % std::forward<U>(u)));
  }
  template <class U>
  void operator&=(U&& u) && {
    store(static_cast<T>(load() & std::forward<U>(u)));
  }
  template <class U>
  void operator|=(U&& u) && {
    store(static_cast<T>(load() | std::forward<U>(u)));
  }
  template <class U>
  void operator^=(U&& u) && {
    store(static_cast<T>(load() ^ std::forward<U>(u)));
  }
  void operator++() && { store(static_cast<T>(load() + 1)); }
  void operator--() && { store(static_cast<T>(load() - 1)); }

  /// What an operator takes.
  T value() && { return load(); }

 private:
  T load() const { return *detail::open_read(where_, line_); }
  void store(T value) const { *detail::open_write(where_, line_, value) = value; }
  T* where_;
  source_location line_;
};

}  // namespace types

namespace detail {

template <class T>
struct value_of_reference<types::element<T>> {
  using type = T;
};

// What an operator takes: the value, if it is an element.
template <class T>
T operand(types::element<T>&& e) {
  return std::move(e).value();
}
template <class T>
T const& operand(T const& value) {
  return value;
}
template <class T>
inline constexpr bool is_element = false;
template <class T>
inline constexpr bool is_element<types::element<T>> = true;

// Elements of half types could be added as such or as floats, and other elements do not become what stands beside a half: both
// are computed with as the numbers themselves would be.
template <class A, class B>
concept half_elements = (is_element<std::remove_cvref_t<A>> || is_element<std::remove_cvref_t<B>>)&&(half_type<value_behind<A>> ||
                                                                                                     half_type<value_behind<B>>);

}  // namespace detail

namespace types {

#define DOLMEN_HALF_ELEMENTS(op)       \
  template <class A, class B>          \
  requires detail::half_elements<A, B> \
  auto operator op(A&& a, B&& b) { return detail::operand(std::forward<A>(a)) op detail::operand(std::forward<B>(b)); }
DOLMEN_HALF_ELEMENTS(+)
DOLMEN_HALF_ELEMENTS(-)
DOLMEN_HALF_ELEMENTS(*)
DOLMEN_HALF_ELEMENTS(/)
DOLMEN_HALF_ELEMENTS(==)
DOLMEN_HALF_ELEMENTS(!=)
DOLMEN_HALF_ELEMENTS(<)
DOLMEN_HALF_ELEMENTS(>)
DOLMEN_HALF_ELEMENTS(<=)
DOLMEN_HALF_ELEMENTS(>=)
#undef DOLMEN_HALF_ELEMENTS

template <half_type T>
T operator-(element<T>&& a) {
  return -std::move(a).value();
}
template <half_type T>
float operator+(element<T>&& a) {
  return std::move(a).value();
}
#define DOLMEN_HALF_ELEMENT_INTO(op)            \
  template <std::floating_point N, half_type T> \
  N& operator op(N& a, element<T>&& b) {        \
    return a op std::move(b).value();           \
  }
DOLMEN_HALF_ELEMENT_INTO(+=)
DOLMEN_HALF_ELEMENT_INTO(-=)
DOLMEN_HALF_ELEMENT_INTO(*=)
DOLMEN_HALF_ELEMENT_INTO(/=)
#undef DOLMEN_HALF_ELEMENT_INTO

}  // namespace types

namespace detail {

template <class T>
using reference = std::conditional_t<std::is_const_v<T>, std::remove_const_t<T>, types::element<T>>;

template <class T>
reference<T> access(T* where, at i) {
  if constexpr (std::is_const_v<T>) {
    return *open_read(where, i.line);
  } else {
    return {where, i.line};
  }
}

}  // namespace detail
#endif
}  // namespace dolmen
