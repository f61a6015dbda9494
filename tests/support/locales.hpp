// A locale as programs of other countries set it: decimal commas, and dots between groups of three digits.
#pragma once

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <locale>
#include <string>

namespace testing {

struct grouping : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// While it lives, in C++'s global locale and, where the system has such a locale or can make one, in C's.
class foreign_locale {
 public:
  foreign_locale() : before_(std::locale::global(std::locale(std::locale::classic(), new grouping))) {
    std::string const made = "/tmp/dolmen_locale";
    for (char const* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"}) c_ = c_ || set(name);
    if (!c_ &&
        std::system(("mkdir -p " + made + " && localedef -i de_DE -f UTF-8 " + made + "/de_DE.UTF-8 > /dev/null 2>&1").c_str()) == 0) {
      setenv("LOCPATH", made.c_str(), 1);
      c_ = set("de_DE.UTF-8");
    }
  }
  foreign_locale(foreign_locale const&) = delete;
  ~foreign_locale() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
  }

  /// Whether printf writes decimal commas now.
  bool of_c() const { return c_; }

 private:
  static bool set(char const* name) { return std::setlocale(LC_ALL, name) && std::localeconv()->decimal_point == std::string(","); }

  std::locale before_;
  bool c_ = false;
};

}  // namespace testing
