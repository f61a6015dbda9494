// What raw CUDA code checks after each call.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace study::peers {

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

/// Before a call into CUB, cuBLAS or cuSPARSE, which take an error that was pending for their own.
inline void forget_pending_error() { cudaGetLastError(); }

inline void check_launch(char const* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace study::peers
