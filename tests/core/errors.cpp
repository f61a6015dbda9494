#include <doctest/doctest.h>

#include <dolmen/core/print.hpp>

#include "../support/errors.hpp"

using namespace dolmen;

TEST_CASE("error: the text ends in the caller's place") {
  auto const where = source_location::current();
  invalid_argument const e("no good", where);
  std::string const end = detail::text('(', where.file_name(), ':', where.line(), ')');
  std::string const text = e.what();
  CHECK(text.find("no good") == 0);
  REQUIRE(text.size() > end.size());
  CHECK(text.substr(text.size() - end.size()) == end);
  CHECK(e.where().line() == where.line());
}

namespace {
source_location caller(source_location where = source_location::current()) { return where; }
template <class T>
source_location caller_of_both(T, source_location where = source_location::current()) {
  return caller(where);
}
}  // namespace

TEST_CASE("source_location: one type for every compiler, and the caller's place") {
  CHECK(std::string(typeid(source_location).name()) == "N6dolmen5types15source_locationE");
  CHECK(sizeof(source_location) == 16);
  CHECK(std::is_trivially_copyable_v<source_location>);
  auto const here = source_location::current(), there = caller(), beyond = caller_of_both(1);
  for (auto const& where : {here, there, beyond}) {
    CHECK(where.line() == __LINE__ - 2);
    CHECK(std::string(where.file_name()) == __FILE__);
  }
  CHECK(here.column() < there.column());
  CHECK(there.column() < beyond.column());
  CHECK(std::string(source_location().file_name()).empty());
}

TEST_CASE("error: every type is an error and a runtime_error") {
  CHECK(std::is_base_of_v<std::runtime_error, error>);
  CHECK(std::is_base_of_v<error, invalid_argument>);
  CHECK(std::is_base_of_v<error, out_of_memory>);
  CHECK(std::is_base_of_v<error, launch_error>);
  CHECK(std::is_base_of_v<error, device_error>);
  CHECK(std::is_base_of_v<error, backend_unavailable>);
}

TEST_CASE("error: require formats only what failed") {
  CHECK(testing::complaint<launch_error>({"asked for 5, have 3"}, [] {
          auto const here = source_location::current();
          detail::require<launch_error>(true, here, "never");
          detail::require<launch_error>(false, here, "asked for ", 5, ", have ", 3);
        }) == "");
}

TEST_CASE("error: bytes for people, with the exact number") {
  CHECK(detail::bytes_text(0) == "0 B");
  CHECK(detail::bytes_text(1023) == "1023 B");
  CHECK(detail::bytes_text(1536) == "1.50 KiB (1536 B)");
  CHECK(detail::bytes_text(double(index_t(3) << 30)) == "3.00 GiB (3221225472 B)");
}

TEST_CASE("error: type names are readable") {
  CHECK(detail::type_name(typeid(invalid_argument).name()) == "dolmen::invalid_argument");
  CHECK(detail::type_name("no mangled name") == "no mangled name");
}

TEST_CASE("assert: outside of kernels it names no block") {
  auto const b = detail::current_block();
  CHECK((b.x == -1 && b.y == -1 && b.z == -1));
}
