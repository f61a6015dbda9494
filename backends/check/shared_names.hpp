// Members of a kernel's `struct shared` by their names, so that reports say `line(77)` and not "byte 308". Found without the
// programmer's help for structs that hold tiles and nothing else; reports count bytes in others.
#pragma once

#include <string_view>

#include "../../core/tile.hpp"

namespace dolmen::check::impl {

/// A tile in shared memory. No name: the compiler does not tell (clang below 18).
struct shared_member {
  std::string_view name;
  std::size_t offset;
  int width;      // of an element
  int extent[3];  // 0 beyond the tile's rank
};
struct shared_layout {
  shared_member const* members;
  int count;
};

// Aggregates are counted by what they can be made of: these are never defined.
struct any_tile {
  template <class T, int... Sizes>
  operator tile<T, Sizes...>() const;
};
struct any_member {
  template <class T>
  operator T() const;
};
template <class Any, std::size_t>
using any_of = Any;

template <class S, class Any, std::size_t... I>
constexpr bool made_of(std::index_sequence<I...>) {
  return requires { S{any_of<Any, I>()...}; };
}
/// Behind so many tiles comes something else that holds a tile: an array, a union, a struct.
template <class S, std::size_t... I>
constexpr bool nested_after(std::index_sequence<I...>) {
  return requires { S{any_of<any_tile, I>()..., {any_tile()}}; };
}
template <class S>
struct any_base {
  template <class T>
  requires(std::is_base_of_v<T, S>) operator T() const;
};

inline constexpr std::size_t most_members = 8;
template <class S, class Any, std::size_t N = most_members + 1>
constexpr std::size_t members() {
  if constexpr (N == 0)
    return 0;
  else if constexpr (made_of<S, Any>(std::make_index_sequence<N>()))
    return N;
  else
    return members<S, Any, N - 1>();
}

template <class T>
inline constexpr bool is_tile = false;
template <class T, int... Sizes>
inline constexpr bool is_tile<tile<T, Sizes...>> = true;

/// The number of S's tiles; 0 where S is not made of some tiles alone.
template <class S>
constexpr std::size_t tiles_of() {
  if constexpr (!std::is_aggregate_v<S> || std::is_union_v<S> || std::is_empty_v<S> || is_tile<S> ||
                made_of<S, any_base<S>>(std::make_index_sequence<1>())) {
    return 0;
  } else {
    constexpr std::size_t n = members<S, any_tile>();
    constexpr bool nested = []<std::size_t... I>(std::index_sequence<I...>) {
      return (nested_after<S>(std::make_index_sequence<I>()) || ...);
    }
    (std::make_index_sequence<n>());
    return n == members<S, any_member>() && n <= most_members && !nested ? n : 0;
  }
}

template <std::size_t I, class First, class... Rest>
constexpr auto* pick(First* first, Rest*... rest) {
  if constexpr (I == 0)
    return first;
  else
    return pick<I - 1>(rest...);
}
template <std::size_t I, std::size_t N, class S>
constexpr auto* member_at(S& s) {
  if constexpr (N == 1) {
    auto& [a] = s;
    return pick<I>(&a);
  } else if constexpr (N == 2) {
    auto& [a, b] = s;
    return pick<I>(&a, &b);
  } else if constexpr (N == 3) {
    auto& [a, b, c] = s;
    return pick<I>(&a, &b, &c);
  } else if constexpr (N == 4) {
    auto& [a, b, c, d] = s;
    return pick<I>(&a, &b, &c, &d);
  } else if constexpr (N == 5) {
    auto& [a, b, c, d, e] = s;
    return pick<I>(&a, &b, &c, &d, &e);
  } else if constexpr (N == 6) {
    auto& [a, b, c, d, e, f] = s;
    return pick<I>(&a, &b, &c, &d, &e, &f);
  } else if constexpr (N == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return pick<I>(&a, &b, &c, &d, &e, &f, &g);
  } else {
    auto& [a, b, c, d, e, f, g, h] = s;
    return pick<I>(&a, &b, &c, &d, &e, &f, &g, &h);
  }
}

/// Nobody uses it: its members have addresses, and compilers write those with their names.
template <class S>
inline S example_of{};

#if defined(__clang__) && __clang_major__ < 18
template <class S, std::size_t I, std::size_t N>
constexpr std::string_view member_name() {
  return {};
}
#else
template <auto Member>
constexpr auto name_in_signature() {
  std::string_view text = __PRETTY_FUNCTION__;  // "... [with auto Member = (& example_of<k::shared>.k::shared::line)]"
  text = text.substr(0, text.find_last_not_of(")]; ") + 1);
  return text.substr(text.find_last_of(":.") + 1);
}
template <class S, std::size_t I, std::size_t N>
constexpr std::string_view member_name() {
  return name_in_signature<member_at<I, N>(example_of<S>)>();
}
#endif

template <class T, int... Sizes>
shared_member described(std::string_view name, std::size_t offset, tile<T, Sizes...> const*) {
  shared_member m{name, offset, int(sizeof(T)), {}};
  int d = 0;
  ((m.extent[d++] = Sizes), ...);
  return m;
}

/// Null where S is not made of tiles alone.
template <class S>
shared_layout const* layout_of() {
  constexpr std::size_t n = tiles_of<S>();
  if constexpr (n == 0) {
    return nullptr;
  } else {
    static auto const members = []<std::size_t... I>(std::index_sequence<I...>) {
      auto const* const start = reinterpret_cast<char const*>(&example_of<S>);
      auto const offset = [&](auto const* member) { return std::size_t(reinterpret_cast<char const*>(member) - start); };
      return array<shared_member, int(n)>{
          {described(member_name<S, I, n>(), offset(member_at<I, n>(example_of<S>)), member_at<I, n>(example_of<S>))...}};
    }
    (std::make_index_sequence<n>());
    static shared_layout const layout{&members[0], int(n)};
    return &layout;
  }
}

}  // namespace dolmen::check::impl
