// What the check backend found: mistakes of the program that is running, with the lines on both sides.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "../../core/check_notes.hpp"
#include "../../core/error.hpp"
#include "../../core/types.hpp"

namespace dolmen::check {

enum class kind {
  out_of_bounds,      ///< an index outside its view or tile; an extent, count, lane or rank that there is not
  race,               ///< two accesses without order, in a block or between blocks of a launch, at least one of them a write
  same_value,         ///< such a race of two writes, where the second writes what is there already
  uninitialised,      ///< memory read, or copied out, before anything was written to it
  misaligned,         ///< a pack at an address that is no multiple of its size
  pending_copy,       ///< destination or source of an asynchronous copy touched before wait_copies and sync
  block_scope_write,  ///< a phase writes a variable of the block scope
  sync_in_phase,      ///< a barrier, a collective or a phase inside of a phase
  divergent,          ///< phases or barriers depend on the order in which threads run
  spin,               ///< waits for another block in a launch that is not cooperative
  host_access,        ///< host code touches device memory
  use_after_free,     ///< memory that was given back
  double_free,        ///< given back twice
  leak,               ///< still there when the process ends
  copy_overrun,       ///< an operation on bytes that are not, or not all, of one allocation
  bad_handle,         ///< a stream, event or buffer that refers to nothing: null, moved from or freed
  stream_order,       ///< operations on the same bytes, one of them writing, that no stream or event orders
  early_read,         ///< the host touches memory while a copy may still use it
  host_pointer,       ///< a kernel or a function of an algorithm holds an address of the host's memory
};
inline constexpr int kinds = 19;
DOLMEN_API char const* name_of(kind k) noexcept;

/// One side of a finding. A block of -1 is the host, of -2 a function that an algorithm calls; a thread of -1 all threads of the block.
struct place {
  std::string file;
  int line = 0, column = 0;  ///< 0: there is none
  std::array<int, 3> block{-1, -1, -1};
  int thread = -1;
};

struct finding {
  kind what{};
  std::string kernel;   ///< or the operation
  std::string element;  ///< "element 5 of a buffer of 100 x 4 bytes from app.cpp:12", "shared memory + 12"
  place first, second;  ///< the access that met the mistake, and the one before it where there are two
  index_t count = 1;    ///< equal ones: same kind, kernel and lines
  std::string text;     ///< for people, several lines
};

/// Findings since the last call; they count as dealt with. Any that are left when the process ends make its exit status 66.
DOLMEN_API std::vector<finding> take_findings();

/// One DOLMEN_CHECK_ACCEPT and what it accepted.
struct acceptance {
  kind what{};
  std::string file;
  int line = 0;
  std::string reason;
  index_t count = 0;
};
DOLMEN_API std::vector<acceptance> accepted_findings();

/// While one lives, findings are not printed and the listener is not called: for tests of mistakes.
class DOLMEN_API expect_findings {
 public:
  expect_findings();
  ~expect_findings();
  expect_findings(expect_findings const&) = delete;
};

/// Called for every new finding, on the thread that gave the operation: test frameworks fail the case at hand.
DOLMEN_API void set_listener(void (*listener)(finding const&)) noexcept;

namespace impl {
/// Counts a finding; the first of its kind and lines is kept whole. From any thread.
DOLMEN_API void report(finding f);
/// Said at the end of the process, before the last findings are printed.
DOLMEN_API void at_end(void (*report_more)());
/// Prints what is new; at the end of operations, on the caller's thread.
DOLMEN_API void flush();
}  // namespace impl

}  // namespace dolmen::check
