// The backend that runs on any machine, whatever this Dolmen was built for.
#pragma once

#include <dolmen/dolmen.hpp>

#if DOLMEN_HAS_CPU
namespace chosen = dolmen::cpu;
#else
namespace chosen = dolmen::check;
#endif

template <class T>
using chosen_buffer = dolmen::buffer<T, chosen::backend>;
