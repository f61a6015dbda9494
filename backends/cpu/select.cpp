#include "select.hpp"

namespace dolmen::cpu {

using dolmen::detail::moved;
using dolmen::detail::select_plan;

template <class T>
void launch_compact(stream const&, select_plan<T> const& plan, source_location) {
  impl::select(plan, [](T const&, unsigned char const* flags, index_t i) { return flags[i] != 0; });
}

#define DOLMEN_COMPACT(bytes) template DOLMEN_API void launch_compact(stream const&, select_plan<moved<bytes>> const&, source_location);
DOLMEN_COMPACT(1)
DOLMEN_COMPACT(2)
DOLMEN_COMPACT(4)
DOLMEN_COMPACT(8)
DOLMEN_COMPACT(16)

}  // namespace dolmen::cpu
