// Stores that go past the caches (non-temporal): what is written is not read into the cache first, which saves a third of
// the memory traffic of a copy. Measured on two cores: 42 to 49 against 30 to 35 GB/s.
#pragma once

#include <cstring>

#include "../../core/types.hpp"

namespace dolmen::cpu {

/// Whether an operation that touches so many bytes should store past the caches: those would keep none of it for the next.
/// That is where it is more than half of the last-level cache, and more than 16 MiB per thread: virtual machines speak of
/// a whole processor's cache, of which they have a part.
DOLMEN_API bool past_caches(index_t bytes);

inline constexpr index_t line_bytes = 64;

/// Elements of T in a block that is made in the nearest cache and then moved: whole lines, about 512 bytes.
template <class T>
inline constexpr index_t staged = [] {
  index_t elements = 1;
  while (elements * index_t(sizeof(T)) % line_bytes != 0) elements *= 2;
  while (elements * index_t(sizeof(T)) < 512) elements *= 2;
  return elements;
}();

/// How many elements from p on lie before the first that begins a line; -1 if none does.
template <class T>
[[gnu::always_inline]] inline index_t elements_to_line(T const* p) {
  index_t elements = 0;
  for (auto at = reinterpret_cast<std::uintptr_t>(p); at % line_bytes != 0; at += sizeof(T))
    if (++elements == line_bytes) return -1;
  return elements;
}

#if defined(__SSE2__)
namespace impl {

// The compilers' own words for what <immintrin.h> offers: that header is longer than all of this library.
#if defined(__AVX512F__)
inline constexpr int widest_store = 64;
#elif defined(__AVX__)
inline constexpr int widest_store = 32;
#else
inline constexpr int widest_store = 16;
#endif
using wide = long long __attribute__((vector_size(widest_store), may_alias));
using wide_anywhere = long long __attribute__((vector_size(widest_store), may_alias, aligned(1)));

[[gnu::always_inline]] inline void store_wide(wide* to, wide value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, to);
#elif defined(__AVX512F__)
  __builtin_ia32_movntdq512(to, value);
#elif defined(__AVX__)
  __builtin_ia32_movntdq256(to, value);
#else
  __builtin_ia32_movntdq(to, value);
#endif
}

}  // namespace impl
#endif

/// Whole lines, to an address that begins one, by the widest stores there are: two cores move 46 GB/s by 64 bytes at a time and
/// 40 by 16, and of what was just made in the nearest cache 49 and 30.
[[gnu::always_inline]] inline void store_lines(void* to, void const* from, index_t bytes) {
#if defined(__SSE2__)
  constexpr int stores = int(line_bytes) / impl::widest_store;
  // g++ 12 would else see a block, and not that its maker writes all of it, and warn. Memory: what was written is to be there.
  asm volatile("" : "+r"(from) : : "memory");
  for (index_t i = 0; i < bytes; i += line_bytes) {
    auto const* const source = reinterpret_cast<impl::wide_anywhere const*>(static_cast<char const*>(from) + i);
    auto* const target = reinterpret_cast<impl::wide*>(static_cast<char*>(to) + i);
    impl::wide line[stores];
    for (int k = 0; k < stores; ++k) line[k] = source[k];
    for (int k = 0; k < stores; ++k) impl::store_wide(target + k, line[k]);
  }
#else
  std::memcpy(to, from, std::size_t(bytes));
#endif
}

/// Bytes to any address; what is no whole line goes through the caches.
[[gnu::always_inline]] inline void store_past_caches(void* to, void const* from, index_t bytes) {
  auto* const target = static_cast<char*>(to);
  auto const* const source = static_cast<char const*>(from);
  index_t const head = min(bytes, index_t(-reinterpret_cast<std::uintptr_t>(to) % line_bytes));
  index_t const end = head + (bytes - head) / line_bytes * line_bytes;
  if (head > 0) std::memcpy(target, source, std::size_t(head));
  store_lines(target + head, source + head, end - head);
  if (end < bytes) std::memcpy(target + end, source + end, std::size_t(bytes - end));
}

/// Before other threads may read what this one stored.
[[gnu::always_inline]] inline void finish_lines() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

/// Makes the elements [0, n) of `to` by make(T* to, index_t first, index_t count), which writes count of them, those from
/// `first` on, to the place it is given: the memory itself, or with `past` a block that is then stored past the caches.
/// Without `finish` the caller calls finish_lines, which waits for memory.
template <class T, class Make>
[[gnu::always_inline]] inline void make_elements(T* to, index_t n, bool past, Make const& make, bool finish = true) {
  constexpr index_t block = staged<T>;
  index_t const head = past && n >= 4 * block ? elements_to_line(to) : -1;
  if (head < 0) return make(to, index_t(0), n);
  alignas(line_bytes) unsigned char memory[block * index_t(sizeof(T))];
  T* const stage = reinterpret_cast<T*>(memory);
  if (head > 0) make(to, index_t(0), head);
  index_t i = head;
  for (; i + block <= n; i += block) {
    make(stage, i, block);
    store_lines(to + i, stage, index_t(sizeof memory));
  }
  if (finish) finish_lines();
  if (i < n) make(to + i, i, n - i);
}

}  // namespace dolmen::cpu
