#pragma once

#include "../../algorithms/reduce.hpp"
#include "copy.hpp"
#include "reduce_body.hpp"

namespace dolmen::cpu {

/// The library's own reducers: reduce_*.cpp.
template <class R, class A, class B>
void launch_reduce(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                   source_location where);

/// A user's.
template <class R, class A, class B, class File = this_file>
inline void launch_reduce_by(stream const& s, R const& reducer, dolmen::detail::strided_runs<A, B> const& in, typename R::result* out,
                             source_location where) {
  impl::reduce_whole<File>(s, reducer, in, out, where);
}

}  // namespace dolmen::cpu
