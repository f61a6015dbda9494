// 7 and 27 points of a space.
#include "stencil_near.cuh"

namespace dolmen::cuda::impl {
namespace {

constexpr int warps = 4, threads = 32 * warps, min_blocks = 4;
template <class T>
inline constexpr int lane_rows = sizeof(T) == 2 ? 2 : 4;  // results of a lane, one below the other

/// The results of rows from y on in planes [begin, begin + steps): each plane is added to the three results that it is a
/// neighbour of, while the next one is under way. Warps lie one below the other.
template <class T, class Columns, bool Inside, bool Star>
class near_march {
 public:
  using C = compute_t<T>;
  static constexpr int size = Columns::size, rows = lane_rows<T>, loads = rows + 2;

  __device__ __forceinline__ near_march(stencil_plan<T> const& p, near_weights<C, 3> const& w, Columns const& columns, index_t y,
                                        index_t begin, int steps)
      : p_(p), w_(w), columns_(columns), rows_(p, y, rows), y_(y), begin_(begin), steps_(steps) {
    bool const wraps = p.rule == boundary::periodic || p.rule == boundary::reflect;  // planes of zeros add nothing
    bool const to_end = begin + steps == p.extent[0];
    at_ = begin > 0 || wraps ? -1 : 0;
    last_ = to_end && !wraps ? steps - 1 : steps;
    plain_ = (to_end ? steps : last_ + 1) - 1;
    plane_ = plane(at_);
    to_ = p.out + begin * p.out_stride[0] + y * p.out_stride[1] + columns_.x;
  }

  __device__ __forceinline__ void run() {
#pragma unroll
    for (int r = 0; r < loads; ++r) load(r);
    if constexpr (Inside) {
      while (!(step<0>() || step<1>() || step<2>())) {
      }
    } else {
      while (!step<0>()) {
#pragma unroll
        for (int q = 0; q < rows; ++q)
#pragma unroll
          for (int j = 0; j < size; ++j) sums_[0][q][j] = sums_[1][q][j], sums_[1][q][j] = sums_[2][q][j];
      }
    }
    if (p_.rule == boundary::copy) keep();
  }

 private:
  __device__ static constexpr bool has_sides(int r) { return !Star || (r > 0 && r < loads - 1); }

  /// Adds a plane; sums_[First] is the result of the plane before, of which it is the last neighbour. True after the last one.
  template <int First>
  __device__ __forceinline__ bool step() {
    if (unsigned(at_) < unsigned(plain_))
      plane_ += p_.in_stride[0];
    else if (at_ < last_)
      plane_ = plane(at_ + 1);
#pragma unroll
    for (int r = 0; r < loads; ++r) {
      C row[size + 2];
      columns_.widen(v_[r], side_[r], has_sides(r), row);
      load(r);  // behind the last plane that one again, in vain
      add<First>(r, row);
    }
    if (at_ > 0) store(sums_[First]);
    if (at_++ < last_) return false;
    if (last_ < steps_) store(sums_[(First + 1) % 3]);
    return true;
  }

  /// Where row y - 1 lies in plane `begin` + k.
  __device__ __forceinline__ T const* plane(int k) const {
    return p_.in + near_index(begin_ + k, p_.extent[0], p_.rule) * p_.in_stride[0] + (y_ - 1) * p_.in_stride[1] + columns_.x;
  }
  __device__ __forceinline__ void load(int r) {
    v_[r] = {}, side_[r] = T(0.0f);
    if (!rows_.has(r)) return;
    T const* const row = plane_ + rows_.offset(r);
    v_[r] = columns_.load(row);
    if (has_sides(r)) side_[r] = columns_.load_side(row);
  }

  template <int First>
  __device__ __forceinline__ void add(int r, C const (&row)[size + 2]) {
    constexpr int here = (First + 1) % 3, behind = (First + 2) % 3;
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      int const d = r - q;
      if (d < 0 || d > 2) continue;
#pragma unroll
      for (int j = 0; j < size; ++j)
#pragma unroll
        for (int k = 0; k < 3; ++k) {
          C const x = row[j + k];
          if (!Star || (d == 1 && k == 1)) {
            bool const first = Star || (d == 0 && k == 0);  // what was there has been stored
            sums_[First][q][j] = fma(w_.at[2][d][k], x, sums_[First][q][j]);
            sums_[behind][q][j] = fma(w_.at[0][d][k], x, first ? C(0) : sums_[behind][q][j]);
          }
          if (!Star || d == 1 || k == 1) sums_[here][q][j] = fma(w_.at[1][d][k], x, sums_[here][q][j]);
        }
    }
  }

  __device__ __forceinline__ void store(C const (&sums)[rows][size]) {
#pragma unroll
    for (int q = 0; q < rows; ++q) {
      typename Columns::vector v;
#pragma unroll
      for (int j = 0; j < size; ++j) v.values[j] = T(sums[q][j]);
      if (Inside || y_ + q < p_.extent[1]) columns_.store(to_ + q * p_.out_stride[1], v);
    }
    to_ += p_.out_stride[0];
  }
  __device__ __forceinline__ void keep() const {
    for (index_t z = begin_; z < begin_ + steps_; ++z)
      for (index_t y = y_; y < min(y_ + rows, p_.extent[1]); ++y)
        keep_edges(p_, z, y, z == 0 || z == p_.extent[0] - 1 || y == 0 || y == p_.extent[1] - 1, columns_.x);
  }

  stencil_plan<T> const& p_;
  near_weights<C, 3> const& w_;
  Columns columns_;
  near_rows<Inside> rows_;
  index_t y_, begin_;
  int steps_, at_, last_;  // planes, counted from `begin`: how many, the one that is added next, the last one
  int plain_;              // up to which the next one lies behind the one before
  T const* plane_;
  T* to_;
  typename Columns::vector v_[loads];
  T side_[loads];
  C sums_[3][rows][size] = {};
};

template <class T, bool Star>
__global__ void __launch_bounds__(threads, min_blocks)
    near_space(__grid_constant__ stencil_plan<T> const p, __grid_constant__ near_weights<compute_t<T>, 3> const w,
               __grid_constant__ near_grid const grid) {
  index_t const x0 = index_t(blockIdx.x) * lane_columns<T>::warp, y = (grid.row() * warps + warp_in_block()) * lane_rows<T>;
  if (y >= p.extent[1]) return;
  index_t const begin = grid.piece() * grid.length;
  int const steps = int(min(grid.length, p.extent[0] - begin));
  with_columns(p, grid, x0, y, lane_rows<T>, [&](auto const& columns, auto inside) {
    near_march<T, std::remove_cvref_t<decltype(columns)>, decltype(inside)::value, Star>(p, w, columns, y, begin, steps).run();
  });
}

}  // namespace

template <class T, bool Star>
void launch_near_space(stream const& s, stencil_plan<T> const& p, stencil_taps<compute_t<T>> const& taps, source_location where) {
  near_weights<compute_t<T>, 3> w{};
  for (int k = 0; k < taps.count; ++k) w.at[taps.offset[k][0] + 1][taps.offset[k][1] + 1][taps.offset[k][2] + 1] = taps.weight[k];
  index_t const across = ceil_div(p.extent[2], index_t(lane_columns<T>::warp)), down = ceil_div(p.extent[1], index_t(warps * lane_rows<T>));
  // Long marches read the planes between two pieces seldom twice; short ones keep the device full.
  index_t const length = max(index_t(4), min(index_t(64), p.extent[0] * across * down / 1000));
  near_grid const whole{0, 0, length, rows_of_words(p.in, p.in_stride), rows_of_words(p.out, p.out_stride)};
  in_parts(whole, across, down, ceil_div(p.extent[0], length), [&](near_grid const& grid, dim3 blocks) {
    launch_native(s, "stencil", blocks, threads, 0, where, near_space<T, Star>, p, w, grid);
  });
}

#define DOLMEN_NEAR(T, Star) \
  template void launch_near_space<T, Star>(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
#define DOLMEN_NEAR_BOTH(T) DOLMEN_NEAR(T, true) DOLMEN_NEAR(T, false)
DOLMEN_EACH_FLOAT(DOLMEN_NEAR_BOTH)

}  // namespace dolmen::cuda::impl
