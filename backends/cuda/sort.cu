#include "sort.hpp"

#include "launch.cuh"
#include "radix.hpp"

namespace dolmen::cuda {

using dolmen::detail::sort_rank;
using dolmen::detail::word_of;

namespace {

constexpr int threads = 256;

template <class Body>
__device__ __forceinline__ void each(index_t n, Body body) {
  for (index_t i = index_t(blockIdx.x) * threads + threadIdx.x; i < n; i += index_t(gridDim.x) * threads) body(i);
}
unsigned blocks_for(index_t n) { return unsigned(min(ceil_div(n, index_t(threads)), index_t(1) << 20)); }

template <class T>
__global__ void __launch_bounds__(threads) rank_keys(T const* keys, word_of<T>* ranks, index_t n, bool descending) {
  each(n, [&](index_t i) { ranks[i] = sort_rank(keys[i], descending); });
}
template <class T, class Place>
__global__ void __launch_bounds__(threads) rank_and_number(T const* keys, word_of<T>* ranks, Place* places, index_t n, bool descending) {
  each(n, [&](index_t i) {
    ranks[i] = sort_rank(keys[i], descending);
    places[i] = Place(i);
  });
}
/// Integers from their ranks.
template <class Word>
__global__ void __launch_bounds__(threads) keys_of_ranks(Word const* ranks, Word* keys, index_t n, Word turned) {
  each(n, [&](index_t i) { keys[i] = Word(ranks[i] ^ turned); });
}
template <class V, class Place>
__global__ void __launch_bounds__(threads) gather(V const* from, Place const* places, V* to, index_t n) {
  each(n, [&](index_t i) { to[i] = from[places[i]]; });
}

template <class V>
void move(stream const& s, V const* from, V* to, index_t n, source_location where) {
  if (from != to) impl::check(cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(V), cudaMemcpyDeviceToDevice, s.native()), "sort", where);
}

/// values[i] = the old values[places[i]].
template <class V, class Place>
void rearrange(stream const& s, V* values, Place const* places, index_t n, source_location where) {
  buffer<V, backend> room(s, n, memory::pooled, where);
  impl::launch_native(s, "sort_by_key", blocks_for(n), threads, 0, where, gather<V, Place>, values, places, room.data(), n);
  move(s, room.data(), values, n, where);
}

template <class Place, class T, class V>
void sort_places(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  using word = word_of<T>;
  buffer<word, backend> ranks(s, n, memory::pooled, where), other(s, n, memory::pooled, where);
  buffer<Place, backend> places(s, n, memory::pooled, where), other_places(s, n, memory::pooled, where);
  impl::launch_native(s, "sort_by_key", blocks_for(n), threads, 0, where, rank_and_number<T, Place>, keys, ranks.data(), places.data(), n,
                      descending);
  auto const sorted = impl::radix_sort_pairs(s, ranks.data(), other.data(), places.data(), other_places.data(), n, where);
  rearrange(s, reinterpret_cast<word*>(keys), sorted.second, n, where);
  rearrange(s, values, sorted.second, n, where);
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  using word = word_of<T>;
  impl::device_guard guard(s.device_index(), where);
  buffer<word, backend> room(s, n, memory::pooled, where);
  auto* const words = reinterpret_cast<word*>(keys);
  if constexpr (std::is_integral_v<T>) {
    constexpr word sign = std::is_signed_v<T> ? word(word(1) << (8 * sizeof(T) - 1)) : word(0);
    word const turned = descending ? word(~sign) : sign;
    if (turned == 0) {
      move(s, impl::radix_sort(s, words, room.data(), n, where), words, n, where);
    } else {
      impl::launch_native(s, "sort", blocks_for(n), threads, 0, where, rank_keys<T>, keys, room.data(), n, descending);
      word* const sorted = impl::radix_sort(s, room.data(), words, n, where);
      impl::launch_native(s, "sort", blocks_for(n), threads, 0, where, keys_of_ranks<word>, sorted, words, n, turned);
    }
  } else {  // keys whose ranks are equal, zeros and NaNs, are brought along
    buffer<word, backend> ranks(s, n, memory::pooled, where), other(s, n, memory::pooled, where);
    impl::launch_native(s, "sort", blocks_for(n), threads, 0, where, rank_keys<T>, keys, ranks.data(), n, descending);
    auto const sorted = impl::radix_sort_pairs(s, ranks.data(), other.data(), words, room.data(), n, where);
    move(s, sorted.second, words, n, where);
  }
}

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  if (n >> 32 == 0)
    sort_places<std::uint32_t>(s, keys, values, n, descending, where);
  else
    sort_places<std::uint64_t>(s, keys, values, n, descending, where);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::cuda
