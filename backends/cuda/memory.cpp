#include "memory.hpp"

#include <mutex>

#include "runtime.hpp"

namespace dolmen::cuda {

using dolmen::detail::allocation;
using dolmen::detail::bytes_text;
using dolmen::detail::memory_pool;
using dolmen::detail::text;
using impl::device_guard;

static_assert(backend_type<backend>);

namespace {

// cudaMalloc is refused while any stream of the thread is being captured, unless the thread asks for the relaxed rules.
class relaxed_capture {
 public:
  relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~relaxed_capture() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// Null when the device has no memory left; other failures throw.
void* take(int device, std::size_t bytes) {
  auto const here = source_location::current();
  device_guard guard(device, here);
  relaxed_capture relaxed;
  void* data = nullptr;
  cudaError_t const status = cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  impl::check(status, "cudaMalloc", here);
  return data;
}

std::size_t free_memory(int device) {
  device_guard guard(device, source_location::current());
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

void drain(int device) {
  device_guard guard(device, source_location::current());
  cudaDeviceSynchronize();
}

memory_pool* new_pool(int device) {
  return new memory_pool({[device](std::size_t bytes) { return take(device, bytes); },
                          [](void* data, std::size_t) { cudaFree(data); }, [device] { drain(device); },
                          [device] { return free_memory(device); }, text("cuda device ", device)});
}

bool capturing(stream const& s) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(s.native(), &status) == cudaSuccess && status != cudaStreamCaptureStatusNone;
}

}  // namespace

memory_pool& impl::pool(int device) {
  constexpr int most = 64;
  static std::once_flag made[most];
  static memory_pool* pools[most];
  dolmen::detail::require(device >= 0 && device < most, source_location::current(), "cuda: device ", device, " is beyond the ", most,
                          " that are supported");
  std::call_once(made[device], [device] { pools[device] = new_pool(device); });
  return *pools[device];
}

allocation backend::allocate(stream const& s, std::size_t bytes, memory kind, source_location where) {
  int const device = s.device_index();
  auto& pool = impl::pool(device);
  if (kind == memory::pooled) {
    auto* block = pool.allocate(bytes, *s.order(), where);
    return {block->data, bytes, block};
  }
  void* data = take(device, bytes);
  if (!data) {
    pool.trim();
    data = take(device, bytes);
  }
  dolmen::detail::require<out_of_memory>(data != nullptr, where, "out of memory on cuda device ", device, ": asked for ",
                                         bytes_text(double(bytes)), ", the device has ", bytes_text(double(free_memory(device))), " free");
  return {data, bytes, nullptr};
}

void backend::release(allocation const& a, stream const& s) noexcept {
  // A captured graph uses the memory whenever it is replayed, which nobody can see: it stays out of the pool.
  if (a.block)
    impl::pool(s.device_index()).free(a.block, s.order(), capturing(s));
  else
    cudaFree(a.data);  // waits for the device
}

void* backend::allocate_pinned(std::size_t bytes, source_location where) {
  device const usable(0, where);
  void* data = nullptr;
  cudaError_t const status = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw out_of_memory(text("out of pinned host memory: asked for ", bytes_text(double(bytes))), where);
  }
  impl::check(status, "cudaHostAlloc", where);
  return data;
}

void backend::release_pinned(void* data) noexcept { cudaFreeHost(data); }

}  // namespace dolmen::cuda
