#include <cub/device/device_radix_sort.cuh>

#include "../../core/buffer.hpp"
#include "memory.hpp"
#include "radix.hpp"
#include "runtime.hpp"

namespace dolmen::cuda::impl {

template <class Word>
Word* radix_sort(stream const& s, Word* keys, Word* other, index_t n, source_location where) {
  cub::DoubleBuffer<Word> both(keys, other);
  std::size_t bytes = 0;
  auto const sort = [&](void* temporary) {
    call_library("sort", where,
                 [&] { return cub::DeviceRadixSort::SortKeys(temporary, bytes, both, n, 0, int(8 * sizeof(Word)), s.native()); });
  };
  sort(nullptr);
  buffer<std::byte, backend> room(s, max(index_t(bytes), index_t(1)), memory::pooled, where);
  sort(room.data());
  finish(s, "sort", where);
  return both.Current();
}

#define DOLMEN_RADIX(Word) template Word* radix_sort(stream const&, Word*, Word*, index_t, source_location);
DOLMEN_RADIX(std::uint8_t)
DOLMEN_RADIX(std::uint16_t)
DOLMEN_RADIX(std::uint32_t)
DOLMEN_RADIX(std::uint64_t)

}  // namespace dolmen::cuda::impl
