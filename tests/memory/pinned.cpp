#include <algorithm>

#include "../backends.hpp"

#include "../support/data.hpp"
#include "../support/errors.hpp"

using namespace dolmen;
using testing::complaint;

TEST_CASE_TEMPLATE("pinned_buffer: sizes, access, moves", B, DOLMEN_TEST_BACKENDS) {
  pinned_buffer<double, B> p(100);
  CHECK(p.size() == 100);
  CHECK(p.span().size() == 100);
  double next = 0;
  for (auto& v : p) v = next++;
  CHECK(p[99] == 99);
  auto const& c = p;
  CHECK(c.span()[42] == 42);
  double* const data = p.data();
  pinned_buffer<double, B> q(std::move(p));
  CHECK(q.data() == data);
  CHECK(p.size() == 0);
  CHECK(p.data() == nullptr);
  pinned_buffer<double, B> r(3);
  r = std::move(q);
  CHECK(r.data() == data);
  CHECK(r.size() == 100);
  CHECK_FALSE(std::is_copy_constructible_v<pinned_buffer<double, B>>);
}

TEST_CASE_TEMPLATE("pinned_buffer: nothing, too little, too much", B, DOLMEN_TEST_BACKENDS) {
  pinned_buffer<int, B> const none(0), nothing;
  CHECK(none.size() == 0);
  CHECK(none.span().empty());
  CHECK(complaint<invalid_argument>({"-5"}, [] { pinned_buffer<int, B> p(-5); }) == "");
  CHECK(complaint<invalid_argument>({"64 bits"}, [] { pinned_buffer<int, B> p(std::numeric_limits<index_t>::max()); }) == "");
  CHECK(complaint<out_of_memory>({"64.00 TiB"}, [] { pinned_buffer<char, B> p(index_t(1) << 46); }) == "");
}

TEST_CASE_TEMPLATE("pinned_buffer: a round trip", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  index_t const n = testing::size_of(1 << 20, 1000);
  auto const values = testing::random_values<std::uint32_t>(n);
  pinned_buffer<std::uint32_t, B> up(n), down(n);
  std::copy(values.begin(), values.end(), up.begin());
  buffer<std::uint32_t, B> device(s, n);
  copy(s, up.span(), device);
  copy(s, device, down.span());
  s.synchronize();
  CHECK(std::equal(values.begin(), values.end(), down.begin()));
}
