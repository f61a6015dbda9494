// Addresses of the host's memory in what travels to the device: members that are references or pointers, and lambdas that capture by
// reference. A CPU follows them; a GPU reads whatever is at such an address of its own.
#pragma once

#include <cstring>
#include <typeinfo>

#include "../../core/source_location.hpp"
#include "../../core/types.hpp"

namespace dolmen::check::impl {

/// Reports the first word that is the address of the host's writable memory or of a function. Pinned memory, which a GPU can reach,
/// and constants of the program are none.
DOLMEN_API void look_for_host_pointers(void const* object, std::size_t bytes, char const* type, source_location where);

template <class T>
void look_for_host_pointers(T const& object, source_location where) {
  if constexpr (sizeof(T) >= sizeof(void*)) {
    alignas(T) unsigned char copy[sizeof(T)];
    std::memcpy(copy, &object, sizeof(T));
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)  // which may hold an address of yesterday; g++ 12 refuses some lambdas
    if constexpr (std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>) __builtin_clear_padding(reinterpret_cast<T*>(copy));
#endif
#endif
    look_for_host_pointers(copy, sizeof(T), typeid(T).name(), where);
  }
}

}  // namespace dolmen::check::impl
