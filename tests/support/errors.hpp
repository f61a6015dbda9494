// What an error says is part of the contract.
#pragma once

#include <initializer_list>
#include <string>
#include <typeinfo>

#include <dolmen/core/error.hpp>

namespace testing {

namespace detail = dolmen::detail;

/// Empty if `call` throws exactly Error, from the caller's file, with every part in its text; else what was wrong.
///   CHECK(complaint<dolmen::invalid_argument>({"-1"}, [&] { buffer b(s, -1); }) == "");
template <class Error, class Call>
std::string complaint(std::initializer_list<char const*> parts, Call&& call,
                      dolmen::source_location where = dolmen::source_location::current()) {
  try {
    call();
  } catch (dolmen::error const& e) {
    std::string const text = e.what();
    if (typeid(e) != typeid(Error)) return detail::text(detail::type_name(typeid(e).name()), " was thrown: ", text);
    if (std::string(e.where().file_name()) != where.file_name()) return detail::text("names another file than the caller's: ", text);
    for (auto* part : parts)
      if (text.find(part) == std::string::npos) return detail::text("'", part, "' is not in: ", text);
    return "";
  } catch (std::exception const& e) {
    return detail::text("a foreign exception: ", e.what());
  }
  return "nothing was thrown";
}

}  // namespace testing
