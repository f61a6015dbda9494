#include "memory.hpp"

#include <memory>
#include <mutex>
#include <new>

#include "../../core/host_memory.hpp"
#include "../../core/pool/memory_pool.hpp"
#include "runtime.hpp"

namespace dolmen::cuda {

using dolmen::detail::allocation;
using dolmen::detail::bytes_text;
using dolmen::detail::memory_pool;
using dolmen::detail::text;
using dolmen::detail::with_host_memory;
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

void give_back(void* data) noexcept {
  relaxed_capture relaxed;
  if (cudaFree(data) != cudaSuccess) cudaGetLastError();
}

std::size_t free_memory(int device) {
  device_guard guard(device, source_location::current());
  std::size_t free = 0, total = 0;
  if (cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  cudaGetLastError();
  return 0;
}

// Not possible while a stream of the device is captured.
bool drain(int device) {
  device_guard guard(device, source_location::current());
  if (cudaDeviceSynchronize() == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

memory_pool* new_pool(int device) {
  return new memory_pool({[device](std::size_t bytes) { return take(device, bytes); }, [](void* data, std::size_t) { give_back(data); },
                          [device] { return drain(device); }, [device] { return free_memory(device); }, text("cuda device ", device)});
}

// Memory that was used in a capture belongs to the graph, which uses it whenever it is replayed: it returns to the pool when
// the graph and all that was instantiated from it are gone. False if CUDA would not take it; then it stays out of the pool.
struct graph_memory {
  memory_pool* pool;
  dolmen::detail::pool_block* block;
};

cudaGraph_t graph_of(stream const& s) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
#if CUDART_VERSION >= 13000
  cudaStreamGetCaptureInfo(s.native(), &status, nullptr, &graph, nullptr, nullptr, nullptr);
#else
  cudaStreamGetCaptureInfo_v2(s.native(), &status, nullptr, &graph, nullptr, nullptr);
#endif
  return status == cudaStreamCaptureStatusActive ? graph : nullptr;
}

void leave_to_graph(memory_pool& pool, dolmen::detail::pool_block* block, stream const& s) noexcept {
  auto* const kept = new (std::nothrow) graph_memory{&pool, block};
  cudaGraph_t const graph = graph_of(s);
  if (!kept || !graph) return;
  auto const back = [](void* pointer) {
    auto* const memory = static_cast<graph_memory*>(pointer);
    memory->pool->free_idle(memory->block);
    delete memory;
  };
  cudaUserObject_t object = nullptr;
  if (cudaUserObjectCreate(&object, kept, back, 1, cudaUserObjectNoDestructorSync) != cudaSuccess ||
      cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) != cudaSuccess)
    cudaGetLastError();
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

void backend::refuse_handle(char const* call, char const* what, source_location where) { dolmen::detail::refuse_handle(call, what, where); }

allocation backend::allocate(stream const& s, std::size_t bytes, memory kind, source_location where) {
  dolmen::detail::require_stream(s, "allocate", where);
  int const device = s.device_index();
  auto& pool = with_host_memory("buffer", where, [&]() -> memory_pool& { return impl::pool(device); });
  if (kind == memory::pooled) {
    auto* const block = with_host_memory("buffer", where, [&] {
      // A graph may be replayed on any stream: what is allocated in a capture must wait for nothing.
      return impl::capturing(s) ? pool.allocate(bytes, *std::make_shared<dolmen::detail::stream_order>(), where)
                                : pool.allocate(bytes, *s.order(), where);
    });
    return {block->data, bytes, block};
  }
  void* data = take(device, bytes);
  if (!data) {
    pool.trim();
    data = take(device, bytes);
  }
  if (!data)
    throw out_of_memory(text("out of memory on cuda device ", device, ": asked for ", bytes_text(double(bytes)), ", the device has ",
                             bytes_text(double(free_memory(device))), " free"),
                        where);
  return {data, bytes, nullptr};
}

void backend::release(allocation const& a, stream const& s) noexcept {
  auto& pool = impl::pool(s.device_index());
  if (!a.block)
    give_back(a.data);  // waits for the device
  else if (impl::capturing(s))
    leave_to_graph(pool, a.block, s);
  else
    pool.free(a.block, s.order());
}

void* backend::allocate_pinned(std::size_t bytes, source_location where) {
  device const usable(0, where);
  void* data = nullptr;
  relaxed_capture relaxed;
  cudaError_t const status = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw out_of_memory(text("out of pinned host memory: asked for ", bytes_text(double(bytes))), where);
  }
  impl::check(status, "cudaHostAlloc", where);
  return data;
}

void backend::release_pinned(void* data) noexcept {
  relaxed_capture relaxed;
  if (cudaFreeHost(data) != cudaSuccess) cudaGetLastError();
}

}  // namespace dolmen::cuda
