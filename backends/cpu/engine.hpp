// The one door to the cores: work over a range of indices, by Kokkos where it can.
#pragma once

#include <type_traits>

#include "../../core/emulation/scratch.hpp"
#include "../../core/types.hpp"
#include "grid_barrier.hpp"

namespace dolmen::cpu {

using emulation::scratch;

/// A call through two pointers; refers to a callable that outlives it.
class range_body {
 public:
  template <class F>
  requires(!std::same_as<F, range_body>) range_body(F const& f)
      : object_(&f),
        call_([](void const* object, index_t begin, index_t end, scratch& s) { (*static_cast<F const*>(object))(begin, end, s); }) {}
  void operator()(index_t begin, index_t end, scratch& s) const { call_(object_, begin, end, s); }

 private:
  void const* object_;
  void (*call_)(void const*, index_t, index_t, scratch&);
};

/// Calls body(begin, end, scratch) on disjoint ranges that make up [0, n), concurrently and in no order; returns when all
/// are done. No range is shorter than `grain` unless n is. The first exception thrown by a body is rethrown here; ranges
/// not yet begun are dropped then.
///
/// Kokkos is initialised on the main thread's first use, unless the application has done so. Inside an OpenMP parallel
/// region the whole range runs on the calling thread; on a host thread that Kokkos does not take work from, or after Kokkos
/// was finalised, plain OpenMP serves.
DOLMEN_API void run_ranges(index_t n, index_t grain, range_body body);

/// Threads that a call from here would use.
DOLMEN_API int workers();

/// Calls body(i, i + 1, scratch) for every i in [0, n), each on an OpenMP thread of its own, all at the same time; returns
/// when all are done. Returns the number of threads that OpenMP gave: if that is not n, nothing was called. A body that ends
/// closes the barrier to those that still wait there. The first exception thrown by a body is rethrown here.
DOLMEN_API int run_at_once(int n, grid_barrier& barrier, range_body body);

/// The largest n for which run_at_once may be called from here; 1 inside an OpenMP parallel region.
DOLMEN_API int most_at_once();

/// The calling thread's scratch memory.
DOLMEN_API scratch& local_scratch();

}  // namespace dolmen::cpu
