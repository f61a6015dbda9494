#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: uint32, arithmetic and exchange", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_numbers<std::uint32_t, B>(); }
