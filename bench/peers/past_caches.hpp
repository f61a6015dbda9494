// The CPU's streams by hand with stores that bypass the caches.
#pragma once

#include "peers.hpp"

namespace study::peers {

#if DOLMEN_HAS_CPU
void relu_past_caches(dolmen::cpu::stream const&, float const* in, float* out, index_t n);
void vector_add_past_caches(dolmen::cpu::stream const&, float const* a, float const* b, float* c, index_t n);
void multiply_add_past_caches(dolmen::cpu::stream const&, float const* a, float const* b, float const* c, float* out, index_t n);
template <class T>
void triad_past_caches(dolmen::cpu::stream const&, T scalar, T const* a, T const* b, T* c, index_t n);
template <class T>
void fill_past_caches(dolmen::cpu::stream const&, T* out, T value, index_t n);
void copy_past_caches(dolmen::cpu::stream const&, float const* from, float* to, index_t n);
#else  // cases name them in branches that a build without the CPU never takes
template <class... In>
void relu_past_caches(In&&...);
template <class... In>
void vector_add_past_caches(In&&...);
template <class... In>
void multiply_add_past_caches(In&&...);
template <class... In>
void triad_past_caches(In&&...);
template <class... In>
void fill_past_caches(In&&...);
template <class... In>
void copy_past_caches(In&&...);
#endif

}  // namespace study::peers
