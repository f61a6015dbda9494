#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: uint64, arithmetic and exchange", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_numbers<std::uint64_t, B>(); }
