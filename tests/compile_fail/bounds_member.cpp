#include <dolmen/dolmen.hpp>

struct bounded {
  using shape = dolmen::block_shape<256>;
#if defined(CORRECT)
  dolmen::view<float> limits;
#else
  dolmen::view<float> bounds;
#endif
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

dolmen::index_t ask(dolmen::BACKEND::stream const& s) { return dolmen::persistent_blocks<bounded>(s); }
