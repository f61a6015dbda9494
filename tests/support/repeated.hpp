// What a stream was given once, run again.
#pragma once

#include <stdexcept>
#include <utility>

#include <dolmen/dolmen.hpp>

#if DOLMEN_HAS_CUDA
#include <cuda_runtime.h>
#endif

namespace testing {

/// Calls that give operations to a stream. Backends without graphs make them again.
template <class B, class Calls>
class repeated {
 public:
  static constexpr bool is_graph = false;
  repeated(typename B::stream const&, Calls calls) : calls_(std::move(calls)) {}
  void run(typename B::stream const&) { calls_(); }

 private:
  Calls calls_;
};

#if DOLMEN_HAS_CUDA
/// Captured into a graph: the calls are made once, and what they gave to the stream runs with the graph only.
template <class Calls>
class repeated<dolmen::cuda::backend, Calls> {
 public:
  static constexpr bool is_graph = true;
  repeated(dolmen::cuda::stream const& s, Calls calls) {
    require(cudaStreamBeginCapture(s.native(), cudaStreamCaptureModeThreadLocal), "begin of a capture");
    try {
      calls();
    } catch (...) {
      cudaStreamEndCapture(s.native(), &graph_);
      cudaGetLastError();
      throw;
    }
    require(cudaStreamEndCapture(s.native(), &graph_), "end of a capture");
    require(cudaGraphInstantiate(&program_, graph_, 0), "instantiation of a graph");
  }
  ~repeated() {
    cudaGraphExecDestroy(program_);
    cudaGraphDestroy(graph_);
  }
  repeated(repeated const&) = delete;
  repeated& operator=(repeated const&) = delete;

  void run(dolmen::cuda::stream const& s) { require(cudaGraphLaunch(program_, s.native()), "launch of a graph"); }

 private:
  static void require(cudaError_t code, char const* what) {
    if (code != cudaSuccess) throw std::runtime_error(dolmen::detail::text(what, ": ", cudaGetErrorString(code)));
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t program_ = nullptr;
};
#endif

}  // namespace testing
