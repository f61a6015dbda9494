// Philox4x32-10: 128 random bits as a function of a counter and a key (Salmon, Moraes, Dror and Shaw, Parallel Random
// Numbers: As Easy as 1, 2, 3, SC 2011). The same bits on every side.
#pragma once

#include "types.hpp"

namespace dolmen {

namespace types {

struct philox_words {
  std::uint32_t word[4];
};

}  // namespace types

using types::philox_words;

/// The block of random words number `counter` (its low word first) of the sequence that `key` names.
DOLMEN_INLINE_FN constexpr philox_words philox(philox_words counter, std::uint32_t key0, std::uint32_t key1) {
  std::uint32_t a = counter.word[0], b = counter.word[1], c = counter.word[2], d = counter.word[3];
  for (int round = 0; round < 10; ++round) {
    std::uint64_t const first = std::uint64_t(0xD2511F53u) * a, second = std::uint64_t(0xCD9E8D57u) * c;
    a = std::uint32_t(second >> 32) ^ b ^ key0;
    b = std::uint32_t(second);
    c = std::uint32_t(first >> 32) ^ d ^ key1;
    d = std::uint32_t(first);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{a, b, c, d}};
}

/// Block `index` of the sequence of a seed: a counter and a key of 64 bits.
DOLMEN_INLINE_FN constexpr philox_words philox(std::uint64_t seed, std::uint64_t index) {
  return philox({{std::uint32_t(index), std::uint32_t(index >> 32), 0, 0}}, std::uint32_t(seed), std::uint32_t(seed >> 32));
}

}  // namespace dolmen
