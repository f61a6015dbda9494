// Memory of the program's own, not pinned, into which a download goes. Until the host has waited for it, whole pages inside of the
// destination are closed to the program; the rest of it holds a pattern, and its data come when the host waits.
#pragma once

#include <cstddef>
#include <vector>

#include "operations.hpp"

namespace dolmen::check::impl {

/// The pattern's bytes.
inline constexpr unsigned char not_there_yet = 0xfe;

/// The operation has downloaded `data` to these addresses.
void lend(char* to, std::vector<char> data, operation_number by);
/// An upload takes these bytes now: reports what is still lent of them.
void take_now(void const* from, std::size_t bytes, operation_number by);
/// Hands over what the host has waited for by now. Reports what the program touched or changed before.
void return_lent();
/// At the end of the process: the same for all that nobody waited for.
void return_all_lent();
/// The program touched this address: opens the pages of its destination. False if it is none of them. Called by a signal's handler,
/// perhaps within malloc: allocates nothing and takes no lock; return_lent reports it.
bool touch_lent(char* address);

}  // namespace dolmen::check::impl
