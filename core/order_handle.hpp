// What streams and events hold of the order that pool/ordering.hpp keeps, without its headers: those cost every program
// more to read than the whole library.
#pragma once

#include "config.hpp"

namespace dolmen::detail {

/// A std::shared_ptr<stream_order>; complete in pool/ordering.hpp.
struct order_handle;

/// What an event recorded: an order_snapshot. Complete in pool/ordering.hpp.
struct order_record;
DOLMEN_API void retain(order_record* record) noexcept;
DOLMEN_API void release(order_record* record) noexcept;

/// A counted reference, as std::shared_ptr is. T may be incomplete: retain(T*) and release(T*), found through T's namespace,
/// count, and release destroys with the last reference.
template <class T>
class counted {
 public:
  counted() = default;
  /// Takes over one reference.
  explicit counted(T* object) noexcept : object_(object) {}
  counted(counted const& other) noexcept : object_(other.object_) {
    if (object_) retain(object_);
  }
  counted(counted&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  counted& operator=(counted other) noexcept {
    T* const old = object_;
    object_ = other.object_;
    other.object_ = old;
    return *this;
  }
  ~counted() {
    if (object_) release(object_);
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(counted const& a, counted const& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace dolmen::detail
