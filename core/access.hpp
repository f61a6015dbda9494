// How an index and an element look to a kernel. Plain builds: a number and a reference. Under DOLMEN_CHECK an index
// knows the source line on which it was written and an element records how it is used.
#pragma once

#include "half.hpp"
#include "memory_order.hpp"
#if defined(DOLMEN_CHECK)
#include <utility>

#include "source_location.hpp"
#endif

namespace dolmen {

namespace detail {
template <class I>
concept index_like =
    !is_floating_v<std::remove_cvref_t<I>> && !std::same_as<I, bool> && (std::is_enum_v<I> || std::convertible_to<I, index_t>);

/// How an element is used. An atomic update reads and writes, whether or not it changes anything. A fence uses no element.
enum class access_kind { read, write, atomic_read, atomic_write, atomic_update, fence };
}  // namespace detail

#if !defined(DOLMEN_CHECK)

/// An index of a view or tile: any integer, enum, or what converts to index_t; not a floating-point number.
struct at {
  index_t value;
  template <detail::index_like I>
  DOLMEN_INLINE_FN constexpr at(I i) : value(static_cast<index_t>(i)) {}
};

namespace detail {
template <class T>
using reference = T&;

template <class T>
DOLMEN_INLINE_FN constexpr T& access(T* where, at) {
  return *where;
}
}  // namespace detail

#else

/// An index of a view or tile: any integer, enum, or what converts to index_t; not a floating-point number.
struct at {
  index_t value;
  source_location line;
  template <detail::index_like I>
  constexpr at(I i, source_location where = source_location::current()) : value(static_cast<index_t>(i)), line(where) {}
};

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
};

/// Takes the accesses of the calling thread. Nothing is recorded while no recorder is set.
struct access_recorder {
  virtual void record(access_event const& event) = 0;

 protected:
  ~access_recorder() = default;
};

DOLMEN_API access_recorder*& current_recorder() noexcept;

inline void record(void const* address, int width, access_kind kind, source_location line, memory_order order = memory_order::relaxed,
                   memory_scope scope = memory_scope::device) {
  if (auto* recorder = current_recorder()) recorder->record({address, width, kind, line, order, scope});
}

/// One mutable element. It cannot be copied, and is read or written only where it was made, so that
/// `auto old = v(0); v(0) = v(1); v(1) = old;` is an error here and cannot silently mean something else.
template <class T>
class element {
 public:
  element(T* where, source_location line) : where_(where), line_(line) {}
  element(element const&) = delete;

  operator T() && { return load(); }
  // A half is a float wherever one is wanted, and a conversion of a class has only one step.
  operator float() && requires half_type<T> { return load(); }
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

 private:
  T load() const {
    record(where_, sizeof(T), access_kind::read, line_);
    return *where_;
  }
  void store(T value) const {
    record(where_, sizeof(T), access_kind::write, line_);
    *where_ = value;
  }
  T* where_;
  source_location line_;
};

// What an operator takes: the value, if it is an element.
template <class T>
T operand(element<T>&& e) {
  return std::move(e);
}
template <class T>
T const& operand(T const& value) {
  return value;
}
template <class T>
inline constexpr bool is_half_element = false;
template <half_type T>
inline constexpr bool is_half_element<element<T>> = true;

// Elements of half types could be added as such or as floats; they are added as the numbers themselves would be.
template <class A, class B>
concept half_elements = is_half_element<A> || is_half_element<B>;
template <class A, class B>
requires half_elements<A, B>
auto operator+(A&& a, B&& b) { return operand(std::forward<A>(a)) + operand(std::forward<B>(b)); }
template <class A, class B>
requires half_elements<A, B>
auto operator-(A&& a, B&& b) { return operand(std::forward<A>(a)) - operand(std::forward<B>(b)); }
template <class A, class B>
requires half_elements<A, B>
auto operator*(A&& a, B&& b) { return operand(std::forward<A>(a)) * operand(std::forward<B>(b)); }
template <class A, class B>
requires half_elements<A, B>
auto operator/(A&& a, B&& b) { return operand(std::forward<A>(a)) / operand(std::forward<B>(b)); }
template <half_type T>
T operator-(element<T>&& a) {
  return -operand(std::move(a));
}

template <class T>
using reference = std::conditional_t<std::is_const_v<T>, std::remove_const_t<T>, element<T>>;

template <class T>
reference<T> access(T* where, at i) {
  if constexpr (std::is_const_v<T>) {
    record(where, sizeof(T), access_kind::read, i.line);
    return *where;
  } else {
    return {where, i.line};
  }
}

}  // namespace detail
#endif
}  // namespace dolmen
