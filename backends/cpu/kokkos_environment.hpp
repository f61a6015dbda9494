// What the environment asks of Kokkos, judged before Kokkos reads it: several releases end the program over what they do not take.
#pragma once

namespace dolmen::cpu::impl {

/// Threads that Kokkos would have; 0 where one of its variables holds what it does not take, and where there are more threads than it
/// takes, 512.
int threads_for_kokkos();

}  // namespace dolmen::cpu::impl
