// A forked process has the device memory of its parent as it was then, in memory of its own, and reports what it does itself.
#pragma once

#include <cstddef>
#include <mutex>

namespace dolmen::check::impl {

/// What this mutex guards is whole in a forked process: fork waits until it can hold it. The mutex lives until the process ends.
bool hold_in_fork(std::mutex& mutex);

/// Called while a thread forks, with these mutexes held.
struct fork_steps {
  void (*before)();
  void (*in_parent)();
  void (*in_child)();
};
void at_fork(fork_steps steps);

/// A table that lives until the process ends, whose mutex is held while the process is forked.
template <class Table>
Table& table_across_forks() {
  Table& made = *new Table;
  hold_in_fork(made.mutex);
  return made;
}

/// Memory that two mappings of one file show, as the child of a fork gets it: a file of its own.
struct memory_copy {
  int file = -1;
  void make(std::size_t bytes);
  void add(char const* from, std::size_t bytes, std::size_t offset);
  /// Puts it where the parent's memory is shown.
  void show(char* at, std::size_t bytes, int protection) const;
  void close();
};

}  // namespace dolmen::check::impl
