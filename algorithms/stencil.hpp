// stencil and convolve: weighted sums of neighbours.
#pragma once

#include <span>

#include "copy.hpp"
#include "rows.hpp"

namespace dolmen {

namespace types {

/// What lies beyond the edge of a grid.
enum class boundary {
  copy,      ///< nothing: elements with a neighbour beyond the edge keep their value; a weight of 0 makes no neighbour
  zero,      ///< zeros
  periodic,  ///< the other edge: element -1 is the last one
  reflect    ///< the grid in a mirror that stands on the edge's elements: element -1 is element 1
};

}  // namespace types

using types::boundary;

namespace detail {

/// The element that stands for index i of n; -1 for a zero. With boundary::copy nobody asks.
DOLMEN_FN constexpr index_t inside_index(index_t i, index_t n, boundary rule) {
  if (i >= 0 && i < n) return i;
  if (rule == boundary::zero) return -1;
  index_t const period = rule == boundary::reflect ? max(index_t(1), 2 * n - 2) : n;
  index_t const rest = (i % period + period) % period;
  return rest < n ? rest : period - rest;
}

inline constexpr int most_radius = 8, most_taps = 343;

/// The neighbours and their weights, of which none is 0. The order is row-major.
template <class C>
struct stencil_taps {
  int count;
  // How far they reach along planes, rows, columns: towards index 0, towards the end, and the larger of the two. The box that the
  // weights were given in may be wider.
  int before[3], behind[3], radius[3];
  signed char offset[most_taps][3];
  C weight[most_taps];
};

/// Grids of rank 2 have one plane.
template <class T>
struct stencil_plan {
  T const* in;
  T* out;
  index_t extent[3], in_stride[2], out_stride[2];
  boundary rule;

  /// Whether an element has a neighbour beyond the edge, if neighbours reach so far towards either side.
  DOLMEN_FN bool at_edge(index_t z, index_t y, index_t x, int const (&before)[3], int const (&behind)[3]) const {
    return z < before[0] || y < before[1] || x < before[2] || z >= extent[0] - behind[0] || y >= extent[1] - behind[1] ||
           x >= extent[2] - behind[2];
  }
};

}  // namespace detail

namespace types {

/// The weights of a stencil: a box of (2 r + 1) elements in each dimension around the element itself, row-major.
template <int Rank>
class stencil_weights {
  static_assert(Rank == 2 || Rank == 3, "stencils are for grids of rank 2 or 3");

 public:
  /// Weights of 0 are no neighbours: what stands there is not read, and with boundary::copy need not exist. Throws invalid_argument for a
  /// radius that is negative or above 8, for a number of weights that is not the box's, and for more than 343 (7 x 7 x 7) weights that are
  /// not 0.
  stencil_weights(array<int, Rank> radius, std::span<double const> box, source_location where = source_location::current()) {
    index_t size = 1;
    for (int d = 0; d < Rank; ++d) {
      detail::require(radius[d] >= 0 && radius[d] <= detail::most_radius, where, "stencil: radius ", d, " is ", radius[d],
                      ", it must be 0 to ", detail::most_radius);
      size *= 2 * radius[d] + 1;
    }
    detail::require(index_t(box.size()) == size, where, "stencil: the box has ", size, " elements, there are ", box.size(), " weights");
    int side[3] = {0, 0, 0};
    for (int d = 0; d < Rank; ++d) side[3 - Rank + d] = radius[d];
    index_t next = 0;
    for (int z = -side[0]; z <= side[0]; ++z)
      for (int y = -side[1]; y <= side[1]; ++y)
        for (int x = -side[2]; x <= side[2]; ++x)
          if (double const weight = box[std::size_t(next++)]; weight != 0) {
            detail::require(taps_.count < detail::most_taps, where, "stencil: more than ", detail::most_taps, " weights are not 0");
            add({z, y, x}, weight);
          }
  }

  /// The element itself and its next neighbours along each dimension: 5 points of a plane, 7 of a space.
  static stencil_weights star(double centre, double neighbour) { return of_distance(centre, neighbour, 0, 0); }
  /// All elements within a distance of one in each dimension, by the number of dimensions in which they differ: 9 points of a
  /// plane, 27 of a space.
  static stencil_weights box(double centre, double face, double edge, double corner = 0) { return of_distance(centre, face, edge, corner); }

  detail::stencil_taps<double> const& taps() const { return taps_; }

 private:
  void add(int const (&offset)[3], double weight) {
    for (int d = 0; d < 3; ++d) {
      taps_.offset[taps_.count][d] = static_cast<signed char>(offset[d]);
      taps_.before[d] = max(taps_.before[d], -offset[d]);
      taps_.behind[d] = max(taps_.behind[d], offset[d]);
      taps_.radius[d] = max(taps_.before[d], taps_.behind[d]);
    }
    taps_.weight[taps_.count++] = weight;
  }
  static stencil_weights of_distance(double centre, double face, double edge, double corner) {
    double const by_distance[] = {centre, face, edge, corner};
    std::size_t size = 0;
    double box[27];
    array<int, Rank> radius{};
    for (int d = 0; d < Rank; ++d) radius[d] = 1;
    for (int z = Rank == 3 ? -1 : 0; z <= (Rank == 3 ? 1 : 0); ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) box[size++] = by_distance[z * z + y * y + x * x];
    return stencil_weights(radius, std::span<double const>(box, size));
  }

  detail::stencil_taps<double> taps_{};
};

}  // namespace types

using types::stencil_weights;

namespace detail {

template <class C>
stencil_taps<C> taps_in(stencil_taps<double> const& from) {
  stencil_taps<C> to{};
  to.count = from.count;
  for (int d = 0; d < 3; ++d) to.before[d] = from.before[d], to.behind[d] = from.behind[d], to.radius[d] = from.radius[d];
  for (int k = 0; k < from.count; ++k) {
    for (int d = 0; d < 3; ++d) to.offset[k][d] = from.offset[k][d];
    to.weight[k] = C(from.weight[k]);
  }
  return to;
}

template <class T, int Rank>
stencil_plan<T> plan_stencil(view<T const, Rank> in, view<T, Rank> out, boundary rule) {
  if constexpr (Rank == 2)
    return {in.data(), out.data(), {1, in.extent(0), in.extent(1)}, {0, in.stride(0)}, {0, out.stride(0)}, rule};
  else
    return {in.data(), out.data(), {in.extent(0), in.extent(1), in.extent(2)}, {in.stride(0), in.stride(1)}, {out.stride(0), out.stride(1)},
            rule};
}

}  // namespace detail

/// out(i) = sum of weight(k) in(i + k), `steps` times over: the result of a step is the next one's input. Views of rank 2 or 3
/// with any strides; float, double, half and bfloat16 (computed in float, rounded once per step). 0 steps copy. A sum is added
/// up in the weights' order. Memory for a second grid is taken from the stream's pool for more than one step. Does not
/// synchronise. Throws invalid_argument that names the shapes if they differ, if out overlaps in, or for a negative number
/// of steps.
template <stream_type Stream, view_like In, view_like Out>
void stencil(Stream const& stream, In const& in, Out&& out,
             stencil_weights<decltype(detail::as_view(std::declval<In const&>()))::rank> const& weights, boundary rule, index_t steps = 1,
             source_location where = source_location::current()) {
  detail::require_handles("stencil", where, stream, in, out);
  using T = detail::element_of<Out>;
  static_assert(detail::float_element<T> && std::is_same_v<detail::value_of<In const>, T>,
                "stencil: input and result are float, double, half or bfloat16, both the same");
  auto const source = detail::as_view(in);
  auto const target = detail::as_view(out);
  constexpr int rank = decltype(source)::rank;
  static_assert(rank == decltype(target)::rank, "stencil: input and result have different ranks");
  detail::require_same_shape(source, target, "stencil", where);
  detail::require(steps >= 0, where, "stencil: ", steps, " steps; their number must not be negative");
  if (target.empty()) return;
  detail::require(!detail::share_elements(detail::flat(source), detail::flat(target)), where, "stencil: input and result, ", target.shape(),
                  ", overlap");
  if (steps == 0) return copy(stream, source, target, where);
  buffer<T, typename Stream::backend> second(stream, steps > 1 ? target.size() : 0, memory::pooled, where);
  view<T, rank> const between(second.data(), target.shape());
  auto const taps = detail::taps_in<detail::compute_t<T>>(weights.taps());
  view<T const, rank> from = source;
  for (index_t step = 0; step < steps; ++step) {
    auto const to = (steps - step) % 2 == 1 ? target : between;  // so that the last one ends in the target
    detail::with_host_memory("stencil", where, [&] { launch_stencil(stream, detail::plan_stencil<T, rank>(from, to, rule), taps, where); });
    from = to;
  }
}

/// The convolution of a matrix with a filter of height x width weights on the host, row-major, both odd and at most 17:
///   out(y, x) = sum of filter(j, i) in(y + height / 2 - j, x + width / 2 - i)
/// All else as for stencil, which is the correlation (the filter is not turned around). Throws invalid_argument that names the
/// sizes if the filter's is even, above 17 or not that of its weights.
template <stream_type Stream, view_like In, view_like Out>
void convolve(Stream const& stream, In const& in, std::span<double const> filter, int height, int width, Out&& out, boundary rule,
              source_location where = source_location::current()) {
  detail::require_handles("convolve", where, stream, in, out);
  static_assert(decltype(detail::as_view(in))::rank == 2, "convolve: input and result are matrices, views of rank 2");
  constexpr int most = 2 * detail::most_radius + 1;
  detail::require(height % 2 == 1 && width % 2 == 1 && height > 0 && width > 0 && height <= most && width <= most, where,
                  "convolve: a filter of ", height, " x ", width, "; both must be odd and at most ", most);
  detail::require(index_t(filter.size()) == index_t(height) * width, where, "convolve: a filter of ", height, " x ", width, " has ",
                  filter.size(), " weights");
  double turned[most * most];
  for (std::size_t i = 0; i < filter.size(); ++i) turned[i] = filter[filter.size() - 1 - i];
  std::span<double const> const box(turned, filter.size());
  stencil(stream, in, out, stencil_weights<2>({{height / 2, width / 2}}, box, where), rule, 1, where);
}

}  // namespace dolmen
