#include "iota.hpp"

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::iota_plan;
using dolmen::detail::strided;

template <class T>
void launch_iota(stream const& s, strided<T> out, iota_plan<T> plan, source_location where) {
  impl::algorithm const op("iota", s, where);
  if (!op.writes(out)) return;
  auto const open = impl::opened(out);
  index_t i = 0;
  for (index_t z = 0; z < out.extent[0]; ++z)
    for (index_t y = 0; y < out.extent[1]; ++y)
      for (index_t x = 0; x < out.extent[2]; ++x) open.data[open.offset(z, y) + x] = plan(i++);
}

#define DOLMEN_IOTA(T) template DOLMEN_API void launch_iota(stream const&, strided<T>, iota_plan<T>, source_location);
DOLMEN_EACH_NUMBER(DOLMEN_IOTA)

}  // namespace dolmen::check
