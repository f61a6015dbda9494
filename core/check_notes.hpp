// What a program tells the check backend about itself. Other backends take the same words and do nothing.
#pragma once

#include "config.hpp"
#include "types.hpp"

/// Accepts findings of one kind that name this source line or the next, as either side, with a reason for readers:
///
///     DOLMEN_CHECK_ACCEPT(race, "all threads write the same 1");
///     found(0) = 1;
///
/// A statement of host code, block scope or a phase; in force once it was run. Accepted findings are counted, and listed when
/// the process ends. One that accepts nothing is no error. `what` is a name of dolmen::check::kind.
#if defined(DOLMEN_CHECK)
#define DOLMEN_CHECK_ACCEPT(what, reason)                                                                \
  do {                                                                                                   \
    [[maybe_unused]] static bool const accepted =                                                        \
        ::dolmen::check::impl::accept_findings(::dolmen::check::kind::what, reason, __FILE__, __LINE__); \
  } while (false)
#else
#define DOLMEN_CHECK_ACCEPT(what, reason) static_cast<void>(0)
#endif

namespace dolmen::check {

#if defined(DOLMEN_CHECK)
enum class kind;  // backends/check/findings.hpp
namespace impl {
DOLMEN_API bool accept_findings(kind what, char const* reason, char const* file, int line);
DOLMEN_API void name_memory(void const* address, char const* name);
}  // namespace impl
#endif

/// Reports call the memory of this buffer, or of the one that a view is of, by a name: name(pressure, "pressure").
template <class Memory>
void name([[maybe_unused]] Memory const& memory, [[maybe_unused]] char const* text) {
#if defined(DOLMEN_CHECK)
  impl::name_memory(memory.data(), text);
#endif
}

}  // namespace dolmen::check
