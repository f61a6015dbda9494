// Ctrl-C and SIGTERM: the first asks the run to end after the row under way, a second ends the process.
#pragma once

#include <sys/types.h>

namespace study {

/// From its construction to its destruction SIGINT and SIGTERM are taken as requests, unless they were ignored before. A
/// request that comes half a second or more after the first removes the temporary files and ends the process with
/// status 130: terminals and `timeout` may deliver one request twice within moments. From the first guard on a closed pipe is
/// an error of the write, not a signal.
class interrupt_guard {
 public:
  interrupt_guard();
  interrupt_guard(interrupt_guard const&) = delete;
  ~interrupt_guard();
};

inline constexpr int interrupted_status = 130;

/// Whether a request has come.
bool interrupted();
/// "SIGINT" or "SIGTERM", the first that came; an empty text before.
char const* interrupt_name();

/// Requests go to this process as well; 0: to none.
void forward_interrupts_to(pid_t child);

/// Removes a file where a second request ends the process. Keeps the pointer.
class temporary_file {
 public:
  explicit temporary_file(char const* path);
  temporary_file(temporary_file const&) = delete;
  ~temporary_file();

 private:
  int slot_;
};

}  // namespace study
