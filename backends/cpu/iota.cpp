#include "iota.hpp"

#include "row_pieces.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {

using dolmen::detail::iota_plan;
using dolmen::detail::strided;

namespace {

constexpr index_t counted_part = 16 * 1024, counted_at_once = 1 << 20;

// Floats by way of a 32-bit index, which vectors convert.
template <class T>
void count_up(T* to, index_t first, index_t n, iota_plan<T> const& plan) {
  for (index_t b = 0; b < n; b += counted_at_once) {
    int const count = int(min(counted_at_once, n - b));
    if constexpr (std::is_integral_v<T>) {
      T const base = plan(first + b), step = static_cast<T>(plan.step);
#pragma omp simd
      for (int i = 0; i < count; ++i)
        to[b + i] = static_cast<T>(base + static_cast<T>(std::common_type_t<T, unsigned>(step) * unsigned(i)));
    } else {
      double const base = double(first + b);
#pragma omp simd
      for (int i = 0; i < count; ++i) to[b + i] = static_cast<T>(dolmen::detail::fused(base + double(i), plan.step, plan.start));
    }
  }
}

}  // namespace

template <class T>
void launch_iota(stream const&, strided<T> out, iota_plan<T> plan, source_location) {
  bool const past = past_caches(out.size() * index_t(sizeof(T)));
  run_pieces(out.extent, counted_part, [=](index_t plane, index_t row, index_t column, index_t count) {
    index_t const before = (plane * out.extent[1] + row) * out.extent[2] + column;
    make_elements(out.data + out.offset(plane, row) + column, count, past,
                  [&](T* to, index_t first, index_t part) { count_up(to, before + first, part, plan); });
  });
}

#define DOLMEN_IOTA(T) template DOLMEN_API void launch_iota(stream const&, strided<T>, iota_plan<T>, source_location);
DOLMEN_EACH_NUMBER(DOLMEN_IOTA)

}  // namespace dolmen::cpu
