// The warp on a GPU: a phase is its body, run by every lane. See block_like in core/block.hpp for what it offers.
#pragma once

#include "fragment.cuh"
#include "lanes.cuh"

namespace dolmen::cuda {

namespace impl {
/// body(i), or body(i, thread) for one that asks which thread it is.
template <class Body>
__device__ __forceinline__ void call_at(Body& body, int i, thread const& t) {
  if constexpr (std::invocable<Body&, int, thread>)
    body(i, t);
  else
    body(i);
}
}  // namespace impl

template <class Shape>
class warp {
 public:
  int const index;  // within the block
  int const lanes;  // 32, or fewer in the last warp

  explicit __device__ __forceinline__ warp(thread const& self) : index(self.warp), lanes(lanes_of(self.warp)), self_(self) {}

  /// Lanes of a warp; a constant where the block's size is a multiple of 32.
  static __device__ __forceinline__ int lanes_of(int warp) {
    if constexpr (Shape::size % warp_size == 0)
      return warp_size;
    else
      return min(warp_size, Shape::size - warp * warp_size);
  }

  // --- phases ---------------------------------------------------------------------------------------------------------
  template <class Body>
  __device__ __forceinline__ void each_lane(Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    body(self_);
  }
  template <std::integral Count, class Body>
  __device__ __forceinline__ void each_lane(Count active, Body&& body) const {
    dolmen::detail::check_phase<Body, thread>();
    using compared = std::conditional_t<std::is_signed_v<Count> && sizeof(Count) <= sizeof(int), int, index_t>;
    if (self_.lane < compared(active)) body(self_);
  }
  template <class Body>
  __device__ __forceinline__ void each_index(int count, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    for (int i = self_.lane; i < count; i += lanes) impl::call_at(body, i, self_);
  }
  template <int Count, class Body>
  __device__ __forceinline__ void each_index(fixed<Count>, Body&& body) const {
    dolmen::detail::check_index_phase<Body>();
    if constexpr (Shape::size % warp_size == 0) {
#pragma unroll
      for (int i = 0; i < ceil_div(Count, warp_size); ++i)
        if (int const x = self_.lane + i * warp_size; i < Count / warp_size || x < Count) impl::call_at(body, x, self_);
    } else {
      each_index(Count, body);
    }
  }
  __device__ __forceinline__ void sync() const { __syncwarp(dolmen::detail::low_bits(lanes)); }

  template <class T>
  __device__ __forceinline__ per_thread<T> per_lane(T initial) const {
    return per_thread<T>(initial);
  }

  // --- operations of the lanes ------------------------------------------------------------------------------------------
  template <class T, class Op = plus>
  __device__ __forceinline__ T reduce(per_thread<T> const& value, Op op = {}) const {
    return impl::reduce_lanes<warp_size>(value.own(), op, lanes);
  }
  template <class T, class Op, int W>
  __device__ __forceinline__ per_group<T, W> reduce(per_thread<T> const& value, Op op, dolmen::lanes<W>) const {
    return per_group<T, W>(impl::reduce_lanes<W>(value.own(), op, lanes));
  }
  template <class T, class Op = plus, int W = warp_size>
  __device__ __forceinline__ per_thread<T> inclusive_scan(per_thread<T> const& value, Op op = {}, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::scan_lanes<W>(value.own(), op, lanes));
  }
  template <class T, class Initial = T, class Op = plus, int W = warp_size>
  __device__ __forceinline__ per_thread<T> exclusive_scan(per_thread<T> const& value, Initial initial, Op op = {},
                                                          dolmen::lanes<W> = {}) const {
    T const start = dolmen::detail::scan_start<T>(initial);
    return per_thread<T>(impl::exclusive_scan_lanes<W, T>(value.own(), start, op, lanes));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<T> shuffle(per_thread<T> const& value, int lane, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::shuffle_lanes<W>(value.own(), lane, lanes));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<T> shuffle(per_thread<T> const& value, per_thread<int> const& lane, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::shuffle_lanes<W>(value.own(), lane.own(), lanes));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<T> shuffle_up(per_thread<T> const& value, int n, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::shuffle_up_lanes<W>(value.own(), n, lanes));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<T> shuffle_down(per_thread<T> const& value, int n, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::shuffle_down_lanes<W>(value.own(), n, lanes));
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<T> shuffle_xor(per_thread<T> const& value, int mask, dolmen::lanes<W> = {}) const {
    return per_thread<T>(impl::shuffle_xor_lanes<W>(value.own(), mask, lanes));
  }
  template <class T>
  __device__ __forceinline__ std::uint32_t ballot(per_thread<T> const& value) const {
    return impl::ballot_lanes<warp_size>(static_cast<bool>(value.own()), lanes);
  }
  template <class T>
  __device__ __forceinline__ bool any(per_thread<T> const& value) const {
    return ballot(value) != 0;
  }
  template <class T>
  __device__ __forceinline__ bool all(per_thread<T> const& value) const {
    return ballot(value) == dolmen::detail::low_bits(lanes);
  }
  template <class T, int W = warp_size>
  __device__ __forceinline__ per_thread<std::uint32_t> match(per_thread<T> const& value, dolmen::lanes<W> = {}) const {
    return per_thread<std::uint32_t>(impl::match_lanes<W>(value.own(), lanes));
  }
  template <class T>
  __device__ __forceinline__ T broadcast(per_thread<T> const& value, int lane) const {
    return impl::from_lane(value.own(), lane, lanes);
  }

  // --- fragments --------------------------------------------------------------------------------------------------------
  template <class Spec, class T>
  __device__ __forceinline__ void fill(fragment<Spec>& f, T value) const {
    f.fill(value);
  }
  template <class Spec, class Matrix>
  __device__ __forceinline__ void load(fragment<Spec>& f, Matrix const& from, at row, at column) const {
    static_assert(Shape::size % warp_size == 0, "fragments need whole warps: a block of a multiple of 32 threads");
    dolmen::detail::check_load<Spec, Matrix>();
    auto const place = dolmen::detail::place_in(from, row.value, column.value);
    impl::assert_fragments_fit(from);
    f.load({place.data, place.stride});
  }
  template <class Matrix, class Spec>
  __device__ __forceinline__ void store(Matrix&& to, at row, at column, fragment<Spec> const& f) const {
    dolmen::detail::check_store<Spec, std::remove_reference_t<Matrix>>();
    auto const place = dolmen::detail::place_in(to, row.value, column.value);
    impl::assert_fragments_fit(to);
    f.store({place.data, place.stride});
  }
  template <class C, class A, class B>
  __device__ __forceinline__ void mma(fragment<C>& c, fragment<A> const& a, fragment<B> const& b) const {
    impl::multiply_accumulate(c, a, b);
  }
  template <class Spec, class Body>
  __device__ __forceinline__ void each_element(fragment<Spec>& f, Body&& body) const {
    dolmen::detail::check_phase<Body, typename Spec::value_type&>();
    f.each(body);
  }
  template <class Spec, class Body>
  __device__ __forceinline__ void each_element(fragment<Spec>& f, fragment<Spec> const& g, Body&& body) const {
    dolmen::detail::check_phase<Body, typename Spec::value_type&, typename Spec::value_type const&>();
    f.each(g, body);
  }

 private:
  thread self_;
};

}  // namespace dolmen::cuda
