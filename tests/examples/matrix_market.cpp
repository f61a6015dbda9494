// The examples' reader of Matrix Market files.
#include "../../examples/support/matrix_market.hpp"
#include "../support/locales.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>

using example::sparse_matrix;

namespace {

sparse_matrix read(std::string const& text) {
  std::istringstream in(text);
  return example::read_matrix_market(in, "a.mtx");
}

/// What the reader says of a text that it refuses.
std::string refusal(std::string const& text) {
  try {
    read(text);
  } catch (example::matrix_market_error const& e) {
    return e.what();
  }
  return "nothing";
}

std::string const general = "%%MatrixMarket matrix coordinate real general\n";
std::string const symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

using places = std::map<std::pair<int, int>, float>;

places dense(sparse_matrix const& m) {
  places all;
  for (int i = 0; i < m.rows; ++i)
    for (auto k = m.row_offsets[std::size_t(i)]; k < m.row_offsets[std::size_t(i) + 1]; ++k)
      all[{i, m.column_indices[std::size_t(k)]}] += m.values[std::size_t(k)];
  return all;
}

}  // namespace

TEST_CASE("a matrix is returned as compressed rows, by rising column") {
  auto const m =
      read("%%MatrixMarket matrix coordinate real general\n% a comment\n%\n\n3 4 5\n3 4 2.5\n1 2 -1e-3\n3 1 +7\n\n1 1 .5\n3 2 1E2\n");
  CHECK(m.rows == 3);
  CHECK(m.columns == 4);
  CHECK(m.row_offsets == std::vector<std::int32_t>{0, 2, 2, 5});
  CHECK(m.column_indices == std::vector<std::int32_t>{0, 1, 0, 1, 3});
  CHECK(m.values == std::vector<float>{0.5f, -1e-3f, 7.0f, 100.0f, 2.5f});
}

TEST_CASE("fields and symmetries") {
  CHECK(dense(read("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 -3\n2 2 16777216\n")) ==
        places{{{0, 1}, -3.0f}, {{1, 1}, 16777216.0f}});
  CHECK(dense(read("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 3\n2 1\n")) == places{{{0, 2}, 1.0f}, {{1, 0}, 1.0f}});
  CHECK(dense(read(symmetric + "3 3 2\n2 2 4\n3 1 5\n")) == places{{{1, 1}, 4.0f}, {{2, 0}, 5.0f}, {{0, 2}, 5.0f}});
  CHECK(dense(read("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n3 1 5\n")) == places{{{2, 0}, 5.0f}, {{0, 2}, -5.0f}});
  CHECK(dense(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")) == places{{{1, 0}, 1.0f}, {{0, 1}, 1.0f}});
}

TEST_CASE("what the format leaves open") {
  CHECK(read("%%matrixmarket MATRIX Coordinate Real GENERAL\r\n1 1 1\r\n1 1 2\r\n").values == std::vector<float>{2});
  CHECK(read(general + "2 2 0\n").row_offsets == std::vector<std::int32_t>{0, 0, 0});
  CHECK(read(general + "0 0 0").row_offsets == std::vector<std::int32_t>{0});
  CHECK(read(general + "1 1 2\n1 1 2\n1 1 3").values == std::vector<float>{2, 3});  // twice: a product adds them
  CHECK(read(general + "1 1 1\n\t 1  1\t1e-400 \n").values == std::vector<float>{0});
}

TEST_CASE("random matrices, against the text they came from") {
  std::mt19937 draw(7);
  for (int rows : {1, 17, 200}) {
    int const columns = rows + 5;
    places expected;
    std::ostringstream entries;
    entries.precision(9);
    for (int n = 0; n < 4 * rows; ++n) {
      int const i = int(draw() % unsigned(rows)), j = int(draw() % unsigned(columns));
      float const value = float(int(draw() % 2001) - 1000) / 64;
      if (!expected.emplace(std::pair{i, j}, value).second) continue;
      entries << i + 1 << ' ' << j + 1 << ' ' << value << '\n';
    }
    std::ostringstream text;
    text << general << rows << ' ' << columns << ' ' << expected.size() << '\n' << entries.str();
    auto const m = read(text.str());
    CHECK(m.values.size() == expected.size());
    CHECK(dense(m) == expected);
  }
}

TEST_CASE("mistakes are named with their line") {
  auto const banner = "a.mtx:1: the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'";
  CHECK(refusal("") == "a.mtx:1: is empty");
  for (char const* bad : {"\n", "1 1 1\n", "%MatrixMarket matrix coordinate real general\n", "%%MatrixMarket matrix coordinate real\n",
                          "%%MatrixMarket vector coordinate real general\n", "%%MatrixMarket matrix coordinate real general more\n"}) {
    CAPTURE(bad);
    CHECK(refusal(bad) == banner);
  }
  CHECK(refusal("%%MatrixMarket matrix array real general\n") == "a.mtx:1: the format 'array' is not supported, only 'coordinate'");
  CHECK(refusal("%%MatrixMarket matrix coordinate complex general\n") ==
        "a.mtx:1: the field 'complex' is not supported, only 'real', 'integer' and 'pattern'");
  CHECK(refusal("%%MatrixMarket matrix coordinate real hermitian\n") ==
        "a.mtx:1: the symmetry 'hermitian' is not supported, only 'general', 'symmetric' and 'skew-symmetric'");
  CHECK(refusal("%%MatrixMarket matrix coordinate pattern skew-symmetric\n") ==
        "a.mtx:1: a pattern has no signs, so it cannot be skew-symmetric");

  CHECK(refusal(general + "% only\n% comments\n") == "a.mtx:3: ends before the line of sizes");
  CHECK(refusal(general + "%\n2 2\n") == "a.mtx:3: the line of sizes must have three numbers, rows, columns and entries; it has 2");
  CHECK(refusal(general + "2 x 1\n") == "a.mtx:2: the number of columns is not a whole number: 'x'");
  CHECK(refusal(general + "2 2.0 1\n") == "a.mtx:2: the number of columns is not a whole number: '2.0'");
  CHECK(refusal(general + "-2 2 1\n") == "a.mtx:2: a size is negative");
  CHECK(refusal(general + "2 2 2147483647\n") == "a.mtx:2: a size is too large for 32-bit indices");
  CHECK(refusal(general + "2 2 99999999999999999999\n") == "a.mtx:2: the number of entries is too large: '99999999999999999999'");
  CHECK(refusal(symmetric + "2 3 1\n") == "a.mtx:2: a symmetric matrix must have as many rows as columns");
}

TEST_CASE("mistakes in entries are named with their line") {
  auto const of_two = general + "% comment\n2 3 2\n1 1 1\n";
  CHECK(refusal(of_two) == "a.mtx:4: ends after 1 entries, the line of sizes announces 2");
  CHECK(refusal(of_two + "2 1 1\n\n1 2 1\n") == "a.mtx:7: has more than the 2 entries that the line of sizes announces");
  CHECK(refusal(of_two + "3 1 1\n") == "a.mtx:5: the row is 3, it must be from 1 to 2");
  CHECK(refusal(of_two + "0 1 1\n") == "a.mtx:5: the row is 0, it must be from 1 to 2");
  CHECK(refusal(of_two + "1 4 1\n") == "a.mtx:5: the column is 4, it must be from 1 to 3");
  CHECK(refusal(of_two + "1 -1 1\n") == "a.mtx:5: the column is -1, it must be from 1 to 3");
  CHECK(refusal(of_two + "1 2\n") == "a.mtx:5: an entry must have 3 numbers, this one has 2");
  CHECK(refusal(of_two + "1 2 3 4\n") == "a.mtx:5: an entry must have 3 numbers, this one has 4");
  CHECK(refusal(of_two + "a 2 3\n") == "a.mtx:5: the row is not a whole number: 'a'");
  CHECK(refusal(of_two + "% 2 3\n") == "a.mtx:5: the row is not a whole number: '%'");
  for (std::string bad : {"x", "1x", "1,5", "--1", "+-1", "++1", "nan", "inf", "-infinity", "0x1"}) {
    CAPTURE(bad);
    CHECK(refusal(of_two + "1 2 " + bad) == "a.mtx:5: the value is not a number: '" + bad + "'");
  }
  for (std::string bad : {"1e39", "-1e39", "1e999"})
    CHECK(refusal(of_two + "1 2 " + bad) == "a.mtx:5: the value is too large for a float: '" + bad + "'");
  CHECK(refusal("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 2.5") == "a.mtx:3: the value is not a whole number: '2.5'");
  CHECK(refusal("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 2") ==
        "a.mtx:3: an entry must have 2 numbers, this one has 3");
  CHECK(refusal(symmetric + "2 2 1\n1 2 3\n") == "a.mtx:3: of a symmetric matrix only the lower half may be given");
  CHECK(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 3\n") ==
        "a.mtx:3: the diagonal of a skew-symmetric matrix is zero and may not be given");
}

TEST_CASE("files that cannot be read") {
  CHECK_THROWS_WITH_AS(example::read_matrix_market("/no/such/file"), "/no/such/file: cannot be opened: No such file or directory",
                       example::matrix_market_error);
  CHECK_THROWS_WITH_AS(example::read_matrix_market("/"), "/:1: cannot be read: Is a directory", example::matrix_market_error);
}

TEST_CASE("the matrix that comes with the examples") {
  auto const m = example::read_matrix_market(std::string(EXAMPLE_MATRIX));
  CHECK(m.rows == m.columns);
  auto const all = dense(m);
  CHECK(all.size() == m.values.size());
  std::int32_t shortest = m.columns, longest = 0;
  for (std::size_t i = 0; i < std::size_t(m.rows); ++i) {
    double sum = 0, diagonal = 0;
    for (auto k = std::size_t(m.row_offsets[i]); k < std::size_t(m.row_offsets[i + 1]); ++k) {
      sum += double(m.values[k]);
      if (m.column_indices[k] == std::int32_t(i)) diagonal = double(m.values[k]);
    }
    CHECK(std::fabs(sum) <= 1e-5 * diagonal);  // as the rows of a Laplacian do
    shortest = std::min(shortest, m.row_offsets[i + 1] - m.row_offsets[i]);
    longest = std::max(longest, m.row_offsets[i + 1] - m.row_offsets[i]);
  }
  CHECK(shortest == 0);
  CHECK(longest > 50);
  for (auto const& [place, value] : all) CHECK(all.at({place.second, place.first}) == value);
}

TEST_CASE("matrix market: numbers are the same whatever locale the program set") {
  auto const text = general + "2 3 4\n1 1 1.5\n1 3 -2.25e2\n2 2 1e-400\n2 3 0.1\n";
  auto const classic = read(text);
  testing::foreign_locale const abroad;
  auto const m = read(text);
  CHECK(m.values == classic.values);
  CHECK(m.values == std::vector<float>{1.5f, -225.0f, 0.0f, 0.1f});
  CHECK(refusal(general + "1 1 1\n1 1 1,5\n").find("not a number") != std::string::npos);
  CHECK(refusal(general + "1 1 1\n1 1 1.5e400\n").find("too large") != std::string::npos);
  CHECK(refusal(general + "1 1 1\n1 1\n").find("a.mtx:3: ") == 0);
}
