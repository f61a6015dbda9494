// Kernel entries and their launch, in the user's own file: a kernel is known to the copy of the CUDA runtime that this file
// is linked with.
#pragma once

#include <typeinfo>

#include "../../core/cooperative.hpp"
#include "arrivals.hpp"
#include "block.cuh"
#include "kept_answers.hpp"
#include "runtime.hpp"

// A function of the host called from a DOLMEN_FN is only a warning of nvcc's, and the kernel does nothing where it stands. Here it
// is an error: 20011 and 20014 calls, 20013 and 20015 calls of constexpr functions without --expt-relaxed-constexpr.
#pragma nv_diag_error 20011, 20013, 20014, 20015

namespace dolmen::cuda {

namespace {
// Differs from source file to source file. nvcc gives every file its own copy of a kernel template's entry, so what is known
// of an entry must be known per file too.
struct this_file {};
}  // namespace

namespace impl {

#define DOLMEN_TEXT(...) #__VA_ARGS__
#define DOLMEN_TEXT_OF(...) DOLMEN_TEXT(__VA_ARGS__)
#if defined(__CUDA_ARCH_LIST__)
inline constexpr char const* built_for = DOLMEN_TEXT_OF(__CUDA_ARCH_LIST__);
#else
inline constexpr char const* built_for = "other architectures";
#endif
#undef DOLMEN_TEXT
#undef DOLMEN_TEXT_OF

/// What is kept in static shared memory; more is dynamic, up to the device's opt-in limit. Static memory ends at 48 KB, and
/// the block's operations (uniform, reduce, scans) need a little of it.
inline constexpr std::size_t most_static_shared = 44 * 1024;
template <class Kernel>
inline constexpr std::size_t dynamic_shared = dolmen::detail::shared_bytes<Kernel> > most_static_shared
                                                  ? sizeof(dolmen::detail::shared_t<Kernel>)
                                                  : 0;

/// The part of a grid that one launch covers: CUDA's y and z end at 65535, so larger grids come in several parts. (One line
/// of blocks, split by division, would cost every kernel a branch: 3% of a vector add.)
struct grid_part {
  block_index grid;
  int y, z;  // the first block of this launch
};

template <class Kernel>
__device__ __forceinline__ void run_block(Kernel const& kernel, block<typename Kernel::shape>& self) {
  using shared = dolmen::detail::shared_t<Kernel>;
  if constexpr (dynamic_shared<Kernel> != 0) {
    extern __shared__ __align__(dolmen::detail::shared_alignment) unsigned char dolmen_dynamic_shared[];
    kernel(self, *reinterpret_cast<shared*>(dolmen_dynamic_shared));
  } else if constexpr (requires { typename Kernel::shared; }) {
    __shared__ shared memory;
    kernel(self, memory);
  } else {
    kernel(self);
  }
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::shape::size, dolmen::detail::min_blocks<Kernel>)
    entry(__grid_constant__ Kernel const kernel, __grid_constant__ grid_part const part) {
  block<typename Kernel::shape> self({int(blockIdx.x), part.y + int(blockIdx.y), part.z + int(blockIdx.z)}, part.grid);
  run_block(kernel, self);
}

/// Of its own, so that plain launches pay nothing for it. The grid is small: it comes in one part.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::shape::size, dolmen::detail::min_blocks<Kernel>)
    cooperative_entry(__grid_constant__ Kernel const kernel, unsigned* const arrived) {
  block<typename Kernel::shape> self({int(blockIdx.x), int(blockIdx.y), int(blockIdx.z)}, {int(gridDim.x), int(gridDim.y), int(gridDim.z)},
                                     grid_barrier(arrived));
  run_block(kernel, self);
}

inline constexpr int each_threads = 256, each_columns = 32;

template <class Body>
__global__ void __launch_bounds__(each_threads) each_entry(__grid_constant__ Body const body, extents<1> const shape) {
  index_t const i = index_t(blockIdx.x) * each_threads + threadIdx.x;
  if (i < shape[0]) body(i);
}

/// Rows of all planes behind each other: blocks in x over groups of rows and groups of columns.
template <class Body, int Rank>
__global__ void __launch_bounds__(each_threads)
    each_entry(__grid_constant__ Body const body, extents<Rank> const shape, index_t rows, int column_groups) {
  constexpr int height = each_threads / each_columns;
  index_t const row = index_t(blockIdx.x) / column_groups * height + threadIdx.y;
  index_t const x = index_t(blockIdx.x) % column_groups * each_columns + threadIdx.x;
  if (row >= rows || x >= shape[Rank - 1]) return;
  if constexpr (Rank == 3)
    body(row / shape[1], row % shape[1], x);
  else
    body(row, x);
}

/// Lets an entry of a kernel have more shared memory than the static limit, once per device. The entries of one kernel have
/// different types.
template <class Kernel, class File, class Entry>
void raise_shared_limit(int device, Entry* native) {
  if constexpr (dynamic_shared<Kernel> != 0) {
    static kept<std::uint64_t> raised;
    std::uint64_t const bit = std::uint64_t(1) << device;
    if (raised.load() & bit) return;
    // A refusal shows in the launch, which says what was asked.
    if (cudaFuncSetAttribute(native, cudaFuncAttributeMaxDynamicSharedMemorySize, int(dynamic_shared<Kernel>)) == cudaSuccess)
      raised.set_bits(bit);
    else
      cudaGetLastError();
  }
}

inline cudaLaunchConfig_t configuration(stream const& s, dim3 grid, dim3 block, std::size_t shared) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = s.native();
  return config;
}

/// Launches any __global__ function on a stream; statuses are the call's own, never an older error's.
template <class... Parameters, class... Arguments>
void launch_configured(stream const& s, char const* name, cudaLaunchConfig_t const& config, source_location where,
                       void (*kernel)(Parameters...), Arguments const&... arguments) {
  cudaError_t const status = cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
  if (status != cudaSuccess)
    launch_failed(status, name, s.device_index(), config.gridDim, config.blockDim, config.dynamicSmemBytes, built_for, where);
  finish(s, name, where);
}

template <class... Parameters, class... Arguments>
void launch_native(stream const& s, char const* name, dim3 grid, dim3 block, std::size_t shared, source_location where,
                   void (*kernel)(Parameters...), Arguments const&... arguments) {
  launch_configured(s, name, configuration(s, grid, block, shared), where, kernel, arguments...);
}

/// What the compiler made of an entry, and how much of it fits.
template <class Kernel, class File, class Entry>
kernel_properties properties_of_entry(stream const& s, Entry* native, source_location where) {
  constexpr int threads = Kernel::shape::size;
  constexpr std::size_t shared = dynamic_shared<Kernel>;
  int const device = s.device_index();
  device_guard guard(device, where);
  raise_shared_limit<Kernel, File>(device, native);
  cudaFuncAttributes a{};
  kernel_properties p;
  cudaError_t status = cudaFuncGetAttributes(&a, native);
  if (status == cudaSuccess) status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&p.resident_blocks, native, threads, shared);
  if (status != cudaSuccess) launch_failed(status, typeid(Kernel).name(), device, 1, threads, shared, built_for, where);
  check(cudaDeviceGetAttribute(&p.multiprocessors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute", where);
  p.registers = a.numRegs;
  p.local_bytes = index_t(a.localSizeBytes);
  p.static_shared_bytes = index_t(a.sharedSizeBytes);
  p.dynamic_shared_bytes = index_t(shared);
  p.max_threads_per_block = a.maxThreadsPerBlock;
  return p;
}

}  // namespace impl

template <class Kernel, class File = this_file>
void launch_kernel(stream const& s, grid blocks, Kernel const& kernel, source_location where) {
  using shape = typename Kernel::shape;
  constexpr index_t most = 65535;
  impl::device_guard guard(s.device_index(), where);
  impl::raise_shared_limit<Kernel, File>(s.device_index(), impl::entry<Kernel>);
  block_index const whole{int(blocks.x), int(blocks.y), int(blocks.z)};
  for (index_t z = 0; z < blocks.z; z += most)
    for (index_t y = 0; y < blocks.y; y += most) {
      dim3 const part(unsigned(blocks.x), unsigned(min(blocks.y - y, most)), unsigned(min(blocks.z - z, most)));
      impl::launch_native(s, typeid(Kernel).name(), part, dim3(shape::x, shape::y, shape::z), impl::dynamic_shared<Kernel>, where,
                          impl::entry<Kernel>, kernel, impl::grid_part{whole, int(y), int(z)});
    }
}

template <class Kernel, class File = this_file>
void launch_cooperative_kernel(stream const& s, grid blocks, Kernel const& kernel, source_location where) {
  using shape = typename Kernel::shape;
  impl::device_guard guard(s.device_index(), where);
  impl::raise_shared_limit<Kernel, File>(s.device_index(), impl::cooperative_entry<Kernel>);
  impl::arrivals const arrivals(s, where);
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  auto config = impl::configuration(s, dim3(unsigned(blocks.x), unsigned(blocks.y), unsigned(blocks.z)), dim3(shape::x, shape::y, shape::z),
                                    impl::dynamic_shared<Kernel>);
  config.attrs = &together;
  config.numAttrs = 1;
  impl::launch_configured(s, typeid(Kernel).name(), config, where, impl::cooperative_entry<Kernel>, kernel, arrivals.word());
}

template <class Kernel, class File = this_file>
kernel_properties properties_of(stream const& s, std::type_identity<Kernel>, source_location where) {
  return impl::properties_of_entry<Kernel, File>(s, impl::entry<Kernel>, where);
}

template <class Kernel, class File = this_file>
kernel_properties cooperative_properties_of(stream const& s, std::type_identity<Kernel>, source_location where) {
  return impl::properties_of_entry<Kernel, File>(s, impl::cooperative_entry<Kernel>, where);
}

template <int Rank, class Body, class File = this_file>
void launch_each(stream const& s, extents<Rank> shape, Body const& body, source_location where) {
  constexpr int threads = impl::each_threads, columns = impl::each_columns;
  constexpr index_t most_blocks = 0x7fffffff;
  impl::device_guard guard(s.device_index(), where);
  index_t blocks;
  if constexpr (Rank == 1) {
    blocks = ceil_div(shape[0], index_t(threads));
  } else {
    index_t const rows = shape.volume() / shape[Rank - 1], groups = ceil_div(shape[Rank - 1], index_t(columns));
    blocks = ceil_div(rows, index_t(threads / columns)) * groups;
  }
  dolmen::detail::require<launch_error>(blocks <= most_blocks, where, "for_each_index: ", shape.volume(), " indices need ", blocks,
                                        " blocks, more than a grid's ", most_blocks);
  dim3 const native = static_cast<unsigned>(blocks);
  if constexpr (Rank == 1)
    impl::launch_native(s, typeid(Body).name(), native, threads, 0, where,
                        static_cast<void (*)(Body const, extents<1> const)>(impl::each_entry<Body>), body, shape);
  else
    impl::launch_native(s, typeid(Body).name(), native, dim3(columns, threads / columns), 0, where,
                        static_cast<void (*)(Body const, extents<Rank> const, index_t, int)>(impl::each_entry<Body, Rank>), body, shape,
                        shape.volume() / shape[Rank - 1], int(ceil_div(shape[Rank - 1], index_t(columns))));
}

}  // namespace dolmen::cuda
