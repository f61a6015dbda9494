#include "scan.hpp"

#include <cstring>
#include <utility>

#include "halves.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::scan_plan;
using dolmen::detail::scan_value;

// 64 bytes of values are scanned side by side, in as many registers as hold them: vectors wider than the machine's would be taken
// apart element by element. What is combined with what does not depend on the registers' width.
constexpr int group_bytes = 64;
#if defined(__AVX512BW__)
template <class T>
constexpr int vector_bytes = sizeof(T) >= 4 ? 64 : 32;  // small elements cross the quarters of longer ones at a price
#elif defined(__AVX2__)
template <class T>
constexpr int vector_bytes = 32;
#else
template <class T>
constexpr int vector_bytes = 16;
#endif

template <class T>
struct lanes {
  static constexpr int count = group_bytes / sizeof(T), parts = group_bytes / vector_bytes<T>, each = count / parts;
  using word = dolmen::detail::word_of<T>;
  typedef T vector __attribute__((vector_size(vector_bytes<T>)));
  typedef word bits __attribute__((vector_size(vector_bytes<T>)));
};
template <class T>
using vector = typename lanes<T>::vector;

/// All lanes' values.
template <class T>
struct group {
  vector<T> part[lanes<T>::parts];
};

/// make(number of a part, as a constant) for each: constant indices let compilers keep parts in registers.
template <class T, class Make>
[[gnu::always_inline]] inline group<T> each_part(Make const& make) {
  return [&]<int... P>(std::integer_sequence<int, P...>) __attribute__((always_inline)) {
    return group<T>{{make(std::integral_constant<int, P>())...}};
  }
  (std::make_integer_sequence<int, lanes<T>::parts>());
}

template <class T>
[[gnu::always_inline]] inline group<T> all(T value) {
  vector<T> const same = value - vector<T>{};
  return each_part<T>([&](auto) __attribute__((always_inline)) { return same; });
}

// The operators of scans, as bodies know them: minima and maxima are one, of values that were turned.
struct extreme {};
template <class Op>
using body_operator = std::conditional_t<std::same_as<Op, minimum> || std::same_as<Op, maximum>, extreme, Op>;

/// What turns values so that the minimum is what is sought: the sign bit of floats for maxima; all bits of integers for maxima, and
/// the sign bit for unsigned integers, whose body is that of signed ones.
template <class Op, class T>
constexpr auto turning() {
  using word = dolmen::detail::word_of<T>;
  constexpr auto sign = static_cast<word>(word(1) << (8 * sizeof(T) - 1));
  word flip = 0;
  if constexpr (std::same_as<Op, maximum>) flip = std::is_integral_v<T> ? static_cast<word>(~word(0)) : sign;
  if constexpr ((std::same_as<Op, minimum> || std::same_as<Op, maximum>)&&std::is_unsigned_v<T>) flip = static_cast<word>(flip ^ sign);
  return flip;
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
  else
    return is_float ? limits::infinity() : limits::max();
}

/// The operators of operators.hpp, lane by lane.
template <class Op, class T>
[[gnu::always_inline]] inline vector<T> combine(vector<T> a, vector<T> b) {
  // Sums and products of integers wrap, which is undefined for those with a sign.
  using number = std::conditional_t<std::is_integral_v<T>, typename lanes<T>::bits, vector<T>>;
  if constexpr (std::same_as<Op, plus>) {
    return (vector<T>)((number)a + (number)b);
  } else if constexpr (std::same_as<Op, multiplies>) {
    return (vector<T>)((number)a * (number)b);
  } else if constexpr (std::is_integral_v<T>) {
    return b < a ? b : a;
  } else {
    using bits = typename lanes<T>::bits;
    auto const both = (bits)a | (bits)b;  // of equal values: differs from them for zeros only
    auto const first = (bits)(a < b) | (bits)(a != a);
    return a == b ? (vector<T>)both : first ? a : b;
  }
}
template <class Op, class T>
[[gnu::always_inline]] inline group<T> combine(group<T> const& a, group<T> const& b) {
  return each_part<T>([&](auto p) __attribute__((always_inline)) { return combine<Op, T>(a.part[p], b.part[p]); });
}

template <class T>
[[gnu::always_inline]] inline group<T> turned(group<T> const& g, dolmen::detail::word_of<T> flip) {
  using bits = typename lanes<T>::bits;
  return each_part<T>([&](auto p) __attribute__((always_inline)) { return (vector<T>)((bits)g.part[p] ^ flip); });
}

/// The last D elements of `low`, then the first of `high`.
template <int D, class T, int... I>
[[gnu::always_inline]] inline vector<T> joined(vector<T> low, vector<T> high, std::integer_sequence<int, I...>) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(low, high, (int(sizeof...(I)) - D + I)...);
#else  // g++ 11
  return __builtin_shuffle(low, high, typename lanes<T>::bits{typename lanes<T>::word(int(sizeof...(I)) - D + I)...});
#endif
}
/// Lane i gets lane i - D; the first D get the identity.
template <int D, class T>
[[gnu::always_inline]] inline group<T> shifted(group<T> const& g, vector<T> nothing) {
  constexpr int each = lanes<T>::each, whole = D / each;
  return each_part<T>([&](auto p) __attribute__((always_inline)) {
    constexpr int part = decltype(p)::value;
    if constexpr (D % each != 0)
      return joined<D, T>(part > 0 ? g.part[part > 0 ? part - 1 : 0] : nothing, g.part[part], std::make_integer_sequence<int, each>());
    else if constexpr (part >= whole)
      return g.part[part - whole];
    else
      return nothing;
  });
}

/// Inclusive scan of the lanes (Kogge and Stone, 1973).
template <class Op, class T, int D = 1>
[[gnu::always_inline]] inline group<T> scan_lanes(group<T> const& g, vector<T> nothing) {
  auto const next = combine<Op, T>(shifted<D, T>(g, nothing), g);
  if constexpr (2 * D < lanes<T>::count)
    return scan_lanes<Op, T, 2 * D>(next, nothing);
  else
    return next;
}

// Part by part: a whole group would be copied by narrower registers than it is read with.
template <class T>
[[gnu::always_inline]] inline group<T> loaded(T const* from) {
  return each_part<T>([&](auto p) __attribute__((always_inline)) {
    vector<T> v;
    std::memcpy(&v, from + p * lanes<T>::each, sizeof v);
    return v;
  });
}
template <class T>
[[gnu::always_inline]] inline void store(group<T> const& g, T* to) {
  each_part<T>([&](auto p) __attribute__((always_inline)) {
    std::memcpy(to + p * lanes<T>::each, &g.part[p], sizeof g.part[p]);
    return g.part[p];
  });
}

template <class T>
[[gnu::always_inline]] inline T last(group<T> const& g) {
  return g.part[lanes<T>::parts - 1][lanes<T>::each - 1];
}

/// A chunk's scan as it goes on. `local` is what the chunk has come to so far; results are `before` joined with the scan of the chunk.
/// Both are turned.
template <class T>
struct progress {
  T local, before;
  dolmen::detail::word_of<T> flip;
};

/// Continues a scan over contiguous elements. Without results (null) it only goes on to what the chunk comes to.
template <class Op, class T, bool Exclusive>
[[gnu::noinline]] void scan_values(T const* in, T* out, index_t n, progress<T>& so_far) {
  constexpr int count = lanes<T>::count;
  auto const nothing = all<T>(identity<Op, T>());
  auto const before = all<T>(so_far.before);
  auto const flip = so_far.flip;
  auto local = all<T>(so_far.local);
  auto const step = [&](T const* from, T* to) __attribute__((always_inline)) {
    auto g = loaded(from);
    if constexpr (std::same_as<Op, extreme>) g = turned(g, flip);
    g = scan_lanes<Op, T>(g, nothing.part[0]);
    auto result = combine<Op, T>(local, Exclusive ? shifted<1, T>(g, nothing.part[0]) : g);
    local = all<T>(last(combine<Op, T>(local, g)));
    if (!to) return;
    result = combine<Op, T>(before, result);
    if constexpr (std::same_as<Op, extreme>) result = turned(result, flip);
    store(result, to);
  };
  index_t i = 0;
  for (; i + count <= n; i += count) step(in + i, out ? out + i : nullptr);
  if (i < n) {
    T rest[count];
    store(turned(nothing, flip), rest);
    std::memcpy(rest, in + i, std::size_t(n - i) * sizeof(T));
    step(rest, rest);
    if (out) std::memcpy(out + i, rest, std::size_t(n - i) * sizeof(T));
  }
  so_far.local = last(local);
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

/// Halves, of floats. g++ 12 vectorises a loop that writes numbers, and not one that writes objects of a class.
template <half_type Out>
void put(float const* from, Out* to, index_t n) {
  if constexpr (std::same_as<Out, half>) {
    impl::narrow(from, to, n);
  } else {
    static_assert(std::is_standard_layout_v<Out>);
    auto* const bits = reinterpret_cast<std::uint16_t*>(to);
#pragma omp simd
    for (index_t k = 0; k < n; ++k) bits[k] = static_cast<Out>(from[k]).bits();
  }
}

/// Scans by the type in which values are combined, whatever the operator and the types of elements.
template <class T>
struct scan_work {
  using word = dolmen::detail::word_of<T>;
  scan_plan<char, char, T> plan;  // strides in bytes; `initial` is turned
  index_t in_bytes, out_bytes;    // of an element
  word flip;
  T nothing;
  T (*join)(T, T);
  void (*values[2])(T const*, T*, index_t, progress<T>&);  // inclusive, exclusive
  // Null where elements are combined in their own type.
  void (*get)(void const*, T*, index_t);
  void (*put)(T const*, void*, index_t);

  void run(char const* in, char* out, index_t n, bool exclusive, progress<T>& so_far) const {
    if (!get) return values[exclusive](reinterpret_cast<T const*>(in), reinterpret_cast<T*>(out), n, so_far);
    constexpr index_t piece = 512;  // a multiple of the lanes
    T staged[piece];
    for (index_t i = 0; i < n; i += piece) {
      index_t const count = min(piece, n - i);
      get(in + i * in_bytes, staged, count);
      T* const results = !out ? nullptr : put ? staged : reinterpret_cast<T*>(out) + i;
      values[exclusive](staged, results, count, so_far);
      if (out && put) put(staged, out + i * out_bytes, count);
    }
  }

  /// Elements [begin, end) of a line, by runs of contiguous ones.
  T run_line(index_t line, index_t begin, index_t end, bool writes, std::optional<T> const& before) const {
    progress<T> so_far{nothing, before ? *before : nothing, flip};
    index_t const first_row = plan.apart ? line : 0, columns = plan.extent[2];
    for (index_t i = begin; i < end;) {
      index_t const row = first_row + i / columns, column = i % columns, count = min(columns - column, end - i);
      index_t const z = row / plan.extent[1], y = row % plan.extent[1];
      char const* const in = plan.in + z * plan.in_stride[0] + y * plan.in_stride[1] + column * in_bytes;
      char* const out = plan.out + z * plan.out_stride[0] + y * plan.out_stride[1] + column * out_bytes;
      run(in, writes ? out : nullptr, count, writes && plan.exclusive, so_far);
      i += count;
    }
    return so_far.local;
  }
};

template <class T>
void scan_all(scan_work<T> const& w) {
  constexpr index_t chunk = 65536 / sizeof(T);
  impl::scan_lines<T>(
      w.plan, chunk, [&](index_t line, index_t begin, index_t end) { return w.run_line(line, begin, end, false, {}); },
      [&](T a, T b) { return w.join(a, b); },
      [&](index_t line, index_t begin, index_t end, std::optional<T> const& before) { return w.run_line(line, begin, end, true, before); });
}

/// The type in which bodies combine values of T: integers' bodies are those of signed ones.
template <class T>
struct body_value {
  using type = T;
};
template <std::integral T>
struct body_value<T> {
  using type = std::make_signed_t<T>;
};

template <class In, class Out, class T, class Op>
void scan_by(scan_plan<In, Out, T> const& p) {
  using B = typename body_value<T>::type;
  using kind = body_operator<Op>;
  constexpr auto flip = turning<Op, T>();
  constexpr auto in_bytes = index_t(sizeof(In)), out_bytes = index_t(sizeof(Out));
  auto const initial = static_cast<typename lanes<B>::word>(dolmen::detail::bits_of(p.initial) ^ flip);
  scan_work<B> work{{reinterpret_cast<char const*>(p.in),
                     reinterpret_cast<char*>(p.out),
                     {p.extent[0], p.extent[1], p.extent[2]},
                     {p.in_stride[0] * in_bytes, p.in_stride[1] * in_bytes},
                     {p.out_stride[0] * out_bytes, p.out_stride[1] * out_bytes},
                     p.apart,
                     p.exclusive,
                     dolmen::detail::bits_as<B>(initial)},
                    in_bytes,
                    out_bytes,
                    flip,
                    identity<kind, B>(),
                    [](B a, B b) -> B { return combine<kind, B>(all<B>(a).part[0], all<B>(b).part[0])[0]; },
                    {scan_values<kind, B, false>, scan_values<kind, B, true>},
                    nullptr,
                    nullptr};
  if constexpr (!std::same_as<In, T>) work.get = [](void const* from, B* to, index_t n) { get(static_cast<In const*>(from), to, n); };
  if constexpr (!std::same_as<Out, T>) work.put = [](B const* from, void* to, index_t n) { put(from, static_cast<Out*>(to), n); };
  scan_all(work);
}

}  // namespace

template <class In, class Out, class T, class Op>
void launch_scan(stream const&, scan_plan<In, Out, T> const& plan, Op, source_location) {
  scan_by<In, Out, T, Op>(plan);
}

#define DOLMEN_SCAN(In, Out, Op) \
  template DOLMEN_API void launch_scan(stream const&, scan_plan<In, Out, scan_value<Out>> const&, Op, source_location);
DOLMEN_EACH_SCAN(DOLMEN_SCAN)

}  // namespace dolmen::cpu
