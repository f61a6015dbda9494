// The same kernel must not be slow because the other compiler saw other flags.
#include <doctest/doctest.h>

#include "flags.hpp"

std::string flags_of_a_kernel_file();

TEST_CASE("flags: kernel files and plain files are compiled for the same machine") { CHECK(flags_of_a_kernel_file() == describe_flags()); }

// With one compiler for all files the two above agree also where all flags were lost.
TEST_CASE("flags: kernel files are compiled as the build asks for") {
  std::string const flags = flags_of_a_kernel_file(), arch = TEST_CPU_ARCH, type = TEST_BUILD_TYPE;
  CAPTURE(flags);
  auto const has = [&](char const* flag) { return flags.find(flag) != std::string::npos; };
  if (type == "Release") {
    CHECK(has(" optimize"));
    CHECK(has(" ndebug"));
  }
  CHECK_FALSE(has(" fast-math"));
  bool vectors = arch == "x86-64-v3" || arch == "x86-64-v4", wide_vectors = arch == "x86-64-v4";
#if defined(__x86_64__)
  if (arch == "native") vectors = __builtin_cpu_supports("avx2"), wide_vectors = __builtin_cpu_supports("avx512f");
#endif
  CHECK(has(" avx2") == vectors);
  CHECK(has(" avx512f") == wide_vectors);
}
