#include <doctest/doctest.h>

#include <limits>
#include <sstream>

#include <dolmen/core/facts.hpp>
#include <dolmen/core/print.hpp>

#include "../support/errors.hpp"
#include "../support/locales.hpp"

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
  CHECK(detail::bytes_text(1024) == "1.00 KiB (1024 B)");
  CHECK(detail::bytes_text(1536) == "1.50 KiB (1536 B)");
  CHECK(detail::bytes_text(double(index_t(3) << 30)) == "3.00 GiB (3221225472 B)");
}

TEST_CASE("error: type names are readable") {
  CHECK(detail::type_name(typeid(invalid_argument).name()) == "dolmen::invalid_argument");
  CHECK(detail::type_name("no mangled name") == "no mangled name");
}

TEST_CASE("error: texts are the same whatever locale the program set") {
  dolmen::kernel_properties kernel;
  kernel.static_shared_bytes = 1234567;
  kernel.resident_blocks = 1024;
  device_properties device;
  device.memory_bytes = index_t(3) << 30;
  device.clock_hz = 2.345e9;
  device.max_threads_per_block = 1024;
  auto const all = [&] {
    std::ostringstream out;
    out << extents<2>{{1000, 20000}} << ' ' << kernel << ' ';
    auto text = out.str();
    text += detail::text(1234567, ' ', 0.5, ' ', -1e-9, ' ', 123456.7, ' ', 1e100, ' ', extents<3>{{4096, 1, 65536}}, ' ');
    text += detail::bytes_text(1536) + ' ' + detail::bytes_text(double(index_t(3) << 40));
    for (auto const& [what, value] : detail::describe(device)) text += ' ' + value;
    return text;
  };
  auto const classic = all();
  CHECK(classic.find("1000 x 20000 1205.6 KiB shared, 1024 blocks per worker ") == 0);
  CHECK(classic.find(" 1234567 0.5 -1e-09 123457 1e+100 4096 x 1 x 65536 1.50 KiB (1536 B) 3.00 TiB (3298534883328 B)") !=
        std::string::npos);
  CHECK(classic.find(" 2.345 GHz") != std::string::npos);
  testing::foreign_locale const abroad;
  CHECK(all() == classic);
  WARN(abroad.of_c());
}

TEST_CASE("error: numbers that are none") {
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK(detail::text(infinite, ' ', -infinite) == "inf -inf");
  CHECK(detail::text(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(detail::fixed_text(-0.125, 2) == "-0.12");
  CHECK(detail::fixed_text(1e300, 0).size() == 301);
}

TEST_CASE("assert: outside of kernels it names no block") {
  auto const b = detail::current_block();
  CHECK((b.x == -1 && b.y == -1 && b.z == -1));
}
