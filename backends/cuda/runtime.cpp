#include "runtime.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

namespace dolmen::cuda::impl {

using dolmen::detail::text;

namespace {

// After these the context is lost: CUDA reports them from every later call.
bool lost_device(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorECCUncorrectable:
      return true;
    default:
      return false;
  }
}

std::atomic<bool> in_use{false}, left_by_fork{false};

// CUDA learns of a file's kernels when its static objects begin, which in a program that the library is linked into comes after the
// program's own.
// CUDA ends with the library's static objects, before those of such a program, and a program that has not used it until then ends
// in a segmentation fault in CUDA if it begins.
std::atomic<bool> loaded{false}, used_while_loaded{false}, ended_unused{false};
[[maybe_unused]] bool const begun = [] {
  loaded = true;
  std::atexit([] { ended_unused = !used_while_loaded; });
  return pthread_atfork(nullptr, nullptr, [] { left_by_fork = in_use.load(); }) == 0;
}();

constexpr char const* early_text =
    "called by a static initialiser, before CUDA knows the kernels of what is linked statically: call it from main, or link Dolmen as a "
    "shared library (BUILD_SHARED_LIBS)";

std::string status_text(cudaError_t status) {
  std::string const status_alone = text(cudaGetErrorName(status), ", ", cudaGetErrorString(status));
  return forked() ? text(status_alone, "; ", fork_text) : loaded ? status_alone : text(status_alone, "; ", early_text);
}

}  // namespace

void fail(cudaError_t status, char const* what, source_location where) {
  cudaGetLastError();  // it is told here, and must not be blamed on a later call
  if (lost_device(status))
    throw device_error(text(what, ": an earlier kernel or copy failed (", status_text(status),
                            "); the device is lost to this process. DOLMEN_SYNC=1 shows which one it was"),
                       where);
  throw device_error(text(what, ": ", status_text(status)), where);
}

bool forked() noexcept { return left_by_fork.load(std::memory_order_relaxed); }

void begins_to_use_cuda() noexcept { in_use = true; }

void require_running(char const* what, source_location where) {
  if (ended_unused) [[unlikely]]
    throw device_error(text(what,
                            ": called by the destructor of a static object or a handler of atexit, after CUDA has ended, in a "
                            "program that had not used it before"),
                       where);
  if (loaded) used_while_loaded = true;
}

bool synchronous() noexcept {
  static bool const on = [] {
    char const* value = std::getenv("DOLMEN_SYNC");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return on;
}

bool capturing(stream const& s) noexcept {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(s.native(), &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

void finish_now(stream const& s, char const* what, source_location where) {
  if (capturing(s)) return;
  cudaError_t const status = cudaStreamSynchronize(s.native());
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw device_error(text(dolmen::detail::type_name(what), " failed: ", status_text(status)), where);
}

void launch_failed(cudaError_t status, char const* kernel, int device, dim3 grid, dim3 block, std::size_t shared, char const* architectures,
                   source_location where) {
  std::string const name = dolmen::detail::type_name(kernel);
  if (lost_device(status)) fail(status, name.c_str(), where);
  cudaGetLastError();
  if (!loaded) throw launch_error(text("launch of ", name, ": ", status_text(status)), where);
  std::string const asked = text("grid ", grid.x, " x ", grid.y, " x ", grid.z, ", block ", block.x, " x ", block.y, " x ", block.z,
                                 ", shared memory ", shared, " bytes");
  cudaDeviceProp p{};
  cudaGetDeviceProperties(&p, device);
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction)
    throw launch_error(text("launch of ", name, ": this program has no code for ", p.name, " (compute capability ", p.major, '.', p.minor,
                            "); it was built for ", architectures,
                            ". Set CMAKE_CUDA_ARCHITECTURES. (A static initialiser comes before CUDA knows any kernel.)"),
                       where);
  throw launch_error(
      text("launch of ", name, " refused: asked for ", asked, "; ", p.name, " has grids up to ", p.maxGridSize[0], " x ", p.maxGridSize[1],
           " x ", p.maxGridSize[2], ", blocks up to ", p.maxThreadsPerBlock, " threads, ", p.sharedMemPerBlockOptin,
           " bytes of shared memory per block, ", p.regsPerBlock, " registers per block (", status_text(status), ")"),
      where);
}

}  // namespace dolmen::cuda::impl
