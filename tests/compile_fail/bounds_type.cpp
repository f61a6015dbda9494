#include <dolmen/dolmen.hpp>

struct bounded {
  using shape = dolmen::block_shape<256>;
#if defined(CORRECT)
  static constexpr dolmen::launch_bounds bounds{.min_blocks = 2};
#else
  static constexpr int bounds = 2;
#endif
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), bounded{}); }
