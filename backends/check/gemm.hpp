#pragma once

#include "../../algorithms/gemm.hpp"
#include "memory.hpp"

namespace dolmen::check {

template <class T>
void launch_gemm(stream const& s, dolmen::detail::gemm_plan<T> const& plan, source_location where);

}  // namespace dolmen::check
