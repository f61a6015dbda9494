#include "frame.hpp"

#include <new>
#include <vector>

#include "monitor.hpp"

namespace dolmen::check::impl {

std::uint64_t* frame_words(std::size_t count) {
  static thread_local std::vector<std::uint64_t> words;
  try {
    if (words.size() < count) words.resize(2 * count);
  } catch (std::bad_alloc const&) {
    current_monitor()->no_memory();  // frames are copied in phases only
  }
  return words.data();
}

}  // namespace dolmen::check::impl
