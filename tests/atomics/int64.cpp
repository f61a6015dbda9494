#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: int64, arithmetic and exchange", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_numbers<std::int64_t, B>(); }
