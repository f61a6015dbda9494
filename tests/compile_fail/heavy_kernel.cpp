#include <string>

#include <dolmen/dolmen.hpp>

struct named {
  using shape = dolmen::block_shape<32>;
#if defined(CORRECT)
  char const* name;
#else
  std::string name;
#endif
  template <class Block>
  void operator()(Block&) const {}
};

void go(dolmen::BACKEND::stream const& s) { launch(s, dolmen::grid(1), named{}); }
