// What atomics and fences order, and between whom. The operations are in atomic.hpp.
#pragma once

#include "config.hpp"

namespace dolmen {

namespace types {

/// What an atomic operation or a fence orders besides its own cell.
///
///   relaxed   nothing
///   release   what the thread (and whom it met in a barrier before) wrote earlier is seen by who acquires the value
///   acquire   what was written before the release of the value that was read is seen by what follows
///   acq_rel   both
///
/// The acquire half belongs to reading and the release half to writing: a load has no release half to give, a store no
/// acquire half, and asking for it orders nothing.
enum class memory_order { relaxed, acquire, release, acq_rel };

/// Between whom: the threads of one block, or all threads of the device. An operation of block scope is atomic, and orders,
/// only with respect to threads of its own block, wherever the cell lies.
enum class memory_scope { block, device };

}  // namespace types

using types::memory_order;
using types::memory_scope;

namespace detail {
DOLMEN_INLINE_FN constexpr bool acquires(memory_order o) { return o == memory_order::acquire || o == memory_order::acq_rel; }
DOLMEN_INLINE_FN constexpr bool releases(memory_order o) { return o == memory_order::release || o == memory_order::acq_rel; }
}  // namespace detail

}  // namespace dolmen
