#include "bodies.hpp"

void plain(dolmen::cpu::stream const& s, dolmen::view<float> out) { symbols_launch(s, out); }
