#include "memory.hpp"

#include "../../core/host_memory.hpp"
#include "findings.hpp"
#include "operations.hpp"
#include "pinned.hpp"
#include "sites.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::allocation;
using dolmen::detail::bytes_text;
using dolmen::detail::text;
using dolmen::detail::with_host_memory;

static_assert(backend_type<backend>);

void backend::refuse_handle(char const* call, char const* what, source_location where) {
  with_host_memory(call, where, [&] {
    finding f;
    f.what = kind::bad_handle;
    f.kernel = call;
    f.element = what;
    f.first = impl::place_of(impl::site_of(where));
    impl::report(std::move(f));
  });
  impl::flush();
  dolmen::detail::refuse_handle(call, what, where);
}

allocation backend::allocate(stream const& s, std::size_t bytes, memory kind, source_location where) {
  s.require_valid("allocate", where);
  auto const by = impl::begin_operation("allocation", s.order(), where);
  char* const data = with_host_memory(
      "buffer", where, [&] { return impl::window::get().allocate(bytes, impl::site_of(where), by, kind == memory::pooled); });
  if (!data)
    throw out_of_memory(text("out of memory on the check backend: asked for ", bytes_text(double(bytes)), ", its device has ",
                             bytes_text(double(impl::window::get().free_bytes())), " free; the pool hands out ",
                             bytes_text(double(impl::window::get().pooled())), " and caches 0 B"),
                        where);
  impl::use_range(by, data, bytes, impl::use::allocate);
  return {data, bytes, nullptr};
}

// The memory is given back in any case; what does not fit in the host's memory is the operation's record and its findings.
void backend::release(allocation const& a, stream const& s) noexcept {
  auto& w = impl::window::get();
  impl::operation_number by = 0;
  impl::window::outcome outcome{};
  bool released = false;
  try {
    by = impl::begin_operation("free", s.order(), source_location());
    auto const info = w.find(a.data);
    if (info.live && info.begin == a.data) impl::use_range(by, a.data, a.bytes, impl::use::release);
    outcome = w.release(static_cast<char*>(a.data), by);
    released = true;
    if (outcome != impl::window::outcome::done) {
      finding f;
      f.what = kind::double_free;
      f.kernel = "free";
      f.element = outcome == impl::window::outcome::twice ? impl::describe_address(a.data, 0) : "memory of somebody else";
      f.first = impl::place_of(info.where);
      impl::report(std::move(f));
    }
    impl::flush();
  } catch (...) {
    if (!released) w.release(static_cast<char*>(a.data), by);
  }
}

void* backend::allocate_pinned(std::size_t bytes, source_location where) {
  void* const data = with_host_memory("pinned_buffer", where, [&] { return impl::allocate_pinned(bytes, impl::site_of(where)); });
  if (!data)
    throw out_of_memory(text("out of memory on the check backend: asked for ", bytes_text(double(bytes)), " of pinned memory"), where);
  return data;
}

void backend::release_pinned(void* data) noexcept { impl::release_pinned(data); }

}  // namespace dolmen::check
