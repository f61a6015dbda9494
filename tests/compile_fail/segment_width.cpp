#include <dolmen/dolmen.hpp>

struct thirds {
  using shape = dolmen::block_shape<96>;
  dolmen::view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto v = block.per_thread(1.0f);
#if defined(CORRECT)
    auto const sums = block.warp_reduce(v, dolmen::plus{}, dolmen::lanes<4>{});
#else
    auto const sums = block.warp_reduce(v, dolmen::plus{}, dolmen::lanes<3>{});
#endif
    block.each_thread([&](dolmen::thread t) { out(t.rank) = sums[t]; });
  }
};

void go(dolmen::BACKEND::stream const& s, dolmen::view<float> out) { launch(s, dolmen::grid(1), thirds{out}); }
