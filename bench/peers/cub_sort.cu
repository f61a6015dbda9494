// Radix sort by CUB, with temporary memory that is kept, as its users keep it.
#include <cub/device/device_radix_sort.cuh>

#include "cub.hpp"
#include "raw_launch.hpp"

namespace study::peers {
namespace {

using kept = dolmen::buffer<std::byte, dolmen::cuda::backend>;

void* at_least(dolmen::cuda::stream const& s, kept& memory, std::size_t bytes) {
  if (memory.size() < dolmen::index_t(bytes)) memory = kept(s, dolmen::index_t(bytes));
  return memory.data();
}

/// call(temporary memory, its size): asks for the size, then works.
template <class Call>
void with_memory(dolmen::cuda::stream const& s, Call const& call) {
  static kept temporary;
  std::size_t bytes = 0;
  forget_pending_error();
  check(call(nullptr, bytes), "radix sort");
  check(call(at_least(s, temporary, bytes), bytes), "radix sort");
}

template <class T>
void bring(dolmen::cuda::stream const& s, T const* from, T* to, dolmen::index_t n) {
  if (from != to) check(cudaMemcpyAsync(to, from, std::size_t(n) * sizeof(T), cudaMemcpyDeviceToDevice, s.native()), "copy");
}

kept other_keys, other_values;

}  // namespace

template <class T>
void cub_sort(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n) {
  with_memory(s, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n, 0, int(8 * sizeof(T)), s.native());
  });
}

template <class T>
void cub_sort_in_place(dolmen::cuda::stream const& s, T const* in, T* out, dolmen::index_t n) {
  bring(s, in, out, n);
  cub::DoubleBuffer<T> keys(out, static_cast<T*>(at_least(s, other_keys, std::size_t(n) * sizeof(T))));
  with_memory(s, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, n, 0, int(8 * sizeof(T)), s.native());
  });
  bring(s, keys.Current(), out, n);
}

void cub_sort_pairs_in_place(dolmen::cuda::stream const& s, std::int32_t* keys, std::int32_t* values, dolmen::index_t n) {
  using element = std::int32_t;
  std::size_t const bytes_of_each = std::size_t(n) * sizeof(element);
  cub::DoubleBuffer<element> k(keys, static_cast<element*>(at_least(s, other_keys, bytes_of_each)));
  cub::DoubleBuffer<element> v(values, static_cast<element*>(at_least(s, other_values, bytes_of_each)));
  with_memory(s, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, n, 0, int(8 * sizeof(element)), s.native());
  });
  bring(s, k.Current(), keys, n);
  bring(s, v.Current(), values, n);
}

#define STUDY_CUB_SORT(T)                                                             \
  template void cub_sort(dolmen::cuda::stream const&, T const*, T*, dolmen::index_t); \
  template void cub_sort_in_place(dolmen::cuda::stream const&, T const*, T*, dolmen::index_t);
STUDY_CUB_SORT(std::int32_t)
STUDY_CUB_SORT(std::int64_t)
STUDY_CUB_SORT(std::uint8_t)
STUDY_CUB_SORT(float)
STUDY_CUB_SORT(double)

}  // namespace study::peers
