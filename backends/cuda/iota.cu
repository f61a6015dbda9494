#include "iota.hpp"
#include "row_tiles.cuh"
#include "words.cuh"

namespace dolmen::cuda {

using dolmen::detail::iota_plan;
using dolmen::detail::strided;

namespace {

using impl::row_tiles;

/// Rows in pieces of V elements; V = 1 at any address.
template <int V, class T>
__global__ void __launch_bounds__(row_tiles::threads)
    count_up(__grid_constant__ strided<T> const out, __grid_constant__ row_tiles const tiles, __grid_constant__ iota_plan<T> const plan) {
#pragma unroll
  for (int k = 0; k < row_tiles::slots; ++k) {
    auto const at = tiles.at(k);
    if (!at.inside) continue;
    index_t const column = at.piece * V, first = (at.plane * out.extent[1] + at.row) * out.extent[2] + column;
    T* const to = out.data + out.offset(at.plane, at.row) + column;
    if (V > 1 && column + V <= out.extent[2]) {
      impl::elements<T, V> e;
#pragma unroll
      for (int v = 0; v < V; ++v) e.values[v] = plan(first + v);
      impl::store_elements<V>(to, e);
    } else {
      for (int v = 0; v < V && column + v < out.extent[2]; ++v) to[v] = plan(first + v);
    }
  }
}

}  // namespace

template <class T>
void launch_iota(stream const& s, strided<T> out, iota_plan<T> plan, source_location where) {
  constexpr int wide = impl::elements_per_word<T>;
  impl::device_guard guard(s.device_index(), where);
  bool const words = impl::fits_words<wide>(out.data, out.stride);
  auto const tiles = row_tiles::of(out.extent[0], out.extent[1], ceil_div(out.extent[2], index_t(words ? wide : 1)));
  auto const kernel = words ? count_up<wide, T> : count_up<1, T>;
  impl::launch_native(s, "iota", tiles.blocks("iota", where), row_tiles::threads, 0, where, kernel, out, tiles, plan);
}

#define DOLMEN_IOTA(T) template DOLMEN_API void launch_iota(stream const&, strided<T>, iota_plan<T>, source_location);
DOLMEN_EACH_NUMBER(DOLMEN_IOTA)

}  // namespace dolmen::cuda
