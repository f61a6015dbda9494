// One kernel and one body for for_each_index, on the CPU, compiled by every file that includes this; shared.cmake looks at
// the symbols.
#pragma once

#include <dolmen/dolmen.hpp>

struct symbols_kernel {
  using shape = dolmen::block_shape<32>;
  struct shared {
    dolmen::tile<float, 32> values;
  };
  dolmen::view<float> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread([&](dolmen::thread t) { mem.values(t.rank) = float(t.rank); });
    block.sync();
    block.each_thread([&](dolmen::thread t) { out(t.rank) = mem.values.load(31 - t.rank); });
  }
};

struct symbols_body {
  dolmen::view<float> out;
  DOLMEN_FN void operator()(dolmen::index_t i) const { out(i) += 1; }
};

[[gnu::always_inline]] inline void symbols_launch(dolmen::cpu::stream const& s, dolmen::view<float> out) {
  launch(s, dolmen::grid(1), symbols_kernel{out});
  dolmen::for_each_index(s, out.size(), symbols_body{out});
}
