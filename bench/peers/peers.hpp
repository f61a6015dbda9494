// What dolmen's variants are compared with: the same work by hand. On the CPU plain OpenMP loops (openmp.cpp), on a GPU
// raw __global__ kernels of the same algorithm, block shape and fast paths (twins*.cu). Also the kernels that measure
// ceilings. The stream's type chooses; the CPU's functions return when all is done.
#pragma once

#include <array>
#include <dolmen/core/half.hpp>
#include <dolmen/dolmen.hpp>

#include "../problem.hpp"

namespace study::peers {

using dolmen::index_t;

/// Names of the twins, of the sum's peer, and of the allocators that `allocate_pair` knows.
template <class B>
inline constexpr char const* name = "openmp";
template <class B>
inline constexpr char const* sum_name = "openmp";
template <class B>
inline constexpr auto allocators = std::array<char const*, 1>{"malloc"};

/// Rows of kernels that measure one ceiling (plain and non-temporal stores, copy engine, ...); the fastest counts.
inline constexpr int ceiling_methods = 3;

#if DOLMEN_HAS_CPU
#define STUDY_STREAM dolmen::cpu::stream const&
#include "declarations.inc"
#undef STUDY_STREAM
#endif

#if DOLMEN_HAS_CUDA
template <>
inline constexpr char const* name<dolmen::cuda::backend> = "cuda";
template <>
inline constexpr char const* sum_name<dolmen::cuda::backend> = "cub";
template <>
inline constexpr auto allocators<dolmen::cuda::backend> = std::array<char const*, 2>{"malloc_async", "malloc"};
#define STUDY_STREAM dolmen::cuda::stream const&
#include "declarations.inc"
#undef STUDY_STREAM
index_t free_device_bytes(dolmen::cuda::stream const& s);
#endif

}  // namespace study::peers
