#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "../../core/buffer.hpp"
#include "memory.hpp"
#include "radix.hpp"
#include "runtime.hpp"

namespace dolmen::cuda::impl {

template <class Word, class Payload>
std::pair<Word*, Payload*> radix_sort_pairs(stream const& s, Word* keys, Word* other, Payload* payload, Payload* other_payload, index_t n,
                                            source_location where) {
  cub::DoubleBuffer<Word> both(keys, other);
  cub::DoubleBuffer<Payload> with(payload, other_payload);
  std::size_t bytes = 0;
  auto const sort = [&](void* temporary) {
    call_library("sort", where,
                 [&] { return cub::DeviceRadixSort::SortPairs(temporary, bytes, both, with, n, 0, int(8 * sizeof(Word)), s.native()); });
  };
  sort(nullptr);
  buffer<std::byte, backend> room(s, max(index_t(bytes), index_t(1)), memory::pooled, where);
  sort(room.data());
  finish(s, "sort", where);
  return {both.Current(), with.Current()};
}

#define DOLMEN_RADIX_PAIRS(Word, Payload) \
  template std::pair<Word*, Payload*> radix_sort_pairs(stream const&, Word*, Word*, Payload*, Payload*, index_t, source_location);

}  // namespace dolmen::cuda::impl
