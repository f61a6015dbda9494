#include "frame.hpp"

#include <vector>

namespace dolmen::check::impl {

std::uint64_t* frame_words(std::size_t count) {
  static thread_local std::vector<std::uint64_t> words;
  if (words.size() < count) words.resize(2 * count);
  return words.data();
}

}  // namespace dolmen::check::impl
