#include "transpose.hpp"

#include <cstring>
#include <vector>

#include "ranges.hpp"

namespace dolmen::check {

using dolmen::detail::strided;
using dolmen::detail::transpose_plan;

namespace {

template <int Width>
struct element {
  char bytes[Width];
};

// Read whole, then written.
template <int Width>
void transpose_width(stream const& s, transpose_plan const& p, source_location where) {
  strided<element<Width> const> in{static_cast<element<Width> const*>(p.from), {p.planes, p.rows, p.columns}, {p.from_plane, p.from_row}};
  strided<element<Width>> out{static_cast<element<Width>*>(p.to), {p.planes, p.columns, p.rows}, {p.to_plane, p.to_row}};
  impl::algorithm const op("transpose", s, where);
  bool const readable = op.reads(in);
  if (!op.writes(out) || !readable) return;
  in = impl::opened(in);
  out = impl::opened(out);
  std::vector<element<Width>> read;
  read.reserve(std::size_t(in.size()));
  for (index_t z = 0; z < p.planes; ++z)
    for (index_t r = 0; r < p.rows; ++r)
      for (index_t c = 0; c < p.columns; ++c) read.push_back(in.data[in.offset(z, r) + c]);
  auto next = read.begin();
  for (index_t z = 0; z < p.planes; ++z)
    for (index_t r = 0; r < p.rows; ++r)
      for (index_t c = 0; c < p.columns; ++c) out.data[out.offset(z, c) + r] = *next++;
}

}  // namespace

void launch_transpose(stream const& s, transpose_plan const& plan, source_location where) {
  switch (plan.width) {
    case 1:
      return transpose_width<1>(s, plan, where);
    case 2:
      return transpose_width<2>(s, plan, where);
    case 4:
      return transpose_width<4>(s, plan, where);
    case 8:
      return transpose_width<8>(s, plan, where);
    default:
      return transpose_width<16>(s, plan, where);
  }
}

}  // namespace dolmen::check
