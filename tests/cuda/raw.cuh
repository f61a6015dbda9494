// Plain CUDA, as an application has it.
#pragma once

#include <cuda_runtime.h>

#include <doctest/doctest.h>

#define CUDA_OK(call) REQUIRE((call) == cudaSuccess)

/// Keeps a stream busy, so that what follows is still to come when the host asks.
__global__ inline void spin(long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < static_cast<unsigned long long>(nanoseconds));
}

__global__ inline void add_one(float* data, int n) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
