#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: int32, bits", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_bits<std::int32_t, B>(); }
TEST_CASE_TEMPLATE("atomics: uint32, bits", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_bits<std::uint32_t, B>(); }
