// Fragments by WMMA. Only device code has them: where nvcc compiles the host's half of a file, in which kernels are parsed and named
// but never run, a fragment has the same members without a body. That spares three of the four readings of WMMA's header, which is
// longer than most kernels.
#pragma once

#include "../../core/fragment.hpp"
#include "../../core/print.hpp"

#if DOLMEN_ON_DEVICE
// The toolkit's header would put a ::half beside dolmen::half, and with `using namespace dolmen` neither could be used. A file
// that wants it includes <cuda_fp16.h> first.
#if !defined(CUDA_NO_HALF)
#define CUDA_NO_HALF
#include <mma.h>
#undef CUDA_NO_HALF
#else
#include <mma.h>
#endif

// In code for older devices WMMA does not even have the names.
#if __CUDA_ARCH__ >= 800
#define DOLMEN_CUDA_HAS_TF32 1
#else
#define DOLMEN_CUDA_HAS_TF32 0
#endif

namespace dolmen::cuda {

namespace impl {

using dolmen::detail::mma_use;
namespace wmma = nvcuda::wmma;

template <class T>
struct wmma_type {
  using type = T;
};
template <>
struct wmma_type<half> {
  using type = __half;
};
template <>
struct wmma_type<bfloat16> {
  using type = __nv_bfloat16;
};
template <>
struct wmma_type<std::int8_t> {
  using type = signed char;
};
template <>
struct wmma_type<std::uint8_t> {
  using type = unsigned char;
};
#if DOLMEN_CUDA_HAS_TF32
template <>
struct wmma_type<tf32> {
  using type = wmma::precision::tf32;
};
#endif
template <class T>
using wmma_type_t = typename wmma_type<T>::type;

template <layout L>
using wmma_layout = std::conditional_t<L == layout::row_major, wmma::row_major, wmma::col_major>;

template <class Spec>
struct wmma_fragment;
template <class T, class S, layout L>
struct wmma_fragment<types::fragment_spec<mma_use::a, T, S, L>> {
  using type = wmma::fragment<wmma::matrix_a, S::m, S::n, S::k, wmma_type_t<T>, wmma_layout<L>>;
};
template <class T, class S, layout L>
struct wmma_fragment<types::fragment_spec<mma_use::b, T, S, L>> {
  using type = wmma::fragment<wmma::matrix_b, S::m, S::n, S::k, wmma_type_t<T>, wmma_layout<L>>;
};
template <class T, class S, layout L>
struct wmma_fragment<types::fragment_spec<mma_use::accumulator, T, S, L>> {
  using type = wmma::fragment<wmma::accumulator, S::m, S::n, S::k, typename dolmen::detail::mma_type<T>::sum>;
};

/// In code for older devices WMMA has no such fragments, and the compiler would say no more than "incomplete type".
template <class T>
consteval bool device_has() {
#if !DOLMEN_CUDA_HAS_TF32
  return !std::is_same_v<T, bfloat16> && !std::is_same_v<T, tf32> && !std::is_same_v<T, double>;
#else
  return true;
#endif
}

}  // namespace impl

/// A warp's fragment: WMMA's, whose elements lie in the lanes' registers.
template <class Spec>
struct fragment {
  static_assert(impl::device_has<typename Spec::type>(),
                "fragments of bfloat16, tf32 and double need compute capability 8.0: compile for sm_80 or later");
  using spec = Spec;
  using value_type = typename Spec::value_type;
  typename impl::wmma_fragment<Spec>::type native;

  __device__ __forceinline__ void fill(value_type value) {
#pragma unroll
    for (int i = 0; i < native.num_elements; ++i) element(i) = value;
    finish();
  }
  __device__ __forceinline__ void load(dolmen::detail::matrix_place<value_type const> from) {
    if constexpr (Spec::use == impl::mma_use::accumulator) {
      impl::wmma::load_matrix_sync(native, from.data, unsigned(from.stride), memory_layout());
    } else {
      impl::wmma::load_matrix_sync(native, reinterpret_cast<native_memory const*>(from.data), unsigned(from.stride));
      finish();
    }
  }
  __device__ __forceinline__ void store(dolmen::detail::matrix_place<value_type> to) const {
    impl::wmma::store_matrix_sync(to.data, native, unsigned(to.stride), memory_layout());
  }
  template <class Body>
  __device__ __forceinline__ void each(Body& body) {
#pragma unroll
    for (int i = 0; i < native.num_elements; ++i) body(element(i));
    finish();
  }
  template <class Body>
  __device__ __forceinline__ void each(fragment const& other, Body& body) {
#pragma unroll
    for (int i = 0; i < native.num_elements; ++i) body(element(i), other.element(i));
    finish();
  }

 private:
  using native_memory = std::conditional_t<std::is_same_v<typename Spec::type, tf32>, float, impl::wmma_type_t<typename Spec::type>>;

  __device__ __forceinline__ value_type& element(int i) { return reinterpret_cast<value_type&>(native.x[i]); }
  __device__ __forceinline__ value_type const& element(int i) const { return reinterpret_cast<value_type const&>(native.x[i]); }
  static __device__ __forceinline__ impl::wmma::layout_t memory_layout() {
    return Spec::layout == layout::row_major ? impl::wmma::mem_row_major : impl::wmma::mem_col_major;
  }
  // Tensor cores want tf32 rounded; whatever bits are below would be dropped.
  __device__ __forceinline__ void finish() {
#if DOLMEN_CUDA_HAS_TF32
    if constexpr (std::is_same_v<typename Spec::type, tf32> && Spec::use != impl::mma_use::accumulator) {
#pragma unroll
      for (int i = 0; i < native.num_elements; ++i) native.x[i] = impl::wmma::__float_to_tf32(native.x[i]);
    }
#endif
  }
};

namespace impl {

template <class C, class A, class B>
__device__ __forceinline__ void multiply_accumulate(fragment<C>& c, fragment<A> const& a, fragment<B> const& b) {
  dolmen::detail::check_mma<C, A, B>();
  wmma::mma_sync(c.native, a.native, b.native, c.native);
}

}  // namespace impl
}  // namespace dolmen::cuda

#undef DOLMEN_CUDA_HAS_TF32
#else

namespace dolmen::cuda {

template <class Spec>
struct fragment {
  using spec = Spec;
  using value_type = typename Spec::value_type;

  __device__ void fill(value_type) {}
  __device__ void load(dolmen::detail::matrix_place<value_type const>) {}
  __device__ void store(dolmen::detail::matrix_place<value_type>) const {}
  template <class Body>
  __device__ void each(Body& body) {
    body(value);
  }
  template <class Body>
  __device__ void each(fragment const& other, Body& body) {
    body(value, other.value);
  }

  value_type value;  // by which bodies are looked up
};

namespace impl {

using dolmen::detail::mma_use;

template <class C, class A, class B>
__device__ void multiply_accumulate(fragment<C>&, fragment<A> const&, fragment<B> const&) {
  dolmen::detail::check_mma<C, A, B>();
}

}  // namespace impl
}  // namespace dolmen::cuda
#endif

namespace dolmen::cuda::impl {

/// A tile was checked when compiling; a view's start and stride are known only now. The check does not look at the fragment's
/// place in it, so that the compiler makes one of all checks of a view; and the text has no numbers, since printf's would
/// take stack in every kernel with fragments.
template <class Matrix>
__device__ __forceinline__ void assert_fragments_fit([[maybe_unused]] Matrix const& matrix) {
#if !defined(DOLMEN_NO_ASSERT)
  if constexpr (!dolmen::detail::is_tile<Matrix>::value) {
    if (!dolmen::detail::fragment_fits(dolmen::detail::place_in(matrix, 0, 0))) {
      printf("warp.load, warp.store: a view of fragments starts at a multiple of 16 bytes, as do its rows; see require_fragments_fit\n");
      __trap();
    }
  }
#endif
}

}  // namespace dolmen::cuda::impl
