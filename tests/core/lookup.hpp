// A program's own functions, with the names of functions of the library. Called with the library's types they are looked up through
// these types' namespaces, and only the program's own may be found: anything of the library's that took such arguments would be a
// better match than these, or as good. (Views, buffers, extents and grids stand in dolmen itself, whose functions take a stream.)
#pragma once

#include <concepts>
#include <utility>

namespace program {

struct own {};

#define DOLMEN_EACH_OWN(M)                                                                                                                 \
  M(min)                                                                                                                                   \
  M(max)                                                                                                                                   \
  M(ceil_div)                                                                                                                              \
  M(add) M(multiply) M(sum) M(product) M(dot) M(negative) M(less) M(lowers) M(raises) M(fused) M(bits_of) M(as_view) M(as_body) M(flat)    \
      M(range) M(meets) M(share_elements) M(same_elements) M(strides_of) M(next) M(split) M(match_bits) M(operand) M(reach) M(open)        \
          M(open_read) M(inside) M(access) M(told) M(halve) M(reduce_lanes) M(scan_lanes) M(ballot_lanes) M(copy_box) M(load_fragment)     \
              M(store_fragment) M(multiply_accumulate) M(place_in) M(fragment_fits) M(below) M(sorts_before) M(sort_rank) M(is_negative)   \
                  M(find_bin) M(text) M(require) M(rank_of) M(describe) M(constant_view) M(one_element) M(launch) M(fill) M(copy) M(scale) \
                      M(transform) M(reduce) M(sort) M(select) M(iota) M(fence) M(philox) M(swap) M(clamp) M(lerp)

// swap as one of two arguments alone would be std::swap's equal for types that std's namespace belongs to; none here does.
#define DOLMEN_OWN(name)       \
  template <class... A>        \
  constexpr own name(A&&...) { \
    return {};                 \
  }
DOLMEN_EACH_OWN(DOLMEN_OWN)
#undef DOLMEN_OWN

#define DOLMEN_FINDS_OWN(name)                                                                                                          \
  &&std::same_as<decltype(name(std::declval<X&>())), own>&& std::same_as<decltype(name(std::declval<X&>(), std::declval<X&>())), own>&& \
      std::same_as<decltype(name(std::declval<X&>(), std::declval<X&>(), std::declval<X&>())), own>
/// Whether each name, with one to three arguments of type X, means this namespace's function.
template <class X>
constexpr bool found_alone = true DOLMEN_EACH_OWN(DOLMEN_FINDS_OWN);
#undef DOLMEN_FINDS_OWN

}  // namespace program
