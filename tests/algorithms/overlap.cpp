// The table of docs/algorithms.md, "Outputs that overlap inputs", cell by cell.
#include "overlap.hpp"

#include <numeric>

using namespace dolmen;
using testing::alike;
using testing::check_alike;
using testing::check_vector;
using testing::memory_of;
using testing::side;
using testing::volume;

TEST_CASE_TEMPLATE("overlap: element by element", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  buffer<float, B> other(s, 30 * 30);
  fill_uniform(s, other, 5);
  auto const third = other.view(30, 30);
  check_alike(m, "scale", true, [&](auto in, auto out) { scale(s, 3, in, out); });
  check_alike(m, "add", true, [&](auto in, auto out) { add(s, in, third, out); });
  check_alike(m, "add", true, [&](auto in, auto out) { add(s, third, in, out); });
  check_alike(m, "triad", true, [&](auto in, auto out) { triad(s, in, 2, third, out); });
  check_alike(m, "triad", true, [&](auto in, auto out) { triad(s, third, 2, in, out); });
  // axpy: y is an input too.
  CHECK(m.refused("axpy", [&] { axpy(s, 2, m.line(0, 100), m.line(99, 100)); }) == "");
  axpy(s, 2, m.line(0, 100), m.line(0, 100));
  auto const got = download(s, m.data);
  for (std::size_t i = 0; i < 200; ++i) CHECK(got[i] == (i < 100 ? 3 : 1) * m.values[i]);
}

TEST_CASE_TEMPLATE("overlap: rows", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  check_alike(m, "softmax", true, [&](auto in, auto out) { softmax(s, in, out); });
  check_alike(m, "log_softmax", true, [&](auto in, auto out) { log_softmax(s, in, out); });
  check_alike(m, "layer_norm", true, [&](auto in, auto out) { layer_norm(s, in, out); });
  check_alike(m, "rms_norm", true, [&](auto in, auto out) { rms_norm(s, in, out); });
  auto const rows = m.part(8, 8, 10, 30);
  buffer<float, B> out(s, 300);
  for (auto weights : {m.line(8 * side + 8, 30), m.line(8 * side + 37, 30), m.line(17 * side + 37, 30), m.line(7 * side + 43, 30)}) {
    CHECK(m.refused("layer_norm", [&] { layer_norm(s, out.view(10, 30), rows, {.gamma = weights}); }) == "");
    CHECK(m.refused("layer_norm", [&] { layer_norm(s, out.view(10, 30), rows, {.beta = weights}); }) == "");
    CHECK(m.refused("rms_norm", [&] { rms_norm(s, out.view(10, 30), rows, {.gamma = weights}); }) == "");
  }
  // Inputs may overlap each other, and weights may lie between the output's rows.
  layer_norm(s, rows, out.view(10, 30), {.gamma = rows.row(0), .beta = rows.row(1)});
  auto const expected = download(s, out);
  layer_norm(s, rows, m.part(30, 8, 10, 30), {.gamma = rows.row(0), .beta = rows.row(1)});
  CHECK(alike(download(s, m.part(30, 8, 10, 30)), expected));
  m.restore();
  auto const aside = m.line(9 * side + 40, 20);  // of row 9, behind the output's
  layer_norm(s, m.part(40, 8, 10, 20), m.part(8, 8, 10, 20), {.gamma = aside});
  auto const gamma = download(s, aside);
  CHECK(std::equal(gamma.begin(), gamma.end(), m.values.begin() + 9 * side + 40));
}

TEST_CASE_TEMPLATE("overlap: scans", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  check_alike(m, "inclusive_scan", true, [&](auto in, auto out) { inclusive_scan(s, in, out); });
  check_alike(m, "exclusive_scan", true, [&](auto in, auto out) { exclusive_scan(s, in, out); });
  check_alike(m, "inclusive_scan_rows", true, [&](auto in, auto out) { inclusive_scan_rows(s, in, out); });
  check_alike(m, "exclusive_scan_rows", true, [&](auto in, auto out) { exclusive_scan_rows(s, in, out, maximum{}, -9.0f); });
  // A wider type at the same address is not the input itself.
  view<double> const wide(reinterpret_cast<double*>(m.data.data()), 100);
  CHECK(m.refused("inclusive_scan", [&] { inclusive_scan(s, m.line(0, 100), wide); }) == "");
  CHECK(m.refused("inclusive_scan", [&] { inclusive_scan(s, m.line(150, 100), wide); }) == "");
}

TEST_CASE_TEMPLATE("overlap: what works on neighbours or on all", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  buffer<float, B> other(s, 30 * 30);
  fill(s, other, 2.0f);
  auto const third = other.view(30, 30);
  auto const star = stencil_weights<2>::star(4, -1);
  check_alike(m, "transpose", true, [&](auto in, auto out) { transpose(s, in, out); });
  check_alike(m, "stencil", false, [&](auto in, auto out) { stencil(s, in, out, star, boundary::zero); });
  check_alike(m, "stencil", false, [&](auto in, auto out) { stencil(s, in, out, star, boundary::copy, 2); });
  check_alike(m, "stencil", false, [&](auto in, auto out) { stencil(s, in, out, star, boundary::reflect, 0); });
  check_alike(m, "stencil", false, [&](auto in, auto out) {
    convolve(s, in, std::vector<double>{1, 2, 3}, 3, 1, out, boundary::periodic);
  });
  check_alike(m, "gemm", false, [&](auto in, auto out) { gemm(s, 1, in, third, 0, out); });
  check_alike(m, "gemm", false, [&](auto in, auto out) { gemm(s, 1, third, in, 0, out); });
  check_alike(m, "gemm", false, [&](auto in, auto out) { gemm(s, 1, in, in, 0, out); });
  CHECK(m.refused("gemm", [&] { gemm(s, 0, m.part(0, 0, 9, 9), third.subview({{0, 0}}, {{9, 9}}), 1, m.part(8, 8, 9, 9)); }) == "");
  // A transposed matrix that is not square has no place in its own memory.
  CHECK(m.refused("transpose", [&] { transpose(s, m.data.view(32, 128), m.data.view(128, 32)); }) == "");
  CHECK(m.refused("transpose", [&] { transpose(s, m.data.view(1, 64 * 64), m.data.view(64 * 64, 1)); }) == "");
}

TEST_CASE_TEMPLATE("overlap: copies behave as if the source had been read first", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  constexpr index_t moves[][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-7, 8}, {7, -8}, {-8, -8}, {26, 26}, {0, 26}};
  for (auto const& [down, right] : moves) {
    CAPTURE(down);
    CAPTURE(right);
    copy(m.s, m.part(8, 8, 30, 30), m.part(8 + down, 8 + right, 30, 30));
    auto const got = download(m.s, m.data);
    bool same = true;
    for (index_t y = 0; y < side; ++y)
      for (index_t x = 0; x < side; ++x) {
        bool const moved = y >= 8 + down && y < 38 + down && x >= 8 + right && x < 38 + right;
        index_t const from = moved ? (y - down) * side + x - right : y * side + x;
        same = same && got[std::size_t(y * side + x)] == m.values[std::size_t(from)];
      }
    CHECK(same);
    m.restore();
  }
}

TEST_CASE_TEMPLATE("overlap: results of reductions", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  check_vector<float>(m, "reduce_rows", 30, [&](auto in, auto out) { reduce_rows(s, in, out); });
  check_vector<double>(m, "reduce_rows", 30, [&](auto in, auto out) { reduce_rows(s, in, out, plus{}, 0.5); });
  check_vector<float>(m, "reduce_columns", 30, [&](auto in, auto out) { reduce_columns(s, in, out, maximum{}); });
  check_vector<index_t>(m, "argmin_rows", 30, [&](auto in, auto out) { argmin_rows(s, in, out); });
  check_vector<index_t>(m, "argmax_rows", 30, [&](auto in, auto out) { argmax_rows(s, in, out); });
  auto const one = [&](char const* name, auto call) {
    CAPTURE(name);
    for (index_t at : {0, 8, 99}) CHECK(m.refused(name, [&] { call(m.line(0, 100), m.line(at, 1)); }) == "");
    for (index_t at : {-8, 6 - 8}) {  // in the first row of a matrix and in its last, and between two
      view<float const, 2> const in = m.part(8, 8, 30, 30);
      CHECK(m.refused(name, [&] { call(in, m.line(8 * side + 16 + at, 1)); }) == "");
      CHECK(m.refused(name, [&] { call(in, m.line(37 * side + 16 + at, 1)); }) == "");
      buffer<float, B> apart(s, 1);
      call(in, apart.view());
      call(in, m.line(9 * side + 6 + at, 1));
      CHECK(download(s, m.line(9 * side + 6 + at, 1)) == download(s, apart));
      m.restore();
    }
  };
  one("sum", [&](auto in, auto out) { sum(s, in, out); });
  one("reduce", [&](auto in, auto out) { product(s, in, out); });
  one("reduce", [&](auto in, auto out) { max_of(s, in, out); });
  one("dot", [&](auto in, auto out) { dot(s, in, in, out); });
  auto const numbers = view<index_t>(reinterpret_cast<index_t*>(m.data.data()), volume / 2);
  auto const flags = view<bool>(reinterpret_cast<bool*>(m.data.data()), volume);
  auto const both = view<min_max<float>>(reinterpret_cast<min_max<float>*>(m.data.data()), volume / 2);
  CHECK(m.refused("argmin", [&] { argmin(s, m.line(0, 100), numbers.slice(49, 1)); }) == "");
  CHECK(m.refused("argmax", [&] { argmax(s, m.line(1, 100), numbers.slice(0, 1)); }) == "");
  CHECK(m.refused("minmax_of", [&] { minmax_of(s, m.line(1, 100), both.slice(0, 1)); }) == "");
  CHECK(m.refused("count_nonzero", [&] { count_nonzero(s, m.line(0, 100), numbers.slice(0, 1)); }) == "");
  CHECK(m.refused("any_of", [&] { any_of(s, m.line(0, 100), flags.slice(399, 1)); }) == "");
  // The second input counts as much as the first; the inputs may be one and the same.
  buffer<float, B> other(s, 100);
  fill(s, other, 1.0f);
  CHECK(m.refused("dot", [&] { dot(s, other, m.line(0, 100), m.line(7, 1)); }) == "");
}

TEST_CASE_TEMPLATE("overlap: select, compact, histogram, sort_by_key", B, DOLMEN_TEST_BACKENDS) {
  memory_of<B> m;
  auto const& s = m.s;
  auto const numbers = view<index_t>(reinterpret_cast<index_t*>(m.data.data()), volume / 2);
  auto const bytes = view<std::uint8_t>(reinterpret_cast<std::uint8_t*>(m.data.data()), volume * 4);
  auto const flags = upload(s, std::vector<std::uint8_t>(100, 1));
  buffer<index_t, B> count(s, 1);
  buffer<float, B> out(s, 100);
  for (index_t at : {0, 1, 99})
    for (index_t from : {0, 99}) {
      auto const in = m.line(from, 100), to = m.line(99 - from + at, 100);
      if (to.data() >= in.data() + 100 || in.data() >= to.data() + 100) continue;
      CHECK(m.refused("compact", [&] { compact(s, in, flags, to, count); }) == "");
      CHECK(m.refused("compact", [&] { (void)compact(s, in, flags, to); }) == "");
    }
  CHECK(m.refused("compact", [&] { compact(s, out, bytes.slice(0, 100), m.line(24, 100), count); }) == "");
  CHECK(m.refused("compact", [&] { compact(s, out, bytes.slice(0, 100), m.line(200, 100), numbers.slice(12, 1)); }) == "");
  compact(s, m.line(0, 100), bytes.slice(200, 100), out, count);  // inputs may overlap each other
  CHECK(m.unchanged());
  m.restore();

  auto const counts = view<std::uint32_t>(reinterpret_cast<std::uint32_t*>(m.data.data()), volume);
  for (index_t at : {0, 50, 99})
    CHECK(m.refused("histogram", [&] { histogram(s, m.line(0, 100), counts.slice(at, 10), -8.0f, 9.0f); }) == "");
  CHECK(m.refused("histogram", [&] { histogram(s, counts.slice(0, 100), counts.slice(0, 100)); }) == "");
  CHECK(m.refused("histogram", [&] { histogram(s, m.part(8, 8, 30, 30), counts.slice(9 * side, 10), -8.0f, 9.0f); }) == "");
  histogram(s, m.part(8, 8, 30, 30), counts.slice(9 * side + 40, 17), -8.0f, 9.0f);  // between two rows
  auto const bins = download(s, counts.slice(9 * side + 40, 17));
  CHECK(std::accumulate(bins.begin(), bins.end(), 0u) == 900);
  m.restore();

  auto const indices = view<std::int32_t>(reinterpret_cast<std::int32_t*>(m.data.data()), volume);
  for (index_t at : {0, 1, 99}) CHECK(m.refused("sort_by_key", [&] { sort_by_key(s, m.line(0, 100), indices.slice(at, 100)); }) == "");
  auto const whole = view<std::int32_t, 2>(indices.data(), side, side);
  CHECK(m.refused("sort_by_key", [&] { sort_by_key(s, m.part(8, 8, 30, 30), whole.subview({{34, 34}}, {{30, 30}})); }) == "");
  sort_by_key(s, m.part(8, 2, 30, 30), whole.subview({{8, 33}}, {{30, 30}}));  // side by side
  auto const keys = download(s, m.part(8, 2, 30, 30));
  CHECK(std::is_sorted(keys.begin(), keys.end()));
}

TEST_CASE_TEMPLATE("overlap: fields", B, DOLMEN_TEST_BACKENDS) {
  struct pair {
    float x, y;
  };
  memory_of<B> m;
  auto const& s = m.s;
  auto const records = view<pair>(reinterpret_cast<pair*>(m.data.data()), volume / 2);
  buffer<float, B> xs(s, 100), ys(s, 100);
  fill(s, xs, 1.0f);
  for (index_t at : {0, 1, 199}) {
    CHECK(m.refused("split_fields", [&] { split_fields(s, records.slice(0, 100), fields<&pair::x>(m.line(at, 100))); }) == "");
    CHECK(m.refused("join_fields", [&] { join_fields(s, fields<&pair::y>(m.line(at, 100)), records.slice(0, 100)); }) == "");
  }
  buffer<pair, B> others(s, 100);
  fill(s, others, pair{3, 4});
  for (index_t at : {0, 1, 99}) {
    auto const both = fields<&pair::x, &pair::y>(m.line(0, 100), m.line(at, 100));
    CHECK(m.refused("split_fields", [&] { split_fields(s, others, both); }) == "");
    join_fields(s, both, others);  // which reads them
    auto const got = download(s, others);
    CHECK(got[1].x == m.values[1]);
    CHECK(got[1].y == m.values[std::size_t(at + 1)]);
  }
  split_fields(s, others, fields<&pair::x, &pair::y>(m.line(0, 100), m.line(100, 100)));
  CHECK(download(s, m.line(0, 100))[5] == m.values[5]);
}
