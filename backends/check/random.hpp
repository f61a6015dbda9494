#pragma once

#include "../../algorithms/random.hpp"
#include "memory.hpp"

namespace dolmen::check {

template <class Distribution>
void launch_random(stream const& s, char const* name, dolmen::detail::strided<typename Distribution::element> out, Distribution d,
                   dolmen::detail::random_sequence sequence, source_location where);

}  // namespace dolmen::check
