// Whose error is it? One that was pending before a call is not that call's.
#include "../backends.hpp"

#include <vector>

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

// CUB takes CUDA's record of the last error for its own: what is pending has to go before the call, and is gone after it.
TEST_CASE_TEMPLATE("errors: one that was pending is not blamed on a library that is called", T, B) {
  cuda::stream s;
  auto const leave_out_of_memory = [] {
    void* nothing = nullptr;
    return cudaMalloc(&nothing, std::size_t(1) << 60);
  };
  auto const leave_no_device = [] { return cudaSetDevice(999); };
  auto const pending = [&](auto&& leave, auto&& call) {
    CHECK(leave() != cudaSuccess);
    CHECK(cudaPeekAtLastError() != cudaSuccess);
    call();
    CHECK(cudaGetLastError() == cudaSuccess);
  };
  std::vector<int> const numbers = {3, -1, 2, 7, 0}, ascending = {-1, 0, 2, 3, 7}, descending = {7, 3, 2, 0, -1};
  std::vector<unsigned> const naturals = {3, 1, 2}, sorted_naturals = {1, 2, 3};
  std::vector<float> const floats = {0.5f, -2.0f, 1.0f}, sorted_floats = {-2.0f, 0.5f, 1.0f};
  std::vector<std::uint8_t> const letters = {1, 2, 3, 4, 5}, by_number = {2, 5, 3, 1, 4};
  auto const each = [&](auto&& leave) {
    pending(leave, [&] {
      auto keys = upload(s, numbers);
      sort(s, keys);
      CHECK(download(s, keys) == ascending);
    });
    pending(leave, [&] {
      auto keys = upload(s, numbers);
      sort(s, keys, sort_order::descending);
      CHECK(download(s, keys) == descending);
    });
    pending(leave, [&] {
      auto keys = upload(s, naturals);
      sort(s, keys);
      CHECK(download(s, keys) == sorted_naturals);
    });
    pending(leave, [&] {
      auto keys = upload(s, floats);
      sort(s, keys);
      CHECK(download(s, keys) == sorted_floats);
    });
    pending(leave, [&] {
      auto keys = upload(s, numbers);
      auto values = upload(s, letters);
      sort_by_key(s, keys, values);
      CHECK(download(s, keys) == ascending);
      CHECK(download(s, values) == by_number);
    });
  };
  each(leave_out_of_memory);
  each(leave_no_device);
  each(leave_an_error);
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
