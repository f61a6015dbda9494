#pragma once

#include "../../core/buffer.hpp"
#include "memory.hpp"
#include "radix.hpp"
#include "radix_key.cuh"
#include "runtime.hpp"

namespace dolmen::cuda::impl {

/// CUB's sort for keys of one type and order; Payload is NullType where there is none.
template <bool Descending, class Key, class Payload>
cudaError_t call_cub(void* temporary, std::size_t& bytes, cub::DoubleBuffer<Key>& keys, cub::DoubleBuffer<Payload>& payload, index_t n,
                     cudaStream_t s) {
  using sort = cub::DeviceRadixSort;
  constexpr bool alone = std::is_same_v<Payload, cub::NullType>;
  constexpr int bits = int(8 * sizeof(Key));
  if constexpr (Descending && alone) return sort::SortKeysDescending(temporary, bytes, keys, n, 0, bits, s);
  if constexpr (Descending && !alone) return sort::SortPairsDescending(temporary, bytes, keys, payload, n, 0, bits, s);
  if constexpr (!Descending && alone) return sort::SortKeys(temporary, bytes, keys, n, 0, bits, s);
  if constexpr (!Descending && !alone) return sort::SortPairs(temporary, bytes, keys, payload, n, 0, bits, s);
}

template <bool Descending, class T, class Payload>
T* radix_sort_in(stream const& s, T* keys, T* other, cub::DoubleBuffer<Payload>& payload, index_t n, source_location where) {
  using key = typename radix_key<T, Descending>::type;
  constexpr bool by_cub = Descending && std::is_integral_v<T>;  // keys of floats are ascending for both orders
  cub::DoubleBuffer<key> both(reinterpret_cast<key*>(keys), reinterpret_cast<key*>(other));
  std::size_t bytes = 0;
  auto const sort = [&](void* temporary) {
    call_library("sort", where, [&] { return call_cub<by_cub>(temporary, bytes, both, payload, n, s.native()); });
  };
  sort(nullptr);
  buffer<std::byte, backend> workspace(s, max(index_t(bytes), index_t(1)), memory::pooled, where);
  sort(workspace.data());
  finish(s, "sort", where);
  return reinterpret_cast<T*>(both.Current());
}

template <class T>
T* radix_sort(stream const& s, T* keys, T* other, index_t n, bool descending, source_location where) {
  cub::DoubleBuffer<cub::NullType> none;
  return descending ? radix_sort_in<true>(s, keys, other, none, n, where) : radix_sort_in<false>(s, keys, other, none, n, where);
}

template <class T, class Payload>
std::pair<T*, Payload*> radix_sort_pairs(stream const& s, T* keys, T* other, Payload* payload, Payload* other_payload, index_t n,
                                         bool descending, source_location where) {
  cub::DoubleBuffer<Payload> with(payload, other_payload);
  T* const sorted = descending ? radix_sort_in<true>(s, keys, other, with, n, where) : radix_sort_in<false>(s, keys, other, with, n, where);
  return {sorted, with.Current()};
}

#define DOLMEN_RADIX(T) template T* radix_sort(stream const&, T*, T*, index_t, bool, source_location);
#define DOLMEN_RADIX_PAIRS(T, Payload) \
  template std::pair<T*, Payload*> radix_sort_pairs(stream const&, T*, T*, Payload*, Payload*, index_t, bool, source_location);

}  // namespace dolmen::cuda::impl
