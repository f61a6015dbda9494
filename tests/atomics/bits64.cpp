#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: int64, bits", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_bits<std::int64_t, B>(); }
TEST_CASE_TEMPLATE("atomics: uint64, bits", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_bits<std::uint64_t, B>(); }
