#include "scan.hpp"

#include <cstring>
#include <utility>

#include "halves.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::scan_plan;
using dolmen::detail::scan_value;

/// As many values as a register of 512 bits holds; compilers split it where registers are smaller.
template <class T>
struct lanes {
  static constexpr int count = 64 / sizeof(T);
  typedef T vector __attribute__((vector_size(64)));
  using word = dolmen::detail::word_of<T>;
  typedef word bits __attribute__((vector_size(64)));
};
template <class T>
using vector = typename lanes<T>::vector;

template <class T>
vector<T> all(T value) {
  return value - vector<T>{};
}

/// The value that changes no other: what lanes before the first one hold. -0.0 keeps the sign of a zero that it is
/// added to.
template <class Op, class T>
constexpr T identity() {
  using limits = std::numeric_limits<T>;
  constexpr bool is_float = std::is_floating_point_v<T>;
  if constexpr (std::same_as<Op, plus>)
    return is_float ? T(-0.0) : T(0);
  else if constexpr (std::same_as<Op, multiplies>)
    return T(1);
  else if constexpr (std::same_as<Op, minimum>)
    return is_float ? limits::infinity() : limits::max();
  else
    return is_float ? -limits::infinity() : limits::lowest();
}

/// The operators of operators.hpp, lane by lane.
template <class Op, class T>
[[gnu::always_inline]] inline vector<T> combine(vector<T> a, vector<T> b) {
  if constexpr (std::same_as<Op, plus>) {
    return a + b;
  } else if constexpr (std::same_as<Op, multiplies>) {
    return a * b;
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::same_as<Op, minimum>)
      return b < a ? b : a;
    else
      return a < b ? b : a;
  } else {
    using bits = typename lanes<T>::bits;
    constexpr bool lower = std::same_as<Op, minimum>;
    auto const both = lower ? (bits)a | (bits)b : (bits)a & (bits)b;  // of equal values: differs from them for zeros only
    auto const first = (bits)(lower ? a < b : b < a) | (bits)(a != a);
    return a == b ? (vector<T>)both : first ? a : b;
  }
}

/// Lane i gets lane i - D; the first D get the identity.
template <int D, class T, int... I>
[[gnu::always_inline]] inline vector<T> shifted(vector<T> v, vector<T> nothing, std::integer_sequence<int, I...>) {
  constexpr int n = sizeof...(I);
  return __builtin_shufflevector(v, nothing, (I < D ? n + I : I - D)...);
}
template <int D, class T>
[[gnu::always_inline]] inline vector<T> shifted(vector<T> v, vector<T> nothing) {
  return shifted<D, T>(v, nothing, std::make_integer_sequence<int, lanes<T>::count>());
}

/// Inclusive scan of the lanes (Kogge and Stone, 1973).
template <class Op, class T, int D = 1>
[[gnu::always_inline]] inline vector<T> scan_lanes(vector<T> v, vector<T> nothing) {
  v = combine<Op, T>(shifted<D, T>(v, nothing), v);
  if constexpr (2 * D < lanes<T>::count)
    return scan_lanes<Op, T, 2 * D>(v, nothing);
  else
    return v;
}

/// Continues a scan over contiguous elements. `local` is what this chunk has come to so far, in all lanes; results are
/// `before` joined with the scan of the chunk. Without results (null) it only goes on to what the chunk comes to.
template <class Op, class T, bool Exclusive>
vector<T> scan_values(T const* in, T* out, index_t n, vector<T> local, vector<T> before) {
  constexpr int count = lanes<T>::count;
  auto const nothing = all<T>(identity<Op, T>());
  auto const step = [&](vector<T> v) {
    v = scan_lanes<Op, T>(v, nothing);
    auto const result = combine<Op, T>(local, Exclusive ? shifted<1, T>(v, nothing) : v);
    local = all<T>(combine<Op, T>(local, v)[count - 1]);
    return combine<Op, T>(before, result);
  };
  index_t i = 0;
  for (; i + count <= n; i += count) {
    vector<T> v;
    std::memcpy(&v, in + i, sizeof v);
    v = step(v);
    if (out) std::memcpy(out + i, &v, sizeof v);
  }
  if (i < n) {
    auto v = nothing;
    for (index_t k = 0; i + k < n; ++k) v[k] = in[i + k];
    v = step(v);
    for (index_t k = 0; out && i + k < n; ++k) out[i + k] = v[k];
  }
  return local;
}

template <class In, class T>
void get(In const* from, T* to, index_t n) {
  if constexpr (std::same_as<In, half>) {
    impl::widen(from, to, n);
  } else {
#pragma omp simd
    for (index_t k = 0; k < n; ++k) to[k] = static_cast<T>(from[k]);  // NOLINT(bugprone-signed-char-misuse): of numbers
  }
}

/// g++ 12 vectorises a loop that writes numbers, and not one that writes objects of a class.
template <class T, class Out>
void put(T const* from, Out* to, index_t n) {
  if constexpr (std::same_as<Out, half>) {
    impl::narrow(from, to, n);
  } else if constexpr (half_type<Out>) {
    static_assert(std::is_standard_layout_v<Out>);
    auto* const bits = reinterpret_cast<std::uint16_t*>(to);
#pragma omp simd
    for (index_t k = 0; k < n; ++k) bits[k] = static_cast<Out>(from[k]).bits();
  } else {
#pragma omp simd
    for (index_t k = 0; k < n; ++k) to[k] = static_cast<Out>(from[k]);
  }
}

/// The same for elements that are not combined in their own type.
template <class Op, class T, bool Exclusive, class In, class Out>
vector<T> scan_run(In const* in, Out* out, index_t n, vector<T> local, vector<T> before) {
  if constexpr (std::same_as<In, T> && std::same_as<Out, T>) {
    return scan_values<Op, T, Exclusive>(in, out, n, local, before);
  } else {
    constexpr index_t piece = 512;  // a multiple of the lanes
    T staged[piece];
    for (index_t i = 0; i < n; i += piece) {
      index_t const count = min(piece, n - i);
      get(in + i, staged, count);
      local = scan_values<Op, T, Exclusive>(staged, out ? staged : nullptr, count, local, before);
      if (out) put(staged, out + i, count);
    }
    return local;
  }
}

}  // namespace

template <class In, class Out, class T, class Op>
void launch_scan(stream const&, scan_plan<In, Out, T> const& plan, Op, source_location) {
  constexpr index_t chunk = 65536 / sizeof(T);
  auto const nothing = all<T>(identity<Op, T>());
  auto const sum = [&](index_t line, index_t begin, index_t end) -> T {
    auto local = nothing;
    impl::each_run(plan, line, begin, end, [&](In const* in, Out*, index_t n) {
      local = scan_run<Op, T, false>(in, static_cast<Out*>(nullptr), n, local, nothing);
    });
    return local[0];
  };
  auto const join = [](T a, T b) -> T { return combine<Op, T>(all<T>(a), all<T>(b))[0]; };
  auto const write = [&](index_t line, index_t begin, index_t end, std::optional<T> const& so_far) -> T {
    auto local = nothing;
    auto const before = so_far ? all<T>(*so_far) : nothing;
    impl::each_run(plan, line, begin, end, [&](In const* in, Out* out, index_t n) {
      local = plan.exclusive ? scan_run<Op, T, true>(in, out, n, local, before) : scan_run<Op, T, false>(in, out, n, local, before);
    });
    return local[0];
  };
  impl::scan_lines<T>(plan, chunk, sum, join, write);
}

#define DOLMEN_SCAN(In, Out, Op) \
  template DOLMEN_API void launch_scan(stream const&, scan_plan<In, Out, scan_value<Out>> const&, Op, source_location);
DOLMEN_EACH_SCAN(DOLMEN_SCAN)

}  // namespace dolmen::cpu
