// What the reductions' kernels are made of: loads of 16 bytes, folds of a thread, a warp, a block, and the end by the last block.
#pragma once

#include "device_functions.cuh"
#include "launch.cuh"
#include "tickets.hpp"

namespace dolmen::cuda::impl::reduction {

using namespace dolmen::detail;

inline constexpr int threads = 256, warps = threads / 32;
inline constexpr int batch = 4;  // loads of 16 bytes that a thread has under way

/// A value, or none. What combines them asks for no neutral value, and calls no operator on padding.
template <class V>
struct maybe {
  V value;
  bool has;
};

/// b stands behind a.
template <class R, class V>
__device__ __forceinline__ void join(R const& r, maybe<V>& a, maybe<V> const& b) {
  if (!b.has) return;
  a.value = a.has ? r.template combine<V>(a.value, b.value) : b.value;
  a.has = true;
}

/// The values of G neighbouring lanes, in their order, for the first of them.
template <int G, class R, class V>
__device__ __forceinline__ void fold_lanes(R const& r, maybe<V>& v) {
  int const l = threadIdx.x % 32;
#pragma unroll
  for (int d = 1; d < G; d *= 2) {
    maybe<V> const other{from_down(v.value, d, 32), __shfl_down_sync(~0u, int(v.has), d) != 0};
    if (l % (2 * d) == 0) join(r, v, other);
  }
}

/// The values of all threads, in their order, for thread 0. Followed by a barrier before it is called again.
template <class R, class V>
__device__ __forceinline__ void fold_block(R const& r, maybe<V>& v) {
  __shared__ alignas(alignof(V)) unsigned char raw[warps * sizeof(V)];
  __shared__ bool has[warps];
  auto* const values = reinterpret_cast<V*>(raw);
  fold_lanes<32>(r, v);
  int const w = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) {
    values[w] = v.value;
    has[w] = v.has;
  }
  __syncthreads();
  if (w == 0) {
    v = {V(), false};
    if (threadIdx.x < warps) v = {values[threadIdx.x], has[threadIdx.x]};
    fold_lanes<32>(r, v);
  }
}

/// True in the one block of `blocks` that comes last to this ticket, which is then 0 again: it sees what the others wrote.
__device__ __forceinline__ bool last_block(unsigned* ticket, unsigned blocks) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(ticket, 1u) == blocks - 1;
    if (last) *ticket = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// What thread 0 of every block has becomes the result. Every block has a value, unless there is one block.
template <class R, class V>
__device__ __forceinline__ void finish_grid(R const& r, maybe<V> const& v, V* partial, unsigned* ticket, typename R::result* out) {
  require_device_functions<R>();
  unsigned const blocks = gridDim.x;
  if (blocks == 1) {
    if (threadIdx.x == 0) *out = v.has ? r.finish(v.value) : r.nothing();
    return;
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = v.value;
  if (!last_block(ticket, blocks)) return;
  // Four loads at once: those beyond the end read the last value again.
  int const count = int(blocks), each = (count + threads - 1) / threads, t = threadIdx.x;
  auto const place = [&](int k) { return R::commutative ? k * threads + t : t * each + k; };
  maybe<V> all{V(), false};
  for (int k0 = 0; k0 < each; k0 += 4) {
    auto const at = [&](int k) { return partial[min(place(k0 + k), count - 1)]; };
    V const x[4] = {at(0), at(1), at(2), at(3)};
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (k0 + k < each && place(k0 + k) < count) join(r, all, maybe<V>{x[k], true});
  }
  fold_block(r, all);
  if (threadIdx.x == 0) *out = r.finish(all.value);
}

// --- loads ------------------------------------------------------------------------------------------------------------

template <int Bytes>
struct raw_words;
template <>
struct raw_words<16> {
  using type = uint4;
};
template <>
struct raw_words<8> {
  using type = uint2;
};
template <>
struct raw_words<4> {
  using type = unsigned;
};
template <>
struct raw_words<2> {
  using type = unsigned short;
};
template <>
struct raw_words<1> {
  using type = unsigned char;
};

constexpr bool power_of_two(std::size_t n) { return (n & (n - 1)) == 0; }
template <class A>
inline constexpr std::size_t input_bytes = sizeof(A);
template <>
inline constexpr std::size_t input_bytes<no_input> = 1;

/// Elements that one load moves: 16 bytes of the wider input.
template <class A, class B>
inline constexpr int width = power_of_two(input_bytes<A>) && power_of_two(input_bytes<B>) && input_bytes<A> <= 16 && input_bytes<B> <= 16
                                 ? 16 / int(input_bytes<A> > input_bytes<B> ? input_bytes<A> : input_bytes<B>)
                                 : 1;

template <class A, int W>
struct few {
  A values[W];
};
template <int W, class A>
__device__ __forceinline__ few<A, W> load(A const* from) {
  using few_of = few<A, W>;
  if constexpr (W == 1) {
    return {{*from}};
  } else {
    return __builtin_bit_cast(few_of, *reinterpret_cast<typename raw_words<int(W * sizeof(A))>::type const*>(from));
  }
}

/// W neighbouring elements in registers.
template <int W, class A, class B>
struct loaded {
  few<A, W> a;
  few<B, W> b;
  __device__ __forceinline__ explicit loaded(run<A, B> in) : a(load<W>(in.a)), b(load<W>(in.b)) {}
};
template <int W, class A>
struct loaded<W, A, no_input> {
  few<A, W> a;
  __device__ __forceinline__ explicit loaded(run<A> in) : a(load<W>(in.a)) {}
};

/// Whether a reducer changes bits of its elements, see reduce_bits.cuh: all of a vector at once.
template <class R>
concept preparing = requires(R const& r) {
  r.prepare(0u, 0);
};
template <class R, int W, class A, class B>
__device__ __forceinline__ loaded<W, A, B> prepared(R const& r, loaded<W, A, B> x) {
  if constexpr (preparing<R>) {
    constexpr int bytes = W * int(sizeof(A));
    std::uint32_t words[(bytes + 3) / 4] = {};
    memcpy(words, &x.a, bytes);
#pragma unroll
    for (int i = 0; i < (bytes + 3) / 4; ++i) words[i] = r.prepare(words[i], i);
    memcpy(&x.a, words, bytes);
  }
  return x;
}

/// Of a vector that has been prepared.
template <class V, class R, int W, class A, class B>
__device__ __forceinline__ V lift_one(R const& r, loaded<W, A, B> const& x, int k, index_t index) {
  if constexpr (preparing<R>)
    return r.template lift_prepared<V>(index, x.a.values[k]);
  else if constexpr (std::is_same_v<B, no_input>)
    return r.template lift<V>(index, x.a.values[k]);
  else
    return r.template lift<V>(index, x.a.values[k], x.b.values[k]);
}

template <class T>
inline constexpr bool is_byte = sizeof(T) == 1 && std::is_integral_v<T>;

template <class R>
inline constexpr bool sums_bytes = false;
template <class T, class V>
inline constexpr bool sums_bytes<op_reducer<T, V, plus, V>> = is_byte<T>;

/// The value of W elements that have been prepared.
template <class R, int W, class A, class B>
__device__ __forceinline__ typename R::value fold_prepared(R const& r, loaded<W, A, B> const& x, index_t first) {
  using V = typename R::value;
  if constexpr (requires { typename R::key; }) {
    using K = typename R::key_type;
    K extreme = lift_one<K>(typename R::key{}, x, 0, 0);
#pragma unroll
    for (int k = 1; k < W; ++k) extreme = R::key::template combine<K>(extreme, lift_one<K>(typename R::key{}, x, k, 0));
    int at = 0;
#pragma unroll
    for (int k = W - 1; k >= 0; --k)
      if (R::is(static_cast<K>(x.a.values[k]), extreme)) at = k;
    return {extreme, first + at};
  } else if constexpr (sums_bytes<R> && W % 4 == 0) {
    using U = typename R::narrow;
    U sum = 0;
#pragma unroll
    for (int k = 0; k < W / 4; ++k) {
      std::conditional_t<std::is_signed_v<U>, int, unsigned> word;
      memcpy(&word, &x.a.values[4 * k], 4);
      if constexpr (std::is_signed_v<U>)
        sum = __dp4a(word, 0x01010101, sum);
      else
        sum = __dp4a(word, 0x01010101u, sum);
    }
    return static_cast<V>(sum);
  } else {
    using U = typename R::narrow;
    U u = lift_one<U>(r, x, 0, first);
#pragma unroll
    for (int k = 1; k < W; ++k) u = r.template combine<U>(u, lift_one<U>(r, x, k, first + k));
    return static_cast<V>(u);
  }
}

/// The value of W elements.
template <class R, int W, class A, class B>
__device__ __forceinline__ typename R::value fold_few(R const& r, loaded<W, A, B> const& x, index_t first) {
  return fold_prepared(r, prepared(r, x), first);
}

/// W more elements behind those of v.
template <class R, int W, class A, class B>
__device__ __forceinline__ void take(R const& r, maybe<typename R::value>& v, loaded<W, A, B> const& read, index_t first) {
  using V = typename R::value;
  auto const x = prepared(r, read);
  if constexpr (requires { typename R::key; }) {
    // A better one is rare: its place is only looked for then.
    using K = typename R::key_type;
    K extreme = lift_one<K>(typename R::key{}, x, 0, 0);
#pragma unroll
    for (int k = 1; k < W; ++k) extreme = R::key::template combine<K>(extreme, lift_one<K>(typename R::key{}, x, k, 0));
    if (!v.has || R::before(extreme, v.value.key)) v = {fold_prepared(r, x, first), true};
  } else {
    V const value = fold_prepared(r, x, first);
    v.value = v.has ? r.template combine<V>(v.value, value) : value;
    v.has = true;
  }
}

/// Elements before the first that stands at an address for loads of W: the same for both inputs, or there is none.
template <int W, class A, class B>
DOLMEN_FN inline index_t head_of(run<A, B> in, index_t n) {
  if constexpr (W == 1) return 0;
  index_t const head = (W - index_t(reinterpret_cast<std::uintptr_t>(in.a) / sizeof(A)) % W) % W;
  return head < n ? head : n;
}
/// Whether that is so of every view: elements stand at multiples of their size, but for records that ask for less.
template <class A, class B>
inline constexpr bool always_together = std::is_same_v<B, no_input> && (alignof(A) == sizeof(A) || width<A, B> == 1);
template <int W, class A, class B>
DOLMEN_FN inline bool together(run<A, B> in) {
  auto const a = reinterpret_cast<std::uintptr_t>(in.a);
  if (a % sizeof(A) != 0) return false;
  if constexpr (!std::is_same_v<B, no_input>) {
    auto const b = reinterpret_cast<std::uintptr_t>(in.b);
    if (b % sizeof(B) != 0 || a / sizeof(A) % W != b / sizeof(B) % W) return false;
  }
  return true;
}

// --- one warp ---------------------------------------------------------------------------------------------------------

/// A warp adds neighbouring elements to what its lanes have. If the operator is commutative each lane has its own share, which
/// is folded at the end; else all is in lane 0, in order.
template <int W, class R, class A, class B>
__device__ __forceinline__ void take_run(R const& r, maybe<typename R::value>& v, run<A, B> in, index_t n, index_t first) {
  using V = typename R::value;
  int const l = threadIdx.x % 32;
  auto const add_in_order = [&](maybe<V> x) {
    if constexpr (!R::commutative) fold_lanes<32>(r, x);
    if (R::commutative || l == 0) join(r, v, x);
  };
  auto const singles = [&](index_t begin, index_t end) {  // fewer than 32, or any number if W is 1
    for (index_t i = begin; i < end; i += 32) {
      maybe<V> x{V(), false};
      if (i + l < end) x = {lift_at<V>(r, in, i + l, first + i + l), true};
      add_in_order(x);
    }
  };
  index_t const head = head_of<W>(in, n);
  singles(0, head);
  constexpr index_t step = 32 * W;
  index_t i = head;
  for (; i + batch * step <= n; i += batch * step) {
    index_t const mine = i + l * W;
    auto const at = [&](int k) { return loaded<W, A, B>(in.from(mine + k * step)); };
    loaded<W, A, B> const x[batch] = {at(0), at(1), at(2), at(3)};
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if constexpr (R::commutative)
        take(r, v, x[k], first + mine + k * step);
      else
        add_in_order({fold_few(r, x[k], first + mine + k * step), true});
    }
  }
  index_t const whole = head + (n - head) / W * W;
  if (i < whole) {  // up to four loads at once: those beyond the end read the last ones again
    auto const mine = [&](int k) { return i + k * step + l * W; };
    auto const at = [&](int k) { return loaded<W, A, B>(in.from(min(mine(k), whole - W))); };
    loaded<W, A, B> const x[batch] = {at(0), at(1), at(2), at(3)};
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      maybe<V> part{V(), false};
      if (mine(k) < whole) part = {fold_few(r, x[k], first + mine(k)), true};
      if (i + k * step < whole) add_in_order(part);
    }
  }
  singles(whole, n);
}

// --- launching --------------------------------------------------------------------------------------------------------

/// Blocks of an entry that the device holds at once. Asked once per device and entry.
template <class File, auto Entry>
unsigned resident_blocks(stream const& s, source_location where) {
  constexpr int most = 64;
  static kept<unsigned> known[most];
  int const device = s.device_index();
  unsigned blocks = known[device % most].load();
  if (blocks == 0) {
    int each = 0, multiprocessors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, Entry, threads, 0), "reduce", where);
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "reduce", where);
    blocks = unsigned(max(each, 1) * multiprocessors);
    known[device % most].store(blocks);
  }
  return blocks;
}

template <class R>
constexpr void require_values() {
  static_assert(std::is_default_constructible_v<typename R::value> && element_type<typename R::value>,
                "reduce: the type of the reduction is trivially copyable and has a default constructor");
}

}  // namespace dolmen::cuda::impl::reduction
