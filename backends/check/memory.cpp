#include "memory.hpp"

#include "findings.hpp"
#include "operations.hpp"
#include "pinned.hpp"
#include "window.hpp"

namespace dolmen::check {

using dolmen::detail::allocation;
using dolmen::detail::bytes_text;
using dolmen::detail::text;

static_assert(backend_type<backend>);

allocation backend::allocate(stream const& s, std::size_t bytes, memory kind, source_location where) {
  s.require_valid("buffer", where);
  auto const by = impl::begin_operation("allocation", s.order(), where);
  char* const data = impl::window::get().allocate(bytes, impl::site_of(where), by, kind == memory::pooled);
  if (!data)
    throw out_of_memory(text("out of memory on the check backend: asked for ", bytes_text(double(bytes)), ", its device has ",
                             bytes_text(double(impl::window::get().free_bytes())), " free; the pool hands out ",
                             bytes_text(double(impl::window::get().pooled())), " and caches 0 B"),
                        where);
  impl::use_range(by, data, bytes, impl::use::allocate);
  return {data, bytes, nullptr};
}

void backend::release(allocation const& a, stream const& s) noexcept {
  try {
    auto const where = source_location();
    auto const by = impl::begin_operation("free", s.order(), where);
    auto& w = impl::window::get();
    auto const info = w.find(a.data);
    if (info.live && info.begin == a.data) impl::use_range(by, a.data, a.bytes, impl::use::release);
    if (auto const outcome = w.release(static_cast<char*>(a.data), by); outcome != impl::window::outcome::done) {
      finding f;
      f.what = kind::double_free;
      f.kernel = "free";
      f.element = outcome == impl::window::outcome::twice ? impl::describe_address(a.data, 0) : "memory of somebody else";
      f.first = impl::place_of(info.where);
      impl::report(std::move(f));
    }
    impl::flush();
  } catch (...) {  // freeing never throws; a report that does not fit in memory is lost
  }
}

void* backend::allocate_pinned(std::size_t bytes, source_location where) {
  void* const data = impl::allocate_pinned(bytes, impl::site_of(where));
  if (!data)
    throw out_of_memory(text("out of memory on the check backend: asked for ", bytes_text(double(bytes)), " of pinned memory"), where);
  return data;
}

void backend::release_pinned(void* data) noexcept { impl::release_pinned(data); }

}  // namespace dolmen::check
