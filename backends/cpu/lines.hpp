// Stores of whole cache lines past the caches, where the machine has them: a line that is only written need not be read.
#pragma once

#include <cstring>

#include "../../core/types.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace dolmen::cpu {
namespace {

constexpr index_t line_bytes = 64;

/// Copies whole lines to an address that is a multiple of a line's size.
inline void store_lines(char* to, char const* from, index_t bytes) {
#if defined(__AVX512F__)
  for (index_t i = 0; i < bytes; i += line_bytes) _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
#elif defined(__SSE2__)
  for (index_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
#else
  std::memcpy(to, from, std::size_t(bytes));
#endif
}

/// Copies bytes to any address; what is no whole line goes through the caches.
inline void store_past_cache(char* to, char const* from, index_t bytes) {
  index_t const head = min(bytes, index_t(-reinterpret_cast<std::uintptr_t>(to) % line_bytes));
  index_t const lines = (bytes - head) / line_bytes * line_bytes;
  if (head > 0) std::memcpy(to, from, std::size_t(head));
  store_lines(to + head, from + head, lines);
  if (head + lines < bytes) std::memcpy(to + head + lines, from + head + lines, std::size_t(bytes - head - lines));
}

/// Before other threads are told: stores past the caches are in no order with others.
inline void finish_lines() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace
}  // namespace dolmen::cpu
