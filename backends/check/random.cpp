#include "random.hpp"

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::random_sequence;
using dolmen::detail::strided;

template <class Distribution>
void launch_random(stream const& s, char const* name, strided<typename Distribution::element> out, Distribution d, random_sequence sequence,
                   source_location where) {
  impl::algorithm const op(name, s, where);
  if (!op.writes(out)) return;
  auto const open = impl::opened(out);
  std::uint64_t number = sequence.first;
  for (index_t z = 0; z < out.extent[0]; ++z)
    for (index_t y = 0; y < out.extent[1]; ++y)
      for (index_t x = 0; x < out.extent[2]; ++x, ++number) {
        typename Distribution::element values[Distribution::per_block];
        d.values(philox(sequence.seed, number / Distribution::per_block), values);
        open.data[open.offset(z, y) + x] = values[number % Distribution::per_block];
      }
}

#define DOLMEN_RANDOM(...)                                                                                                                 \
  template DOLMEN_API void launch_random(stream const&, char const*, strided<typename __VA_ARGS__::element>, __VA_ARGS__, random_sequence, \
                                         source_location);
DOLMEN_EACH_DISTRIBUTION(DOLMEN_RANDOM)

}  // namespace dolmen::check
