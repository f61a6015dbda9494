// launch and allocate: times, not rates.
#include "../add_case.hpp"

namespace study {
namespace cases {

/// Does nothing, in blocks of 256 threads.
struct empty_kernel {
  using shape = dolmen::block_shape<256>;
  template <class Block>
  DOLMEN_FN void operator()(Block&) const {}
};

/// A stream and a size; there is no result to compare.
template <class B>
struct bare {
  using backend = B;
  typename B::stream stream;
  index_t n;
  bare(typename B::stream const& s, problem_base const& p) : stream(s), n(dynamic_cast<problem<float> const&>(p).n) {}
  void reset() {}
  verdict verify() {
    stream.synchronize();
    return {0, 0, false};
  }
};

template <class B, class T>
struct launch {
  using data = bare<B>;
  static void portable(data& d) { dolmen::launch(d.stream, dolmen::grid(d.n), empty_kernel{}); }
  static void by_hand(data& d) { peers::empty_launch(d.stream, d.n); }
  static auto variants() { return with_twin<launch>(); }
};

template <class B, class T>
struct allocate {
  using data = bare<B>;
  static void portable(data& d) { dolmen::buffer<std::byte, B> some(d.stream, d.n); }
  template <int Method>
  static void by_peer(data& d) {
    peers::allocate_pair(d.stream, Method, d.n);
  }
  static auto variants() {
    constexpr auto names = peers::allocators<B>;
    variants_of<data> list{{"dolmen", portable}, {names[0], by_peer<0>}};
    if constexpr (names.size() > 1) list.push_back({names[1], by_peer<1>});
    return list;
  }
};

}  // namespace cases

void add_overhead_cases(registry& r) {
  case_info info{.name = "launch",
                 .type = "-",
                 .about = "an empty kernel, size blocks of 256 threads, one after another",
                 .accuracy = "nothing to compare",
                 .cpu_sizes = {1, 64},
                 .gpu_sizes = {1, 1024},
                 .tour = {heading::overheads, 64, 1024},
                 .make = no_problem};
  add_case<cases::launch, float>(r, info);
  info.name = "allocate";
  info.about = "allocate and free size bytes; dolmen's are pooled";
  info.cpu_sizes = info.gpu_sizes = {1 << 20};
  info.tour = {heading::overheads, 1 << 20, 1 << 20};
  info.clock = clock_kind::host;
  add_case<cases::allocate, float>(r, info);
}

}  // namespace study
