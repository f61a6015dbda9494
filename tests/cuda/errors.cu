// Whose error is it? One that was pending before a call is not that call's.
#include "../backends.hpp"

#include "../../examples/kernels/vector_add.hpp"
#include "raw.cuh"

using namespace dolmen;
using B = cuda::backend;

namespace {

/// Leaves an error in CUDA's own record, as an application that does not look does.
cudaError_t leave_an_error() {
  add_one<<<1, 4096>>>(nullptr, 0);  // too many threads for a block
  cudaError_t const left = cudaPeekAtLastError();
  CHECK(left != cudaSuccess);
  return left;
}

}  // namespace

TEST_CASE_TEMPLATE("errors: one that was pending is not blamed on a call, nor taken away", T, B) {
  cuda::stream s;
  buffer<float, B> data(s, 1000), more(s, 1000);
  cudaError_t const left = leave_an_error();
  fill(s, data, 1.0f);
  copy(s, data, more);
  launch(s, kernels::vector_add::blocks(1000), kernels::vector_add{data, data, more});
  CHECK(sum(s, more) == 2000);
  buffer<float, B> another(s, 100000), direct(s, 1000, memory::direct);
  cuda::event e;
  e.record(s);
  e.wait();
  s.synchronize();
  CHECK(s.query());
  CHECK(cudaGetLastError() == left);
}

TEST_CASE_TEMPLATE("errors: out of memory is not sticky", T, B) {
  cuda::stream s;
  CHECK_THROWS_AS((buffer<char, B>(s, index_t(1) << 46)), out_of_memory);
  CHECK_THROWS_AS((pinned_buffer<char, B>(index_t(1) << 46)), out_of_memory);
  CHECK(cudaGetLastError() == cudaSuccess);
  buffer<float, B> data(s, 1000);
  fill(s, data, 1.0f);
  CHECK(sum(s, data) == 1000);
}
