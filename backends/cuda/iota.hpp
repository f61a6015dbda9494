#pragma once

#include "../../algorithms/iota.hpp"
#include "memory.hpp"

namespace dolmen::cuda {

template <class T>
void launch_iota(stream const& s, dolmen::detail::strided<T> out, dolmen::detail::iota_plan<T> plan, source_location where);

}  // namespace dolmen::cuda
