// Values per thread in the place of themselves, arrays, and products whose sums keep their bits.
#include "checks.hpp"
#include "scope.hpp"

using namespace test_warps;

namespace {

template <class B, class Shape, class T>
void check_products(typename B::stream const& s) {
  using kernel = products<Shape, T>;
  constexpr int n = Shape::size;
  CAPTURE(n);
  auto const a = testing::random_values<T>(n, 1), b = testing::random_values<T>(n, 2);
  guarded<T, B> first(s, a), second(s, b);
  guarded<T, B, 2> out(s, extents<2>{{kernel::rows, n}});
  launch(s, grid(1), kernel{first.view(), second.view(), out.view()});
  auto const seen = out.values();
  std::vector<T> v;
  auto const rounded = [](T x, T y) {
    T volatile product = x * y;
    return T(product);
  };
  for (std::size_t i = 0; i < std::size_t(n); ++i) v.push_back(rounded(a[i], b[i]));
  std::span<T const> const all(v);
  auto before = reference::block_exclusive_scan(all, rounded(a[0], b[std::size_t(n > 1)]), plus{});
  before.pop_back();
  auto const row = [&](int r) { return part(seen, n, r, 0, n); };
  CHECK(same(row(0), std::vector<T>(std::size_t(n), reference::block_reduce(all, plus{}))));
  CHECK(same(row(1), reference::block_inclusive_scan(all, plus{})));
  CHECK(same(row(2), before));
  CHECK(same(row(3), spread(reference::reduce(all, 32, plus{}), 32, n)));
  CHECK(same(row(4), reference::inclusive_scan(all, 32, plus{})));
  CHECK(same(row(5), spread(reference::reduce(all, 8, plus{}), 8, n)));
}

template <class B, class Shape>
void check_replaced(typename B::stream const& s) {
  using kernel = replaced<Shape>;
  using four = typename kernel::four;
  constexpr int n = Shape::size;
  CAPTURE(n);
  std::vector<int> in(std::size_t(n), 0);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = int(i * 37 % 11) - 5;
  guarded<int, B> from(s, in);
  guarded<int, B, 2> out(s, extents<2>{{kernel::rows, n}});
  launch(s, grid(1), kernel{from.view(), out.view()});
  auto const seen = out.values();
  auto const row = [&](int r) { return part(seen, n, r, 0, n); };
  using numbers = std::span<int const>;

  auto v = in;
  for (int i = 0; i < 3; ++i) v = reference::shuffle(v, 32, [](int, int lane) { return lane - 1; });
  v = reference::inclusive_scan(numbers(v), 32, plus{});
  auto const other = reference::block_inclusive_scan(numbers(v), plus{});
  v = reference::block_exclusive_scan(numbers(other), 2, plus{});
  v.pop_back();
  CHECK(same(row(0), v));
  CHECK(same(row(1), other));
  CHECK(same(row(2), spread(reference::reduce(numbers(v), 32, plus{}), 32, n)));

  add_elements<int, 4> const add;
  std::vector<four> many;
  for (int x : in) many.push_back({{x, x + 1, x + 2, x * 5}});
  many = reference::shuffle(many, 16, [](int, int lane) { return lane + 2; });
  many = reference::shuffle(many, 32, [](int, int lane) { return lane ^ 1; });
  auto const mixed = [](four const& x) { return x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3]; };
  auto const each_mixed = [&](std::vector<four> const& all) {
    std::vector<int> result;
    for (auto const& x : all) result.push_back(mixed(x));
    return result;
  };
  std::span<four const> const arrays(many);
  auto sums = spread(reference::reduce(numbers(other), 32, plus{}), 32, n);
  for (int& x : sums) x += mixed(reference::block_reduce(arrays, add));
  CHECK(same(row(3), sums));
  CHECK(same(row(4), each_mixed(reference::shuffle(reference::inclusive_scan(arrays, 32, add), 2, [](int, int) { return 0; }))));
  CHECK(same(row(5), each_mixed(spread(reference::reduce(arrays, 32, add), 32, n))));
  CHECK(out.intact());
}

}  // namespace

TEST_CASE_TEMPLATE("values: the result of an operation takes the place of its operand", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_replaced<B, block_shape<256>>(s);
  check_replaced<B, block_shape<33>>(s);
  check_replaced<B, block_shape<5, 3, 7>>(s);
}

TEST_CASE_TEMPLATE("values: products are rounded before they are added up", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  check_products<B, block_shape<256>, float>(s);
  check_products<B, block_shape<5>, float>(s);
  check_products<B, block_shape<100>, double>(s);
}
