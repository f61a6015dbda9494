#include <omp.h>

#include <vector>

#include "scans.hpp"

namespace study::peers {

using dolmen::index_t;

template <class T>
void openmp_select(T const* in, T* out, index_t* count, index_t n) {
  std::vector<index_t> parts(std::size_t(omp_get_max_threads()) + 1, 0);
#pragma omp parallel
  {
    index_t const threads = omp_get_num_threads(), me = omp_get_thread_num();
    index_t const begin = n / threads * me + dolmen::min(n % threads, me), end = n / threads * (me + 1) + dolmen::min(n % threads, me + 1);
    index_t kept = 0;
#pragma omp simd reduction(+ : kept)
    for (index_t i = begin; i < end; ++i) kept += in[i] < 0;
    parts[std::size_t(me) + 1] = kept;
#pragma omp barrier
    index_t place = 0;
    for (index_t t = 0; t <= me; ++t) place += parts[std::size_t(t)];
    for (index_t i = begin; i < end; ++i)
      if (in[i] < 0) out[place++] = in[i];
    if (me == threads - 1) *count = place;
  }
}
template void openmp_select(float const*, float*, index_t*, index_t);
template void openmp_select(std::int32_t const*, std::int32_t*, index_t*, index_t);

}  // namespace study::peers
