// The one place where a CUDA status becomes an exception, and where the current device is changed. For the backend's own
// files and for what nvcc compiles.
#pragma once

#include <cuda_runtime_api.h>

#include "stream.hpp"

namespace dolmen::cuda::impl {

/// Throws device_error ("what: cudaErrorName, description") and takes the error from CUDA's own record. An error that
/// means the device is lost says that an earlier operation failed.
[[noreturn]] DOLMEN_API void fail(cudaError_t status, char const* what, source_location where);

inline void check(cudaError_t status, char const* what, source_location where) {
  if (status != cudaSuccess) [[unlikely]]
    fail(status, what, where);
}

/// True in a process whose parent had used CUDA before it forked: CUDA does not work there, by its own rules.
DOLMEN_API bool forked() noexcept;
/// From now on processes that are forked from this one are.
void begins_to_use_cuda() noexcept;
/// What needs no older handle of CUDA begins with it: throws device_error where CUDA is over.
void require_running(char const* what, source_location where);
inline constexpr char const* fork_text =
    "this process was forked by one that had used CUDA, which does not work then: fork before the first use, or start a program (exec)";
/// Calls a function of CUB, or of another library that asks CUDA's record of the last error how its own work went. What an earlier
/// call of somebody else left there is taken out first: it would be blamed on this one. It cannot be put back.
template <class Call>
void call_library(char const* what, source_location where, Call&& call) {
  cudaGetLastError();
  check(call(), what, where);
}

/// Makes a device current and puts the caller's back.
class device_guard {
 public:
  device_guard(int device, source_location where) {
    if (forked()) [[unlikely]]
      fail(cudaErrorInitializationError, "cuda", where);
    check(cudaGetDevice(&before_), "cudaGetDevice", where);
    if (before_ != device) {
      check(cudaSetDevice(device), "cudaSetDevice", where);
      changed_ = true;
    }
  }
  device_guard(device_guard const&) = delete;
  ~device_guard() {
    if (changed_) cudaSetDevice(before_);
  }

 private:
  int before_ = 0;
  bool changed_ = false;
};

/// DOLMEN_SYNC=1: every launch waits, so that a device fault names the launch that caused it.
DOLMEN_API bool synchronous() noexcept;

/// True while the stream is being captured into a graph.
DOLMEN_API bool capturing(stream const& s) noexcept;

/// The rest of finish(): waits, and throws device_error that blames this operation.
DOLMEN_API void finish_now(stream const& s, char const* what, source_location where);

/// Waits for what was just given to the stream if DOLMEN_SYNC asks for it; a failure is then this operation's.
inline void finish(stream const& s, char const* what, source_location where) {
  if (synchronous()) [[unlikely]]
    finish_now(s, what, where);
}

/// Throws launch_error for a launch that CUDA refused: kernel, what was asked, what the device and binary have.
[[noreturn]] DOLMEN_API void launch_failed(cudaError_t status, char const* kernel, int device, dim3 grid, dim3 block, std::size_t shared,
                                           char const* architectures, source_location where);

}  // namespace dolmen::cuda::impl
