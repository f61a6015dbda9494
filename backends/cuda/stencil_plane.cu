// 5 and 9 points of a plane.
#include "stencil_near.cuh"

namespace dolmen::cuda::impl {
namespace {

constexpr int warps = 8, threads = 32 * warps;
template <class T>
inline constexpr int min_blocks = sizeof(T) == 2 ? 3 : 6;
constexpr int rows = 2;  // results of a lane, one below the other

/// The results of rows from y on. Warps lie one below the other.
template <class T, class Columns, bool Inside, bool Star>
class near_tile {
 public:
  using C = compute_t<T>;
  static constexpr int size = Columns::size, loads = rows + 2;

  __device__ __forceinline__ near_tile(stencil_plan<T> const& p, near_weights<C, 1> const& w, Columns const& columns, index_t y)
      : p_(p), w_(w), columns_(columns), rows_(p, y, rows), y_(y) {}

  __device__ __forceinline__ void run() const {
    typename Columns::vector v[loads];
    T side[loads];
#pragma unroll
    for (int r = 0; r < loads; ++r) load(r, v[r], side[r]);
    C row[loads][size + 2];
#pragma unroll
    for (int r = 0; r < loads; ++r) columns_.widen(v[r], side[r], has_sides(r), row[r]);
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      C sum[size] = {};
#pragma unroll
      for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int j = 0; j < size; ++j)
#pragma unroll
          for (int k = 0; k < 3; ++k)
            if (!Star || r == 1 || k == 1) sum[j] = fma(w_.at[0][r][k], row[q + r][j + k], sum[j]);
      store(q, sum);
    }
    if (p_.rule != boundary::copy) return;
    for (index_t y = y_; y < min(y_ + rows, p_.extent[1]); ++y) keep_edges(p_, 0, y, y == 0 || y == p_.extent[1] - 1, columns_.x);
  }

 private:
  __device__ static constexpr bool has_sides(int r) { return !Star || (r > 0 && r < loads - 1); }

  __device__ __forceinline__ void load(int r, typename Columns::vector& v, T& side) const {
    v = {}, side = T(0.0f);
    if (!rows_.has(r)) return;
    T const* const row = p_.in + (y_ - 1) * p_.in_stride[1] + columns_.x + rows_.offset(r);
    v = columns_.load(row);
    if (has_sides(r)) side = columns_.load_side(row);
  }
  __device__ __forceinline__ void store(int q, C const* sum) const {
    typename Columns::vector v;
#pragma unroll
    for (int j = 0; j < size; ++j) v.values[j] = T(sum[j]);
    if (Inside || y_ + q < p_.extent[1]) columns_.store(p_.out + (y_ + q) * p_.out_stride[1] + columns_.x, v);
  }

  stencil_plan<T> const& p_;
  near_weights<C, 1> const& w_;
  Columns columns_;
  near_rows<Inside> rows_;
  index_t y_;
};

template <class T, bool Star>
__global__ void __launch_bounds__(threads, min_blocks<T>)
    near_plane(__grid_constant__ stencil_plan<T> const p, __grid_constant__ near_weights<compute_t<T>, 1> const w,
               __grid_constant__ near_grid const grid) {
  index_t const x0 = index_t(blockIdx.x) * lane_columns<T>::warp, y = (grid.row() * warps + warp_in_block()) * rows;
  if (y >= p.extent[1]) return;
  with_columns(p, grid, x0, y, rows, [&](auto const& columns, auto inside) {
    near_tile<T, std::remove_cvref_t<decltype(columns)>, decltype(inside)::value, Star>(p, w, columns, y).run();
  });
}

}  // namespace

template <class T, bool Star>
void launch_near_plane(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  near_weights<compute_t<T>, 1> w{};
  for (int k = 0; k < taps.count; ++k) w.at[0][taps.offset[k][1] + 1][taps.offset[k][2] + 1] = taps.weight[k];
  near_grid const whole{0, 0, 1, rows_of_words(p.in, p.in_stride), rows_of_words(p.out, p.out_stride)};
  index_t const across = ceil_div(p.extent[2], index_t(lane_columns<T>::warp)), down = ceil_div(p.extent[1], index_t(warps * rows));
  in_parts(whole, across, down, 1, [&](near_grid const& grid, dim3 blocks) {
    launch_native(s, "stencil", blocks, threads, 0, where, near_plane<T, Star>, p, w, grid);
  });
}

#define DOLMEN_NEAR(T, Star) \
  template void launch_near_plane<T, Star>(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
#define DOLMEN_NEAR_BOTH(T) DOLMEN_NEAR(T, true) DOLMEN_NEAR(T, false)
DOLMEN_EACH_FLOAT(DOLMEN_NEAR_BOTH)

}  // namespace dolmen::cuda::impl
