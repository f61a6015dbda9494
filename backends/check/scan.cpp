#include "scan.hpp"

namespace dolmen::check {

using dolmen::detail::scan_plan;
using dolmen::detail::scan_value;

template <class In, class Out, class Value, class Op>
void launch_scan(stream const& s, scan_plan<In, Out, Value> const& plan, Op op, source_location where) {
  // Products of 16 bits overflow the int in which they would be computed.
  if constexpr (std::same_as<Op, multiplies> && std::is_integral_v<Value> && sizeof(Value) < 4)
    impl::scan<false>(
        s, plan, [](Value a, Value b) { return static_cast<Value>(unsigned(a) * unsigned(b)); }, where);
  else
    impl::scan<false>(s, plan, op, where);
}

#define DOLMEN_SCAN(In, Out, Op) \
  template DOLMEN_API void launch_scan(stream const&, scan_plan<In, Out, scan_value<Out>> const&, Op, source_location);
DOLMEN_EACH_SCAN(DOLMEN_SCAN)

}  // namespace dolmen::check
