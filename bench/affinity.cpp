#include "affinity.hpp"

#include <omp.h>
#include <sched.h>

#include <set>

namespace study {

// With OMP_PROC_BIND or OMP_PLACES the thread's own mask is one place; the places together are the process's cores.
std::vector<int> allowed_cores() {
  std::set<int> cores;
  for (int p = 0; p < omp_get_num_places(); ++p) {
    std::vector<int> ids(std::size_t(omp_get_place_num_procs(p)));
    omp_get_place_proc_ids(p, ids.data());
    cores.insert(ids.begin(), ids.end());
  }
  cpu_set_t mask;
  if (cores.empty() && sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (int c = 0; c < CPU_SETSIZE; ++c)
      if (CPU_ISSET(c, &mask)) cores.insert(c);
  return {cores.begin(), cores.end()};
}

void allow_all_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int c : allowed_cores())
    if (c < CPU_SETSIZE) CPU_SET(c, &mask);
  if (CPU_COUNT(&mask) > 0) sched_setaffinity(0, sizeof mask, &mask);
}

std::string ranges_text(std::vector<int> const& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (i > 0) text += ',';
    text += std::to_string(numbers[i]);
    if (last > i) text += '-' + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace study
