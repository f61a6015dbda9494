#include "linear.hpp"

#include "transform.hpp"

namespace dolmen::check {

using dolmen::detail::collapsed;
using dolmen::detail::scalar_of;

template <class T>
void launch_scale(stream const& s, collapsed<2> const& space, scalar_of<T> factor, T* out, T const* x, source_location where) {
  launch_transform(s, "scale", space, dolmen::detail::multiple<T>{factor}, where, out, x);
}

template <class T>
void launch_linear(stream const& s, char const* name, collapsed<3> const& space, scalar_of<T> factor, T* out, T const* b, T const* c,
                   source_location where) {
  launch_transform(s, name, space, dolmen::detail::multiple_and_sum<T>{factor}, where, out, b, c);
}

#define DOLMEN_LINEAR(T)                                                                                                        \
  template DOLMEN_API void launch_scale(stream const&, collapsed<2> const&, scalar_of<T>, T*, T const*, source_location);       \
  template DOLMEN_API void launch_linear(stream const&, char const*, collapsed<3> const&, scalar_of<T>, T*, T const*, T const*, \
                                         source_location);
DOLMEN_EACH_LINEAR(DOLMEN_LINEAR)

}  // namespace dolmen::check
