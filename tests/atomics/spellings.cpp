// The integers that int64_t and uint64_t do not name here, and what decides by the type alone.
#include "operations.hpp"

using namespace dolmen;

static_assert(detail::atomic_type<int> && detail::atomic_type<unsigned> && detail::atomic_type<long> &&
              detail::atomic_type<unsigned long> && detail::atomic_type<long long> && detail::atomic_type<unsigned long long> &&
              detail::atomic_type<float> && detail::atomic_type<double>);
static_assert(!detail::atomic_type<bool> && !detail::atomic_type<short> && !detail::atomic_type<char32_t> &&
              !detail::atomic_type<long double>);
static_assert(decltype(std::declval<view<int>>().atomic(0))::default_scope == memory_scope::device);
static_assert(decltype(std::declval<view<int, 2>>().atomic(0, 0))::default_scope == memory_scope::device);
static_assert(decltype(std::declval<view<int, 3>>().atomic(0, 0, 0))::default_scope == memory_scope::device);
static_assert(decltype(std::declval<tile<int, 2>>().atomic(0))::default_scope == memory_scope::block);
static_assert(decltype(std::declval<tile<int, 2, 2>>().atomic(0, 0))::default_scope == memory_scope::block);
static_assert(decltype(std::declval<tile<int, 2, 2, 2>>().atomic(0, 0, 0))::default_scope == memory_scope::block);

TEST_CASE_TEMPLATE("atomics: long long and unsigned long long", B, DOLMEN_TEST_BACKENDS) {
  test_atomics::check_everywhere<long long, test_atomics::minimum, B>();
  test_atomics::check_everywhere<long long, test_atomics::bit_xor, B>();
  test_atomics::check_everywhere<long long, test_atomics::compare_exchange, B>();
  test_atomics::check_everywhere<unsigned long long, test_atomics::add, B>();
  test_atomics::check_everywhere<unsigned long long, test_atomics::maximum, B>();
  test_atomics::check_everywhere<unsigned long long, test_atomics::bit_and, B>();
}

TEST_CASE("atomics: the test's own judge") {
  using testing::serialisable;
  using operations = std::vector<std::pair<int, int>>;
  CHECK(serialisable(5, 5, operations{}));
  CHECK_FALSE(serialisable(5, 6, operations{}));
  CHECK(serialisable(0, 3, operations{{2, 3}, {0, 1}, {1, 2}}));
  CHECK_FALSE(serialisable(0, 2, operations{{0, 1}, {0, 1}, {1, 2}}));  // a lost update
  CHECK_FALSE(serialisable(0, 1, operations{{0, 1}, {7, 8}, {8, 7}}));  // values from nowhere
  CHECK(serialisable(0, 0, operations{{0, 0}, {0, 1}, {1, 0}}));
}
