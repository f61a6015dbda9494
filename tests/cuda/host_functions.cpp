// Everything that a kernel calls is a DOLMEN_FN. With -DWRONG_... one thing here is not, which nvcc must refuse: on a GPU the
// kernel would do nothing from there on.
#include <algorithm>
#include <cstdlib>
#include <dolmen/dolmen.hpp>

#if defined(WRONG_OPERATOR)
#define OPERATOR_FN
#else
#define OPERATOR_FN DOLMEN_FN
#endif
#if defined(WRONG_HELPER)
#define HELPER_FN
#else
#define HELPER_FN DOLMEN_FN
#endif
#if defined(WRONG_MEMBER)
#define MEMBER_FN
#else
#define MEMBER_FN DOLMEN_FN
#endif
#if defined(WRONG_CONSTRUCTOR)
#define CONSTRUCTOR_FN
#else
#define CONSTRUCTOR_FN DOLMEN_FN
#endif
#if defined(WRONG_PHASE)
#define PHASE_FN
#else
#define PHASE_FN DOLMEN_FN
#endif

HELPER_FN inline int twice(int x) { return x + x; }

struct rounded {
  int value;
  CONSTRUCTOR_FN explicit rounded(int x) : value(x / 8 * 8) { one(); }
  MEMBER_FN int next() const { return value + 8; }
  DOLMEN_FN void one() { ++value; }
};

struct kernel {
  using shape = dolmen::block_shape<32>;
  dolmen::view<int> data;

  template <class Block>
  PHASE_FN void rest(Block& block) const {
    block.each_thread([&](dolmen::thread t) { data(t.rank) += 1; });
  }
  template <class Block>
  OPERATOR_FN void operator()(Block& block) const {
    block.each_thread([&](dolmen::thread t) {
      data(t.rank) = twice(t.rank) + rounded(t.rank).next();
#if defined(WRONG_LIBRARY)
      data(t.rank) += std::rand();
#endif
    });
    rest(block);
  }
};

struct larger {
#if !defined(WRONG_REDUCTION)
  DOLMEN_FN
#endif
  int operator()(int a, int b) const { return dolmen::max(a, b); }
};
struct larger_in_order {
#if !defined(WRONG_SCAN)
  DOLMEN_FN
#endif
  int operator()(int a, int b) const { return dolmen::max(a, b); }
};
struct is_odd {
#if !defined(WRONG_PREDICATE)
  DOLMEN_FN
#endif
  bool operator()(int a) const { return a % 2 != 0; }
};
struct square {
#if !defined(WRONG_TRANSFORMATION)
  DOLMEN_FN
#endif
  int operator()(int a) const { return a * a; }
};
struct negative {
#if !defined(WRONG_TRANSFORM)
  DOLMEN_FN
#endif
  int operator()(int a) const { return -a; }
};
struct body {
  dolmen::view<int> data;
#if !defined(WRONG_BODY)
  DOLMEN_FN
#endif
  void operator()(dolmen::index_t i) const { data(i) = 1; }
};
struct positive {
#if !defined(WRONG_SELECTION)
  DOLMEN_FN
#endif
  bool operator()(int a) const { return a > 0; }
};

void go(dolmen::stream const& s, dolmen::view<int> v, dolmen::view<int> w, dolmen::view<int, 2> m, dolmen::view<dolmen::index_t> n) {
  dolmen::launch(s, dolmen::grid(1), kernel{v});
  dolmen::reduce(s, v, w, larger{}, 0);
  dolmen::reduce_rows(s, m, v, larger{}, 0);
  dolmen::count_if(s, v, n, is_odd{});
  dolmen::transform_reduce(s, v, w, square{}, dolmen::minimum{}, 0);
  dolmen::inclusive_scan(s, v, w, larger_in_order{});
  dolmen::select(s, v, w, n, positive{});
  dolmen::transform(s, v, w, negative{});
  dolmen::for_each_index(s, v.size(), body{v});
}
