#include <omp.h>

#include <vector>

#include "scans.hpp"

namespace study::peers {

using dolmen::index_t;

template <class T>
void openmp_scan(T const* in, T* out, index_t n) {
  using sum =
      std::conditional_t<std::is_same_v<T, dolmen::half>, float, std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t, T>>;
  std::vector<sum> parts(std::size_t(omp_get_max_threads()) + 1, sum(0));
#pragma omp parallel
  {
    index_t const threads = omp_get_num_threads(), me = omp_get_thread_num();
    index_t const begin = n / threads * me + dolmen::min(n % threads, me), end = n / threads * (me + 1) + dolmen::min(n % threads, me + 1);
    sum total = 0;
#pragma omp simd reduction(+ : total)
    for (index_t i = begin; i < end; ++i) total += static_cast<sum>(in[i]);
    parts[std::size_t(me) + 1] = total;
#pragma omp barrier
    sum running = 0;
    for (index_t t = 0; t <= me; ++t) running = static_cast<sum>(running + parts[std::size_t(t)]);
#pragma omp simd reduction(inscan, + : running)
    for (index_t i = begin; i < end; ++i) {
      running += static_cast<sum>(in[i]);
#pragma omp scan inclusive(running)
      out[i] = static_cast<T>(running);
    }
  }
}
template void openmp_scan(float const*, float*, index_t);
template void openmp_scan(double const*, double*, index_t);
template void openmp_scan(dolmen::half const*, dolmen::half*, index_t);
template void openmp_scan(std::int32_t const*, std::int32_t*, index_t);
template void openmp_scan(std::uint8_t const*, std::uint8_t*, index_t);

}  // namespace study::peers
