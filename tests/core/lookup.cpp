// Types that programs hold: calls with them find the program's own functions.
#include "lookup.hpp"

#include "../backends.hpp"

using namespace dolmen;
using program::found_alone;

TEST_CASE_TEMPLATE("lookup: a program's own functions are found alone", T, half, bfloat16) {
  CHECK(found_alone<T>);
  CHECK(found_alone<T const>);
  CHECK(found_alone<view<T>>);
  CHECK(found_alone<view<T const, 3>>);
  CHECK(found_alone<buffer<T>>);
  CHECK(found_alone<pinned_buffer<T>>);
  CHECK(found_alone<array<T, 3>>);
  CHECK(found_alone<pack<T, 4>>);
  CHECK(found_alone<tile<T, 4, 4>>);
  CHECK(found_alone<min_max<T>>);
  CHECK(found_alone<layer_norm_options<T>>);
  CHECK(found_alone<rms_norm_options<T>>);
  CHECK(found_alone<matrix_a<T>>);
  CHECK(found_alone<accumulator<T>>);
}

TEST_CASE("lookup: types without elements") {
  CHECK(found_alone<extents<2>>);
  CHECK(found_alone<fixed<4, 4>>);
  CHECK(found_alone<grid>);
  CHECK(found_alone<thread>);
  CHECK(found_alone<block_index>);
  CHECK(found_alone<block_shape<32, 8>>);
  CHECK(found_alone<launch_bounds>);
  CHECK(found_alone<lanes<8>>);
  CHECK(found_alone<atomic_ref<int>>);
  CHECK(found_alone<plus>);
  CHECK(found_alone<maximum>);
  CHECK(found_alone<memory>);
  CHECK(found_alone<timing>);
  CHECK(found_alone<memory_order>);
  CHECK(found_alone<memory_scope>);
  CHECK(found_alone<layout>);
  CHECK(found_alone<tf32>);
  CHECK(found_alone<boundary>);
  CHECK(found_alone<sort_order>);
  CHECK(found_alone<stencil_weights<2>>);
  CHECK(found_alone<philox_words>);
  CHECK(found_alone<source_location>);
  CHECK(found_alone<kernel_properties>);
  CHECK(found_alone<device_properties>);
  CHECK(found_alone<pool_statistics>);
  CHECK(found_alone<stream>);
  CHECK(found_alone<event>);
  CHECK(found_alone<device>);
}
