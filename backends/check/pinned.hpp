// Pinned host memory: its pages are closed to the host while a copy may still use them.
#pragma once

#include <cstddef>

#include "operations.hpp"

namespace dolmen::check::impl {

/// Null when there is no memory.
char* allocate_pinned(std::size_t bytes, site where);
void release_pinned(void* data);

/// True for an address in pinned memory.
bool in_pinned(void const* p);

/// The second mapping of an address in pinned memory; other addresses as they are.
char* open_pinned(void const* p);

/// An operation of a stream writes (download) or reads (upload) these bytes. Until the host has waited for it, the host may
/// not touch, or not write, them; other memory than pinned is not watched.
/// What is already lent to an operation that `by` does not run after, one of them writing, is reported.
void lend_pinned(void const* p, std::size_t bytes, bool written, operation_number by);
/// Opens what the host has waited for by now.
void return_pinned();
/// Reports what was never released.
void report_pinned_leaks();
/// The host touched this address: reports and opens it. False if it is no closed pinned memory.
bool touch_pinned(char* address);

}  // namespace dolmen::check::impl
