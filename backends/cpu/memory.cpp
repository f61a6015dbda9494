#include "memory.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "../../core/host_memory.hpp"
#include "../../core/pool/memory_pool.hpp"
#include "backend.hpp"

namespace dolmen::cpu {

using dolmen::detail::allocation;
using dolmen::detail::bytes_text;
using dolmen::detail::memory_pool;
using dolmen::detail::text;

static_assert(backend_type<backend>);

namespace {

// Linux promises memory that it does not have, and kills the process when it is touched. What cannot be there is
// refused here.
std::size_t free_memory() { return std::size_t(sysconf(_SC_AVPHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE)); }
std::size_t all_memory() { return std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGESIZE)); }

// Linux gives large pages to those that ask (transparent huge pages). With them the translations of more addresses are at hand,
// which speeds up what goes through many rows at once: a transposition of doubles by 15%, a copy by 5%.
void* take(std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096, large_page = std::size_t(2) << 20;
  if (bytes > all_memory()) return nullptr;
  bool const large = bytes >= 2 * large_page;
  void* data = nullptr;
  std::size_t const size = (bytes + page - 1) / page * page;
  if (posix_memalign(&data, large ? large_page : page, size) != 0) return nullptr;
#if defined(MADV_HUGEPAGE)
  if (large) madvise(data, size, MADV_HUGEPAGE);  // where it is refused, nothing is lost
#endif
  return data;
}

// What the pool holds counts as in use, so that it gives back its cache before the machine runs out.
std::atomic<std::size_t> held_by_pool{0};

void* take_for_pool(std::size_t bytes) noexcept {
  if (held_by_pool + bytes > all_memory()) return nullptr;
  void* data = take(bytes);
  if (data) held_by_pool += bytes;
  return data;
}

void release_from_pool(void* data, std::size_t bytes) noexcept {
  std::free(data);
  held_by_pool -= bytes;
}

}  // namespace

memory_pool& impl::pool() {
  static memory_pool& only = *[] {
    auto* const made = new memory_pool({take_for_pool, release_from_pool, [] { return true; }, free_memory, "the CPU"});
    pthread_atfork([] { pool().lock(); }, [] { pool().unlock(); }, [] { pool().unlock(); });  // once: after what may throw
    return made;
  }();
  return only;
}

void backend::refuse_handle(char const* call, char const* what, source_location where) { dolmen::detail::refuse_handle(call, what, where); }

allocation backend::allocate(stream const& s, std::size_t bytes, memory kind, source_location where) {
  dolmen::detail::require_stream(s, "allocate", where);
  if (kind == memory::pooled) {
    auto* block = dolmen::detail::with_host_memory("buffer", where, [&] { return impl::pool().allocate(bytes, *s.order(), where); });
    return {block->data, bytes, block};
  }
  return {allocate_pinned(bytes, where), bytes, nullptr};
}

void backend::release(allocation const& a, stream const& s) noexcept {
  if (a.block)
    impl::pool().free(a.block, s.order());
  else
    std::free(a.data);
}

void* backend::allocate_pinned(std::size_t bytes, source_location where) {
  void* data = take(bytes);
  if (!data) {
    dolmen::detail::with_host_memory("buffer", where, [] { impl::pool().trim(); });
    data = take(bytes);
  }
  if (!data)
    throw out_of_memory(text("out of memory on the CPU: asked for ", bytes_text(double(bytes)), ", the machine has ",
                             bytes_text(double(free_memory())), " free of ", bytes_text(double(all_memory()))),
                        where);
  return data;
}

void backend::release_pinned(void* data) noexcept { std::free(data); }

}  // namespace dolmen::cpu
