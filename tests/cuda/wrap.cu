// Foreign streams and pointers, and raw kernels on Dolmen's streams.
#include "../backends.hpp"

#include "../support/data.hpp"
#include "raw.cuh"

using namespace dolmen;
using B = cuda::backend;

TEST_CASE_TEMPLATE("wrap: a foreign cudaStream_t", T, B) {
  cudaStream_t native;
  CUDA_OK(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking));
  {
    auto const s = cuda::stream::wrap(native);
    CHECK(s.native() == native);
    CHECK(s == cuda::stream::wrap(native));
    auto const values = testing::random_values<float>(1000);
    auto data = upload(s, values);
    add_one<<<4, 256, 0, native>>>(data.data(), 1000);
    auto const seen = download(s, data);
    for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == values[i] + 1);
    CHECK(s.query());
  }
  CUDA_OK(cudaStreamSynchronize(native));  // not ours to end
  CUDA_OK(cudaStreamDestroy(native));
}

TEST_CASE_TEMPLATE("wrap: a foreign pointer", T, B) {
  cuda::stream s;
  float* data;
  CUDA_OK(cudaMalloc(&data, 1000 * sizeof(float)));
  view<float> const v(data, 1000);
  fill(s, v, 2.0f);
  CHECK(sum(s, v) == 2000);
  CUDA_OK(cudaFree(data));
}

TEST_CASE_TEMPLATE("wrap: a raw kernel on a Dolmen stream, in order", T, B) {
  cuda::stream s;
  buffer<float, B> data(s, 1000);
  fill(s, data, 1.0f);
  add_one<<<4, 256, 0, s.native()>>>(data.data(), 1000);
  CHECK(sum(s, data) == 2000);
}

TEST_CASE_TEMPLATE("wrap: work on a Dolmen stream waits for a foreign event", T, B) {
  cuda::stream s;
  buffer<float, B> data(s, 1000);
  fill(s, data, 1.0f);
  cuda::event e;
  e.record(s);
  CUDA_OK(cudaEventSynchronize(e.native()));
  CHECK(e.query());
}

TEST_CASE_TEMPLATE("device: the caller's current device stays current", T, B) {
  int count = 0, before = -1, after = -1;
  CUDA_OK(cudaGetDeviceCount(&count));
  CUDA_OK(cudaGetDevice(&before));
  cuda::device const last(count - 1);
  {
    cuda::stream s(last);
    buffer<float, B> data(s, 1000), direct(s, 1000, memory::direct);
    fill(s, data, 1.0f);
    copy(s, data, direct);
    CHECK(sum(s, direct) == 1000);
    CUDA_OK(cudaGetDevice(&after));
    CHECK(after == before);
  }
  last.trim_pool();
  CUDA_OK(cudaGetDevice(&after));
  CHECK(after == before);
}
