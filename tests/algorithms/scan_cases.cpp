// Scans with the library's own operators: views of all kinds, special values, what is refused.
#include <cmath>

#include "../support/child.hpp"
#include "../support/errors.hpp"
#include "scan_checks.hpp"

using namespace test_scans;
using testing::complaint;

TEST_CASE_TEMPLATE("scan: half is added in float", B, DOLMEN_TEST_BACKENDS) {
  // In half, 2048 + 1 is 2048.
  typename B::stream s;
  auto const ones = upload(s, std::vector<half>(4096, half(1.0f)));
  buffer<half, B> out(s, 4096);
  inclusive_scan(s, ones, out);
  auto const got = download(s, out);
  CHECK(float(got[4095]) == 4096);
  CHECK(float(got[2999]) == 3000);
  exclusive_scan(s, ones, out, plus{}, 0.25f);
  CHECK(float(download(s, out)[0]) == 0.25f);
}

TEST_CASE_TEMPLATE("scan: of strided views, row by row", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<3> shape : {extents<3>{{1, 1, 1}}, {{3, 5, 7}}, {{2, 300, 17}}, {{1, 4, 5001}}, {{5, 1, 2049}}, {{40, 100, 1}}}) {
    CAPTURE(shape.volume());
    auto const values = testing::random_values<std::int32_t>(shape.volume());
    guarded<std::int32_t, B, 3> in(s, shape, values, {1, 3}), out(s, shape, place{2, 1, true});
    inclusive_scan(s, in.const_view(), out.view());
    compare(out.values(), values, shape.volume(), plus{}, sums{}, std::nullopt);
    CHECK(in.unchanged());
    CHECK(out.intact());
    exclusive_scan(s, in.view(), in.view(), maximum{}, -5);
    compare(in.values(), values, shape.volume(), maximum{}, maximum{}, std::optional<int>(-5));
    CHECK(in.intact());
  }
}

TEST_CASE_TEMPLATE("scan: of every row", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (extents<2> shape : {extents<2>{{1, 1}}, {{300, 1}}, {{700, 3}}, {{64, 31}}, {{33, 1024}}, {{7, 1025}}, {{5, 5000}}, {{3, 150001}}}) {
    if (testing::small_sizes() && shape.volume() > 20000) shape[1] = 6000;
    CAPTURE(shape[0]);
    CAPTURE(shape[1]);
    auto const values = testing::random_values<float>(shape.volume());
    for (place where : {place{0, 0}, {1, 3}}) {
      guarded<float, B, 2> in(s, shape, values, where), out(s, shape, place{2, 1, true});
      inclusive_scan_rows(s, in.const_view(), out.view());
      compare(out.values(), values, shape[1], plus{}, sums{}, std::nullopt);
      CHECK(in.unchanged());
      CHECK(out.intact());
      exclusive_scan_rows(s, in.view(), in.view(), minimum{}, 0.5f);
      compare(in.values(), values, shape[1], minimum{}, minimum{}, std::optional<double>(0.5));
      CHECK(in.intact());
    }
  }
  extents<3> const cube{{3, 4, 1500}};
  auto const values = testing::random_values<std::int8_t>(cube.volume());
  guarded<std::int8_t, B, 3> in(s, cube, values, {1, 2}), out(s, cube, place{0, 5});
  inclusive_scan_rows(s, in.const_view(), out.view());
  compare(out.values(), values, 1500, plus{}, sums{}, std::nullopt);
  CHECK(out.intact());
}

TEST_CASE_TEMPLATE("scan: NaN, infinity and the signs of zeros", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  for (std::size_t at : {std::size_t(0), std::size_t(777), std::size_t(9999)}) {
    std::vector<float> values(10000, 1.0f);
    values[at] = testing::quiet_nan<float>;
    auto const data = upload(s, values);
    buffer<float, B> out(s, 10000);
    for (int op = 0; op < 3; ++op) {
      fill(s, out, -1.0f);  // which no result is
      if (op == 0) inclusive_scan(s, data, out);
      if (op == 1) inclusive_scan(s, data, out, minimum{});
      if (op == 2) inclusive_scan(s, data, out, maximum{});
      auto const got = download(s, out);
      CHECK((at == 0 || got[at - 1] == (op == 0 ? float(at) : 1.0f)));
      CHECK(std::isnan(got[at]));
      CHECK(std::isnan(got[9999]));
    }
  }
  std::vector<float> zeros(5000, -0.0f);
  auto const data = upload(s, zeros);
  buffer<float, B> out(s, 5000);
  inclusive_scan(s, data, out);
  CHECK(std::signbit(download(s, out)[4999]));
  zeros[2000] = std::numeric_limits<float>::infinity();
  inclusive_scan(s, upload(s, zeros), out);
  CHECK(download(s, out)[1999] == 0);
  CHECK(download(s, out)[4999] == std::numeric_limits<float>::infinity());
}

TEST_CASE_TEMPLATE("scan: bit-identical from run to run", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const data = upload(s, testing::random_values<float>(testing::size_of(3000003, 10007)));
  buffer<float, B> out(s, data.size());
  inclusive_scan(s, data, out);
  auto const first = download(s, out);
  for (int i = 0; i < 10; ++i) {
    fill(s, out, testing::quiet_nan<float>);
    inclusive_scan(s, data, out);
    auto const again = download(s, out);
    CHECK(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)) == 0);
  }
}

TEST_CASE_TEMPLATE("scan: nothing", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0);
  inclusive_scan(s, none, none);
  exclusive_scan(s, view<int const, 2>(nullptr, 0, 5), view<int, 2>(nullptr, 0, 5));
  inclusive_scan_rows(s, view<int const, 2>(nullptr, 5, 0), view<int, 2>(nullptr, 5, 0));
  s.synchronize();
}

TEST_CASE_TEMPLATE("scan: refused", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> b(s, 100);
  fill(s, b, 1.0f);
  auto const v = b.view();
  CHECK(complaint<invalid_argument>({"inclusive_scan", "10", "11"}, [&] { inclusive_scan(s, v.slice(0, 10), v.slice(20, 11)); }) == "");
  CHECK(complaint<invalid_argument>({"inclusive_scan", "overlap"}, [&] { inclusive_scan(s, v.slice(0, 10), v.slice(9, 10)); }) == "");
  CHECK(complaint<invalid_argument>({"exclusive_scan", "overlap"}, [&] { exclusive_scan(s, v.slice(1, 10), v.slice(0, 10)); }) == "");
  auto const m = b.view(10, 10);
  CHECK(complaint<invalid_argument>({"_rows", "10 x 3", "10 x 4"}, [&] {
          inclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 3}}), m.subview({{0, 5}}, {{10, 4}}));
        }) == "");
  CHECK(complaint<invalid_argument>({"overlap"}, [&] {
          exclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 5}}), m.subview({{0, 4}}, {{10, 5}}));
        }) == "");
  // Neighbouring columns of one matrix share nothing.
  inclusive_scan_rows(s, m.subview({{0, 0}}, {{10, 5}}), m.subview({{0, 5}}, {{10, 5}}));
  CHECK(download(s, m)[99] == 5);
  CHECK(download(s, m)[94] == 1);
}

DOLMEN_TEST_CHILD(prints_scans) {
#if DOLMEN_HAS_CPU
  dolmen::cpu::stream s;
  std::uint64_t mixed = 0;
  for (index_t n : {1, 1000, 70001, 2000003}) {
    auto const data = upload(s, testing::random_values<float>(n));
    buffer<float, dolmen::cpu::backend> out(s, n);
    inclusive_scan(s, data, out);
    for (float v : download(s, out)) mixed = mixed * 31 + dolmen::detail::bits_of(v);
  }
  auto const rows = upload(s, testing::random_values<double>(20 * 30001));
  buffer<double, dolmen::cpu::backend> out(s, 20 * 30001);
  exclusive_scan_rows(s, rows.view(20, 30001), out.view(20, 30001));
  for (double v : download(s, out)) mixed = mixed * 31 + dolmen::detail::bits_of(v);
  std::cout << "scans " << mixed << '\n';
#endif
}

#if DOLMEN_HAS_CPU
TEST_CASE_TEMPLATE("scan: bit-identical whatever the number of threads", B, dolmen::cpu::backend) {
  auto const one = testing::run_child("prints_scans", {{"OMP_NUM_THREADS", "1"}});
  CHECK(one.status == 0);
  CHECK(one.output.size() > 10);
  for (std::string const threads : {"2", "3", "7", "64"}) {
    CAPTURE(threads);
    CHECK(testing::run_child("prints_scans", {{"OMP_NUM_THREADS", threads}}).output == one.output);
  }
}
#endif

TEST_CASE_TEMPLATE("scan: an initial value that the result's type does not hold", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  auto const bytes = upload(s, std::vector<std::uint8_t>{200, 210, 220, 1});
  buffer<std::uint8_t, B> out(s, 4);
  auto const refuses = [&](std::initializer_list<char const*> parts, auto&& call) {
    CHECK(complaint<invalid_argument>(parts, call) == "");
  };
  refuses({"exclusive_scan", "300", "uint8_t"}, [&] { exclusive_scan(s, bytes, out, minimum{}, 300); });
  refuses({"exclusive_scan", "-1", "uint8_t"}, [&] { exclusive_scan(s, bytes, out, maximum{}, -1); });
  refuses({"exclusive_scan", "0.5", "uint8_t"}, [&] { exclusive_scan(s, bytes, out, plus{}, 0.5); });
  refuses({"exclusive_scan_rows", "256", "uint8_t"}, [&] { exclusive_scan_rows(s, bytes.view(2, 2), out.view(2, 2), plus{}, 256); });
  exclusive_scan(s, bytes, out, minimum{}, 205.0);
  CHECK(download(s, out) == std::vector<std::uint8_t>{205, 200, 200, 200});
  buffer<std::uint64_t, B> wide(s, 4);
  exclusive_scan(s, bytes, wide, plus{}, 300);
  CHECK(download(s, wide) == std::vector<std::uint64_t>{300, 500, 710, 930});
  refuses({"exclusive_scan", "-300", "uint64_t"}, [&] { exclusive_scan(s, bytes, wide, plus{}, -300); });
  auto const halves = upload(s, std::vector<half>(3, half(0.75f)));
  buffer<half, B> sums(s, 3);
  exclusive_scan(s, halves, sums, plus{}, 1);
  CHECK(download(s, sums) == std::vector<half>{half(1), half(1.75), half(2.5)});
  refuses({"exclusive_scan", "0.1", "float"}, [&] { exclusive_scan(s, halves, sums, plus{}, 0.1); });
  buffer<float, B> floats(s, 3);
  exclusive_scan(s, halves, floats, plus{}, half(0.5f));
  CHECK(download(s, floats) == std::vector<float>{0.5f, 1.25f, 2.0f});
  refuses({"exclusive_scan", "16777217", "float"}, [&] { exclusive_scan(s, halves, floats, plus{}, 16777217); });
}
