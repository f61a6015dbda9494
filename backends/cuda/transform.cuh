// Kernels of transform: a function object over elements, in words of 16 bytes where all views allow them.
#pragma once

#include <utility>

#include "../../algorithms/transform.hpp"
#include "row_tiles.cuh"
#include "words.cuh"

namespace dolmen::cuda {

namespace impl {

/// f of V neighbouring elements of each input.
template <int V, class Out, class F, class... In>
__device__ __forceinline__ elements<Out, V> results_of(F const& f, In const*... in) {
  return [&](elements<In, V> const&... loaded) {
    elements<Out, V> result;
#pragma unroll
    for (int v = 0; v < V; ++v) result.values[v] = static_cast<Out>(f(loaded.values[v]...));
    return result;
  }(load_elements<V>(in)...);
}

/// Dense and aligned views. The loads of a thread's U words come before its first store.
template <int V, int U, class F, class Out, class... In>
__global__ void __launch_bounds__(row_tiles::threads) transform_dense(__grid_constant__ F const f, index_t n, Out* out, In const*... in) {
  constexpr int threads = row_tiles::threads;
  index_t const words = n / V, tile = index_t(blockIdx.x) * (threads * U), first = tile + threadIdx.x;
  if (tile + threads * U <= words) {
    elements<Out, V> results[U];
#pragma unroll
    for (int u = 0; u < U; ++u) results[u] = results_of<V, Out>(f, in + (first + u * threads) * V...);
#pragma unroll
    for (int u = 0; u < U; ++u) store_elements<V>(out + (first + u * threads) * V, results[u]);
  } else {
    for (int u = 0; u < U; ++u)
      if (index_t const w = first + u * threads; w < words) store_elements<V>(out + w * V, results_of<V, Out>(f, in + w * V...));
  }
  if (blockIdx.x == gridDim.x - 1)
    if (index_t const i = words * V + threadIdx.x; i < n) out[i] = static_cast<Out>(f(in[i]...));
}

/// Any strides; V = 0: element by element, at any address.
template <int V, class F, class Out, class... In, std::size_t... View>
__device__ __forceinline__ void transform_tile(F const& f, dolmen::detail::collapsed<1 + int(sizeof...(In))> const& space,
                                               row_tiles const& tiles, std::index_sequence<View...>, Out* out, In const*... in) {
  constexpr int wide = V == 0 ? 1 : V;
  constexpr int slots = row_tiles::slots;
  index_t const columns = space.extent[2];
  auto const offset = [&](row_tiles::slot const& s, int view) {
    return s.plane * space.stride[view][0] + s.row * space.stride[view][1] + s.piece * wide;
  };
  if constexpr (V == 0 && !std::is_trivially_default_constructible_v<Out>) {
    for (int k = 0; k < slots; ++k)
      if (auto const s = tiles.at(k); s.inside) out[offset(s, 0)] = static_cast<Out>(f(in[offset(s, int(View) + 1)]...));
  } else if constexpr (V == 0) {
    Out results[slots];
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (auto const s = tiles.at(k); s.inside) results[k] = static_cast<Out>(f(in[offset(s, int(View) + 1)]...));
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (auto const s = tiles.at(k); s.inside) out[offset(s, 0)] = results[k];
  } else {
    elements<Out, wide> results[slots];
#pragma unroll
    for (int k = 0; k < slots; ++k)
      if (auto const s = tiles.at(k); s.inside && (s.piece + 1) * wide <= columns)
        results[k] = results_of<wide, Out>(f, in + offset(s, int(View) + 1)...);
#pragma unroll
    for (int k = 0; k < slots; ++k) {
      auto const s = tiles.at(k);
      if (!s.inside) continue;
      if ((s.piece + 1) * wide <= columns)
        store_elements<wide>(out + offset(s, 0), results[k]);
      else  // the end of a row
        for (index_t i = 0; i < columns - s.piece * wide; ++i)
          out[offset(s, 0) + i] = static_cast<Out>(f(in[offset(s, int(View) + 1) + i]...));
    }
  }
}

template <int V, class F, class Out, class... In>
__global__ void __launch_bounds__(row_tiles::threads)
    transform_rows(__grid_constant__ F const f, __grid_constant__ dolmen::detail::collapsed<1 + int(sizeof...(In))> const space,
                   __grid_constant__ row_tiles const tiles, Out* out, In const*... in) {
  transform_tile<V>(f, space, tiles, std::index_sequence_for<In...>(), out, in...);
}

}  // namespace impl

/// The first of the space's views is `out`.
template <class F, class Out, class... In, class File = this_file>
void launch_transform(stream const& s, char const* name, dolmen::detail::collapsed<1 + int(sizeof...(In))> const& space, F const& f,
                      source_location where, Out* out, In const*... in) {
  constexpr int wide = impl::elements_per_word<Out, In...>;
  constexpr int threads = impl::row_tiles::threads, in_flight = 4;
  constexpr index_t small = 1 << 18;  // words, below which all multiprocessors are kept busy by one word per thread
  impl::device_guard guard(s.device_index(), where);
  auto const rows = [&](auto kernel, int per_piece) {
    auto const tiles = impl::row_tiles::of(space.extent[0], space.extent[1], ceil_div(space.extent[2], index_t(per_piece)));
    impl::launch_native(s, name, tiles.blocks(name, where), threads, 0, where, kernel, f, space, tiles, out, in...);
  };
  if constexpr (wide > 0) {
    bool const aligned = [&]<std::size_t... View>(std::index_sequence<View...>) {
      return impl::fits_words<wide>(out, space.stride[0]) && (impl::fits_words<wide>(in, space.stride[View + 1]) && ...);
    }
    (std::index_sequence_for<In...>());
    if (aligned && space.one_row()) {
      index_t const n = space.extent[2], words = n / wide;
      bool const few = words < small;
      auto const kernel = few ? impl::transform_dense<wide, 1, F, Out, In...> : impl::transform_dense<wide, in_flight, F, Out, In...>;
      unsigned const blocks = unsigned(max(index_t(1), ceil_div(words, index_t(threads * (few ? 1 : in_flight)))));
      return impl::launch_native(s, name, blocks, threads, 0, where, kernel, f, n, out, in...);
    }
    if (aligned) return rows(impl::transform_rows<wide, F, Out, In...>, wide);
  }
  rows(impl::transform_rows<0, F, Out, In...>, 1);
}

}  // namespace dolmen::cuda
