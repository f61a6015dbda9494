// What the build decided, and the few macros of the library.
#pragma once

#include <dolmen/default_backend.hpp>  // generated: dolmen::default_backend, DOLMEN_HAS_*, version

#if __cplusplus < 202002L
#error "Dolmen needs C++20: -std=c++20 or newer (the CMake target dolmen::dolmen asks for it)"
#endif
#if !defined(__CUDA_ARCH__) && !defined(__cpp_exceptions)
#error "Dolmen needs exceptions: errors are thrown as dolmen::error. Compile without -fno-exceptions"
#endif
#if !defined(__CUDA_ARCH__) && !defined(__cpp_rtti)
#error "Dolmen needs run-time type information: errors name kernels by it. Compile without -fno-rtti"
#endif

// Symbols that the library exports; everything else is hidden.
#if defined(_WIN32)
#define DOLMEN_API
#else
#define DOLMEN_API __attribute__((visibility("default")))
#endif

// DOLMEN_FN marks what a kernel may call. DOLMEN_INLINE_FN is for the small functions on the way to an element:
// they have to vanish in every build, also so that no copy made for another instruction set is ever called.
#if defined(__CUDACC__)
#define DOLMEN_FN __host__ __device__
#define DOLMEN_INLINE_FN __host__ __device__ __forceinline__
// Written before a function that is instantiated for one side only, so that nvcc does not test the other side.
#define DOLMEN_NO_EXEC_CHECK _Pragma("nv_exec_check_disable")
#else
#define DOLMEN_FN
#define DOLMEN_INLINE_FN [[gnu::always_inline]] inline
#define DOLMEN_NO_EXEC_CHECK
#endif

// True in files named after KERNELS. Only those have the flags of kernels, and are seen by the GPU's compiler in builds for one.
#if defined(DOLMEN_KERNEL_FILE) || defined(__CUDACC__)
#define DOLMEN_IN_KERNEL_FILE true
#else
#define DOLMEN_IN_KERNEL_FILE false
#endif

// What a build with the check backend defines comes with its targets.
#if DOLMEN_HAS_CHECK && !defined(DOLMEN_CHECK)
#error \
    "This build of Dolmen is for the check backend, and this file is compiled without its flags: name it after KERNELS in \
dolmen_add_executable(target ... KERNELS file.cpp), call dolmen_kernels(target file.cpp), or link the target to dolmen::dolmen"
#endif

// A body for for_each_index that runs on every backend: DOLMEN_LAMBDA(dolmen::index_t i) { ... }.
// It captures by value.
#if defined(__CUDACC__)
#define DOLMEN_LAMBDA [=] __host__ __device__
#else
#define DOLMEN_LAMBDA [=]
#endif

// What travels to the device as bytes. The compiler wraps a DOLMEN_LAMBDA into a class that only looks as if it could not.
#if defined(__CUDACC__)
#define DOLMEN_TRAVELS(F) (std::is_trivially_copyable_v<F> || __nv_is_extended_host_device_lambda_closure_type(F))
#else
#define DOLMEN_TRAVELS(F) std::is_trivially_copyable_v<F>
#endif

// For static_assert, of anything that travels: kernels, bodies, functions.
#define DOLMEN_NO_REFERENCES(F)                                                                                             \
  !::dolmen::detail::holds_references<F>,                                                                                   \
      "it is copied to the device, where a reference would lead back to the host: hold values and views (and no constants " \
      "beside members that are inherited)"

// What nvcc's wrapper of a lambda for the device alone returns on the host is not what the lambda does.
#if defined(__CUDACC__)
#define DOLMEN_HIDES_RESULT(F) __nv_is_extended_device_lambda_closure_type(F)
#else
#define DOLMEN_HIDES_RESULT(F) false
#endif

// Before a loop of a kernel: the GPU's compiler unrolls it whole. A CPU's compiler decides for itself, as it vectorises
// along the threads.
#if defined(__CUDA_ARCH__)
#define DOLMEN_UNROLL _Pragma("unroll")
#else
#define DOLMEN_UNROLL
#endif

// Iterations of the loop that follows do not depend on each other: a CPU's compiler vectorises it. Not `omp simd`, which
// ends the program when a body throws. g++ wants plain variables in the loop's condition. The check backend looks at one
// access after the other.
#if defined(__CUDA_ARCH__) || defined(DOLMEN_CHECK)
#define DOLMEN_SIMD
#elif defined(__clang__)
#define DOLMEN_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define DOLMEN_SIMD _Pragma("GCC ivdep")
#endif

// True while device code is compiled: the host's half of a DOLMEN_FN (exceptions, files) stays out of it.
#if defined(__CUDA_ARCH__)
#define DOLMEN_ON_DEVICE 1
#else
#define DOLMEN_ON_DEVICE 0
#endif

// Checked and plain objects lay out and access elements differently, and a view hidden in a kernel would let them
// link and run wrong. So every object file refers to a symbol that only the library of its own mode defines, whose
// name is the explanation that the linker prints.
#if defined(DOLMEN_CHECK)
#define DOLMEN_MODE_SYMBOL dolmen_all_objects_must_be_built_with_DOLMEN_BACKEND_check
#else
#define DOLMEN_MODE_SYMBOL dolmen_all_objects_must_be_built_without_DOLMEN_BACKEND_check
#endif
extern "C" DOLMEN_API char const DOLMEN_MODE_SYMBOL;
#if !DOLMEN_ON_DEVICE
namespace dolmen::detail {
namespace {
[[gnu::used]] char const* const mode_of_this_object = &DOLMEN_MODE_SYMBOL;
}
}  // namespace dolmen::detail
#endif
