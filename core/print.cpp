#include "print.hpp"

#include <locale.h>

#include <cstdarg>

#include "error.hpp"

namespace dolmen::detail {

block_index& current_block() noexcept {
  thread_local block_index here{-1, -1, -1};
  return here;
}

namespace {

// Of the calling thread, while it prints.
class classic_locale {
 public:
  classic_locale() : before_(uselocale(classic())) {}
  classic_locale(classic_locale const&) = delete;
  ~classic_locale() { uselocale(before_); }

 private:
  static locale_t classic() {
    static locale_t const only = newlocale(LC_ALL_MASK, "C", nullptr);  // without memory for it: null, and nothing changes
    return only;
  }
  locale_t before_;
};

}  // namespace

void print_on_host(char const* format, ...) {
  classic_locale const numbers;
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

void assertion_failed(char const* condition, char const* file, int line, int rank) {
  block_index const b = current_block();
  std::string const who = rank < 0 ? "" : text(", thread ", rank);
  throw launch_error(
      text("DOLMEN_ASSERT(", condition, ") failed: block (", b.x, ", ", b.y, ", ", b.z, ")", who, " (", file, ':', line, ')'));
}

}  // namespace dolmen::detail
