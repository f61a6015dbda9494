#include "random.hpp"

#include "row_pieces.hpp"

namespace dolmen::cpu {

using dolmen::detail::random_sequence;
using dolmen::detail::strided;

namespace {

constexpr index_t random_part = 4096;
constexpr int random_lanes = 64;  // blocks at a time, in vectors

/// The elements of `random_lanes` blocks from `block` on.
template <class Distribution>
void make_blocks(typename Distribution::element* to, Distribution const& d, std::uint64_t seed, std::uint64_t block) {
  constexpr int per_block = Distribution::per_block;
  std::uint32_t words[4][random_lanes];
#pragma omp simd
  for (int l = 0; l < random_lanes; ++l) {
    auto const w = philox(seed, block + std::uint64_t(l));
    words[0][l] = w.word[0];
    words[1][l] = w.word[1];
    words[2][l] = w.word[2];
    words[3][l] = w.word[3];
  }
  typename Distribution::element values[per_block][random_lanes];
#pragma omp simd
  for (int l = 0; l < random_lanes; ++l) {
    typename Distribution::element one[per_block];
    d.values({{words[0][l], words[1][l], words[2][l], words[3][l]}}, one);
    values[0][l] = one[0];
    if constexpr (per_block > 1) values[1][l] = one[1];
    if constexpr (per_block > 2) values[2][l] = one[2], values[3][l] = one[3];
  }
#pragma omp simd
  for (int l = 0; l < random_lanes; ++l) {
    to[l * per_block] = values[0][l];
    if constexpr (per_block > 1) to[l * per_block + 1] = values[1][l];
    if constexpr (per_block > 2) to[l * per_block + 2] = values[2][l], to[l * per_block + 3] = values[3][l];
  }
}

/// Elements from number `number` of the sequence on.
template <class Distribution>
void make_numbers(typename Distribution::element* to, index_t n, Distribution const& d, std::uint64_t seed, std::uint64_t number) {
  constexpr int per_block = Distribution::per_block;
  constexpr index_t turn = random_lanes * per_block;
  for (index_t i = 0; i < n;) {
    auto const inside = index_t((number + std::uint64_t(i)) % per_block);
    std::uint64_t const block = (number + std::uint64_t(i)) / per_block;
    if (inside == 0 && n - i >= turn && block + random_lanes > block && (block + random_lanes - 1) <= ~std::uint64_t(0) / per_block) {
      make_blocks(to + i, d, seed, block);
      i += turn;
    } else {
      typename Distribution::element values[per_block];
      d.values(philox(seed, block), values);
      for (index_t k = inside; k < per_block && i < n; ++k) to[i++] = values[k];
    }
  }
}

}  // namespace

template <class Distribution>
void launch_random(stream const&, char const*, strided<typename Distribution::element> out, Distribution d, random_sequence sequence,
                   source_location) {
  run_pieces(out.extent, random_part, [&](index_t plane, index_t row, index_t column, index_t count) {
    auto const before = std::uint64_t((plane * out.extent[1] + row) * out.extent[2] + column);
    make_numbers(out.data + out.offset(plane, row) + column, count, d, sequence.seed, sequence.first + before);
  });
}

#define DOLMEN_RANDOM(...)                                                                                                                 \
  template DOLMEN_API void launch_random(stream const&, char const*, strided<typename __VA_ARGS__::element>, __VA_ARGS__, random_sequence, \
                                         source_location);
DOLMEN_EACH_DISTRIBUTION(DOLMEN_RANDOM)

}  // namespace dolmen::cpu
