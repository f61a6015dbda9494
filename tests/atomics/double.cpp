#include "operations.hpp"

TEST_CASE_TEMPLATE("atomics: double, arithmetic and exchange", B, DOLMEN_TEST_BACKENDS) { test_atomics::check_numbers<double, B>(); }
