#include "random.hpp"
#include "words.cuh"

#include "launch.cuh"

namespace dolmen::cuda {

using dolmen::detail::random_sequence;
using dolmen::detail::strided;

namespace {

constexpr int threads = 256;

/// A thread for each of Philox's blocks. `before` elements of the first block come before the view's first. Dense: the view
/// is one row, whose elements of a block are a word.
template <bool Dense, class Distribution>
__global__ void __launch_bounds__(threads)
    make_numbers(__grid_constant__ strided<typename Distribution::element> const out, __grid_constant__ Distribution const d,
                 random_sequence const sequence, index_t n, int before) {
  using T = typename Distribution::element;
  constexpr int per_block = Distribution::per_block;
  index_t const begin = (index_t(blockIdx.x) * threads + threadIdx.x) * per_block - before;  // the block's first element
  if (begin >= n) return;
  impl::elements<T, per_block> made;
  d.values(philox(sequence.seed, (sequence.first + std::uint64_t(begin)) / per_block), made.values);
  if (Dense && begin + per_block <= n) {
    impl::store_elements<per_block>(out.data + begin, made);
    return;
  }
  index_t const first = max(begin, index_t(0)), columns = out.extent[2];
  index_t line = first / columns, column = first - line * columns;
#pragma unroll
  for (int k = 0; k < per_block; ++k) {
    index_t const i = begin + k;
    if (i < 0 || i >= n) continue;
    index_t const plane = out.extent[0] == 1 ? 0 : line / out.extent[1];
    out.data[out.offset(plane, line - plane * out.extent[1]) + column] = made.values[k];
    if (++column == columns) {
      column = 0;
      ++line;
    }
  }
}

}  // namespace

template <class Distribution>
void launch_random(stream const& s, char const* name, strided<typename Distribution::element> out, Distribution d, random_sequence sequence,
                   source_location where) {
  constexpr int per_block = Distribution::per_block;
  impl::device_guard guard(s.device_index(), where);
  int const before = int(sequence.first % per_block);
  index_t const n = out.size(), blocks = ceil_div(ceil_div(n + before, index_t(per_block)), index_t(threads));
  dolmen::detail::require<launch_error>(blocks <= 0x7fffffff, where, name, ": ", n, " elements need ", blocks,
                                        " blocks, more than a grid has");
  bool const dense = before == 0 && out.contiguous() && impl::fits_words<per_block>(out.data, out.stride);
  auto const kernel = dense ? make_numbers<true, Distribution> : make_numbers<false, Distribution>;
  impl::launch_native(s, name, unsigned(blocks), threads, 0, where, kernel, out, d, sequence, n, before);
}

#define DOLMEN_RANDOM(...)                                                                                                                 \
  template DOLMEN_API void launch_random(stream const&, char const*, strided<typename __VA_ARGS__::element>, __VA_ARGS__, random_sequence, \
                                         source_location);
DOLMEN_EACH_DISTRIBUTION(DOLMEN_RANDOM)

}  // namespace dolmen::cuda
