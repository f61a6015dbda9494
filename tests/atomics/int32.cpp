#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: int32, arithmetic and exchange", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_numbers<std::int32_t, B>(); }
