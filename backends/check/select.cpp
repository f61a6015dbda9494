#include "select.hpp"

namespace dolmen::check {

using dolmen::detail::moved;
using dolmen::detail::select_plan;

template <class T>
void launch_compact(stream const& s, select_plan<T> const& plan, source_location where) {
  auto const with = [](impl::algorithm const&, auto const& body) { body([](T const&, unsigned char flag) { return flag != 0; }); };
  impl::select(s, "compact", plan, with, where);
}

#define DOLMEN_COMPACT(bytes) template DOLMEN_API void launch_compact(stream const&, select_plan<moved<bytes>> const&, source_location);
DOLMEN_COMPACT(1)
DOLMEN_COMPACT(2)
DOLMEN_COMPACT(4)
DOLMEN_COMPACT(8)
DOLMEN_COMPACT(16)

}  // namespace dolmen::check
