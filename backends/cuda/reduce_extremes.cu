// Minimum, maximum, both.
#include "../../algorithms/reducer_types.hpp"
#include "reduce.hpp"

namespace dolmen::cuda {

using namespace dolmen::detail;

template <class R, class A, class B>
void launch_reduce(stream const& s, R const& r, strided_runs<A, B> const& in, typename R::result* out, source_location where) {
  impl::reduction::reduce_whole<this_file>(s, r, in, out, where);
}

#define DOLMEN_REDUCE(...)                                                                                                                \
  template DOLMEN_API void launch_reduce(stream const&, __VA_ARGS__ const&, strided_runs<__VA_ARGS__::first, __VA_ARGS__::second> const&, \
                                         __VA_ARGS__::result*, source_location);
DOLMEN_EACH_EXTREME_REDUCER(DOLMEN_REDUCE)
DOLMEN_EACH_MINMAX_REDUCER(DOLMEN_REDUCE)

}  // namespace dolmen::cuda
