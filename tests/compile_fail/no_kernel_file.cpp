// Nine uses, each with a type of its own, of a program's own functions in a file that is not named after KERNELS.
#if defined(CORRECT)
#define DOLMEN_KERNEL_FILE 1
#endif
#include <dolmen/dolmen.hpp>

template <int>
struct nothing {
  using shape = dolmen::block_shape<32>;
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};
template <int>
struct adds {
  int n;
  DOLMEN_FN int operator()(int a, int b) const { return a + b + n; }
};

void go(dolmen::BACKEND::stream const& s, dolmen::buffer<int, dolmen::BACKEND::backend>& v) {
  launch(s, dolmen::grid(1), nothing<0>{});
  dolmen::for_each_index(s, 8, [](dolmen::index_t) {});
  transform(s, v, v, [](int x) { return x; });
  reduce(s, v, adds<0>{0}, 0);
  count_if(s, v, [](int x) { return x > 0; });
  inclusive_scan(s, v, v, adds<1>{0});
  dolmen::buffer<int, dolmen::BACKEND::backend> out(s, 8);
  select(s, v, out, [](int x) { return x > 0; });
  launch_cooperative(s, dolmen::grid(1), nothing<1>{});
  reduce_rows(s, v.view(2, 4), v.view().slice(0, 2), adds<2>{0}, 0);
}
