// What algorithms of the library do under the check backend: they say which elements they read and write, then work on the
// memory behind.
#pragma once

#include "../../core/host_memory.hpp"
#include "../../core/layout.hpp"
#include "calls.hpp"
#include "findings.hpp"
#include "host_pointers.hpp"
#include "operations.hpp"
#include "stream.hpp"
#include "window.hpp"

namespace dolmen::check::impl {

/// One operation of a stream, for the length of a scope: `reads` and `writes` say what it touches, and return false, after a
/// report, where that is not to be touched. Its findings are told when it ends. A user's functions are called in `calls`.
class algorithm {
 public:
  algorithm(char const* name, stream const& s, source_location where) : name_(name), where_(where) {
    s.require_valid(name, where);
    by_ = dolmen::detail::with_host_memory(name, where, [&] { return begin_operation(name, s.order(), where); });
  }
  ~algorithm() { flush(); }
  algorithm(algorithm const&) = delete;

  template <class T>
  bool reads(dolmen::detail::strided<T> const& v) const {
    return uses(v, use::read);
  }
  template <class T>
  bool writes(dolmen::detail::strided<T> const& v) const {
    return uses(v, use::write);
  }
  template <class T>
  bool reads(T const* data, index_t n) const {
    return n == 0 || uses(data, std::size_t(n) * sizeof(T), use::read);
  }
  template <class T>
  bool writes(T* data, index_t n) const {
    return n == 0 || uses(data, std::size_t(n) * sizeof(T), use::write);
  }

  /// Calls body(calls), where a call of f is watched(f, calls)(...): what it does through views is judged. `functions` are looked
  /// through for addresses of the host.
  template <class Body, class... F>
  void calls(Body&& body, F const&... functions) const {
    function_calls current = dolmen::detail::with_host_memory(name_, where_, [&] {
      (look_for_host_pointers(functions, where_), ...);
      return function_calls(by_, where_);
    });
    try {
      body(current);
    } catch (gave_up const&) {  // it waited for what does not come, which was reported
    }
  }

 private:
  // Reports take memory of the host.
  bool uses(void const* data, std::size_t bytes, use what) const {
    return dolmen::detail::with_host_memory(name_, where_, [&] { return use_range(by_, data, bytes, what); });
  }
  template <class T>
  bool uses(dolmen::detail::strided<T> const& v, use what) const {
    bool usable = true;
    if (v.size() == 0) return usable;
    for (index_t z = 0; z < v.extent[0]; ++z)
      for (index_t y = 0; y < v.extent[1]; ++y)
        usable = uses(v.data + v.offset(z, y), std::size_t(v.extent[2]) * sizeof(T), what) && usable;
    return usable;
  }
  char const* name_;
  source_location where_;
  operation_number by_;
};

/// Where to read and write what a view holds. Host memory is itself.
template <class T>
T* opened(T* p) {
  auto const& w = window::get();
  return w.holds(p) ? reinterpret_cast<T*>(w.reach(p)) : p;
}
template <class T>
dolmen::detail::strided<T> opened(dolmen::detail::strided<T> v) {
  v.data = opened(v.data);
  return v;
}

}  // namespace dolmen::check::impl
