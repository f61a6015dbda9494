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

template <class Index>
__global__ void __launch_bounds__(threads) number(Index* indices, index_t n) {
  each(n, [&](index_t i) { indices[i] = Index(i); });
}
/// Keys as unsigned numbers in the order of sort.
template <class T, class Index>
__global__ void __launch_bounds__(threads) rank_and_number(T const* keys, word_of<T>* ranks, Index* indices, index_t n, bool descending) {
  each(n, [&](index_t i) {
    ranks[i] = sort_rank(keys[i], descending);
    indices[i] = Index(i);
  });
}
template <class V, class Index>
__global__ void __launch_bounds__(threads) gather(V const* from, Index const* indices, V* to, index_t n) {
  each(n, [&](index_t i) { to[i] = from[indices[i]]; });
}

template <class V>
void move(stream const& s, V const* from, V* to, index_t n, source_location where) {
  if (from != to) impl::check(cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(V), cudaMemcpyDeviceToDevice, s.native()), "sort", where);
}

/// values[i] = the old values[indices[i]].
template <class V, class Index>
void rearrange(stream const& s, V* values, Index const* indices, index_t n, source_location where) {
  buffer<V, backend> moved(s, n, memory::pooled, where);
  impl::launch_native(s, "sort_by_key", blocks_for(n), threads, 0, where, gather<V, Index>, values, indices, moved.data(), n);
  move(s, moved.data(), values, n, where);
}

/// Values of 32 or 64 bits go along with their keys.
template <class T, class V>
void sort_along(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  buffer<T, backend> other(s, n, memory::pooled, where);
  buffer<V, backend> other_values(s, n, memory::pooled, where);
  auto const sorted = impl::radix_sort_pairs(s, keys, other.data(), values, other_values.data(), n, descending, where);
  move(s, sorted.first, keys, n, where);
  move(s, sorted.second, values, n, where);
}

/// Other values are brought to where their indices went. Keys of 8 and 16 bits are sorted by their ranks, of which there is one
/// type for each size: they take little of the time.
template <class Index, class T, class V>
void sort_indices(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  buffer<Index, backend> indices(s, n, memory::pooled, where), other_indices(s, n, memory::pooled, where);
  if constexpr (sizeof(T) >= 4) {
    buffer<T, backend> other(s, n, memory::pooled, where);
    impl::launch_native(s, "sort_by_key", blocks_for(n), threads, 0, where, number<Index>, indices.data(), n);
    auto const sorted = impl::radix_sort_pairs(s, keys, other.data(), indices.data(), other_indices.data(), n, descending, where);
    move(s, sorted.first, keys, n, where);
    rearrange(s, values, sorted.second, n, where);
  } else {
    using word = word_of<T>;
    buffer<word, backend> ranks(s, n, memory::pooled, where), other(s, n, memory::pooled, where);
    impl::launch_native(s, "sort_by_key", blocks_for(n), threads, 0, where, rank_and_number<T, Index>, keys, ranks.data(), indices.data(),
                        n, descending);
    auto const sorted = impl::radix_sort_pairs(s, ranks.data(), other.data(), indices.data(), other_indices.data(), n, false, where);
    rearrange(s, reinterpret_cast<word*>(keys), sorted.second, n, where);
    rearrange(s, values, sorted.second, n, where);
  }
}

}  // namespace

template <class T>
void launch_sort(stream const& s, T* keys, index_t n, bool descending, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  buffer<T, backend> other(s, n, memory::pooled, where);
  move(s, impl::radix_sort(s, keys, other.data(), n, descending, where), keys, n, where);
}

template <class T, class V>
void launch_sort_by_key(stream const& s, T* keys, V* values, index_t n, bool descending, source_location where) {
  impl::device_guard guard(s.device_index(), where);
  if (reinterpret_cast<std::uintptr_t>(values) % alignof(V) != 0) {  // records of bytes may lie anywhere
    buffer<V, backend> aligned(s, n, memory::pooled, where);
    move(s, values, aligned.data(), n, where);
    launch_sort_by_key(s, keys, aligned.data(), n, descending, where);
    return move(s, aligned.data(), values, n, where);
  }
  if constexpr (sizeof(T) >= 4 && (sizeof(V) == 4 || sizeof(V) == 8))
    sort_along(s, keys, values, n, descending, where);
  else if (n >> 32 == 0)
    sort_indices<std::uint32_t>(s, keys, values, n, descending, where);
  else
    sort_indices<std::uint64_t>(s, keys, values, n, descending, where);
}

DOLMEN_EACH_NUMBER(DOLMEN_SORTS)

}  // namespace dolmen::cuda
