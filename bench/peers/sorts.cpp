#include "sorts.hpp"

#include <algorithm>
#include <vector>

#if STUDY_HAS_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace study::peers {

void stable_sort_pairs(std::int32_t const* keys, std::int32_t const* values, std::int32_t* out, dolmen::index_t n) {
  struct pair {
    std::int32_t key, value;
  };
  static std::vector<pair> pairs;  // kept, as its users keep theirs
  pairs.resize(std::size_t(n));
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {keys[i], values[i]};
  std::stable_sort(pairs.begin(), pairs.end(), [](pair const& a, pair const& b) { return a.key < b.key; });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    out[i] = pairs[i].key;
    out[pairs.size() + i] = pairs[i].value;
  }
}

#if STUDY_HAS_HIGHWAY
template <class T>
void vqsort(T* keys, dolmen::index_t n) {
  static hwy::Sorter const sorter;  // is kept, too
  sorter(keys, std::size_t(n), hwy::SortAscending());
}
template void vqsort(std::int32_t*, dolmen::index_t);
template void vqsort(std::int64_t*, dolmen::index_t);
template void vqsort(float*, dolmen::index_t);
template void vqsort(double*, dolmen::index_t);
#endif

}  // namespace study::peers
