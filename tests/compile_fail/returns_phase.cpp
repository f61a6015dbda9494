#include <dolmen/dolmen.hpp>

#if defined(CORRECT)
#define RETURN
#else
#define RETURN return
#endif
// Eight kinds of phases, and warp scope.
struct returns {
  using shape = dolmen::block_shape<32>;
  dolmen::view<int> out;
  DOLMEN_FN int put(int i) const {
    out(i) = i;
    return i;
  }
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](dolmen::thread t) { RETURN put(t.rank); });
    block.each_thread(8, [&](dolmen::thread t) { RETURN put(t.rank); });
    block.each_index(8, [&](int i) { RETURN put(i); });
    block.each_index(8, [&](int i, dolmen::thread) { RETURN put(i); });
    block.each_index(dolmen::fixed<2, 4>{}, [&](int i, int j) { RETURN put(4 * i + j); });
    block.each_index(2, 2, 2, [&](int i, int j, int k) { RETURN put(4 * i + 2 * j + k); });
    block.each_warp([&](auto& warp) { warp.each_lane([&](dolmen::thread t) { RETURN put(t.rank); }); });
    block.each_warp([&](auto& warp) { warp.each_index(8, [&](int i) { RETURN put(i); }); });
    block.each_warp([&](auto& warp) { RETURN put(warp.index); });
  }
};

void go(dolmen::BACKEND::stream const& s, dolmen::view<int> out) { launch(s, dolmen::grid(1), returns{out}); }
