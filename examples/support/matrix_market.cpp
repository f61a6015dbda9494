#include "matrix_market.hpp"

#include <locale.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

namespace example {
namespace {

using words = std::vector<std::string_view>;
constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

// Decimal points, whatever locale the program set.
locale_t classic() {
  static locale_t const only = newlocale(LC_ALL_MASK, "C", nullptr);
  return only;
}

std::string quoted(std::string_view text) {
  std::string out(1, '\'');
  out.append(text.substr(0, 40)).append(text.size() > 40 ? "...'" : "'");
  return out;
}

/// Lines as words, and errors that say where they are.
class reader {
 public:
  reader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  /// False at the end. Blank lines are passed over, except in front of the banner.
  bool next(words& line) {
    do {
      if (!std::getline(in_, text_)) {
        if (in_.bad()) fail("cannot be read: " + std::string(std::strerror(errno)));
        return false;
      }
      ++line_;
      split(line);
    } while (line.empty() && line_ > 1);
    return true;
  }

  [[noreturn]] void fail(std::string const& what) const {
    throw matrix_market_error(name_ + ":" + std::to_string(std::max<std::int64_t>(line_, 1)) + ": " + what);
  }

  std::int64_t whole(std::string_view word, char const* what) const {
    std::int64_t value = 0;
    auto const [stop, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure == std::errc::result_out_of_range) fail(std::string(what) + " is too large: " + quoted(word));
    if (failure != std::errc() || stop != word.data() + word.size()) fail(std::string(what) + " is not a whole number: " + quoted(word));
    return value;
  }

  float real(std::string_view word) const {
    auto const digits = word.substr(word.size() > 1 && word[0] == '+' && word[1] != '-');  // from_chars takes no plus sign
    double value = 0;
    auto const [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure == std::errc::result_out_of_range) value = strtod_l(std::string(digits).c_str(), nullptr, classic());  // infinite, or tiny
    if (failure != std::errc::invalid_argument && stop != digits.data() + digits.size()) fail("the value is not a number: " + quoted(word));
    if (failure == std::errc::invalid_argument || std::isnan(value) || digits.find_first_of("iInN") != digits.npos)
      fail("the value is not a number: " + quoted(word));
    if (std::fabs(value) > double(std::numeric_limits<float>::max())) fail("the value is too large for a float: " + quoted(word));
    return float(value);
  }

 private:
  void split(words& line) const {
    std::string_view const rest = text_;
    line.clear();
    for (std::size_t end = 0;;) {
      auto const begin = rest.find_first_not_of(" \t\r", end);
      if (begin == rest.npos) return;
      end = std::min(rest.find_first_of(" \t\r", begin), rest.size());
      line.push_back(rest.substr(begin, end - begin));
    }
  }

  std::istream& in_;
  std::string name_, text_;
  std::int64_t line_ = 0;
};

enum class field { real, integer, pattern };
enum class symmetry { general, symmetric, skew };
struct kind {
  field values;
  symmetry halves;
};
struct entry {
  std::int32_t row, column;
  float value;
};

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');  // whatever the program's locale calls lower
  return text;
}

kind read_banner(reader& r) {
  words line;
  if (!r.next(line)) r.fail("is empty");
  if (line.size() != 5 || lower(line[0]) != "%%matrixmarket" || lower(line[1]) != "matrix")
    r.fail("the first line must be '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  auto const format = lower(line[2]), values = lower(line[3]), halves = lower(line[4]);
  if (format != "coordinate") r.fail("the format " + quoted(format) + " is not supported, only 'coordinate'");
  kind k{};
  if (values == "real" || values == "double")
    k.values = field::real;
  else if (values == "integer")
    k.values = field::integer;
  else if (values == "pattern")
    k.values = field::pattern;
  else
    r.fail("the field " + quoted(values) + " is not supported, only 'real', 'integer' and 'pattern'");
  if (halves == "general")
    k.halves = symmetry::general;
  else if (halves == "symmetric")
    k.halves = symmetry::symmetric;
  else if (halves == "skew-symmetric")
    k.halves = symmetry::skew;
  else
    r.fail("the symmetry " + quoted(halves) + " is not supported, only 'general', 'symmetric' and 'skew-symmetric'");
  if (k.values == field::pattern && k.halves == symmetry::skew) r.fail("a pattern has no signs, so it cannot be skew-symmetric");
  return k;
}

struct sizes {
  std::int64_t rows, columns, entries;
};

sizes read_sizes(reader& r, kind k) {
  words line;
  do
    if (!r.next(line)) r.fail("ends before the line of sizes");
  while (line[0][0] == '%');
  if (line.size() != 3)
    r.fail("the line of sizes must have three numbers, rows, columns and entries; it has " + std::to_string(line.size()));
  sizes const s{r.whole(line[0], "the number of rows"), r.whole(line[1], "the number of columns"),
                r.whole(line[2], "the number of entries")};
  if (s.rows < 0 || s.columns < 0 || s.entries < 0) r.fail("a size is negative");
  if (s.rows >= most || s.columns >= most || s.entries >= most) r.fail("a size is too large for 32-bit indices");
  if (k.halves != symmetry::general && s.rows != s.columns) r.fail("a symmetric matrix must have as many rows as columns");
  return s;
}

entry read_entry(reader const& r, words const& line, kind k, sizes const& s) {
  std::size_t const expected = k.values == field::pattern ? 2 : 3;
  if (line.size() != expected)
    r.fail("an entry must have " + std::to_string(expected) + " numbers, this one has " + std::to_string(line.size()));
  auto const index = [&](std::string_view word, char const* what, std::int64_t end) {
    auto const i = r.whole(word, what);
    if (i < 1 || i > end) r.fail(std::string(what) + " is " + std::to_string(i) + ", it must be from 1 to " + std::to_string(end));
    return std::int32_t(i - 1);
  };
  entry const e{index(line[0], "the row", s.rows), index(line[1], "the column", s.columns),
                k.values == field::pattern   ? 1.0f
                : k.values == field::integer ? float(r.whole(line[2], "the value"))
                                             : r.real(line[2])};
  if (k.halves != symmetry::general && e.column > e.row) r.fail("of a symmetric matrix only the lower half may be given");
  if (k.halves == symmetry::skew && e.column == e.row) r.fail("the diagonal of a skew-symmetric matrix is zero and may not be given");
  return e;
}

sparse_matrix compress(std::vector<entry> entries, sizes const& s) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](entry const& a, entry const& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; });
  sparse_matrix m{std::int32_t(s.rows), std::int32_t(s.columns), std::vector<std::int32_t>(std::size_t(s.rows) + 1, 0), {}, {}};
  for (auto const& e : entries) {
    ++m.row_offsets[std::size_t(e.row) + 1];
    m.column_indices.push_back(e.column);
    m.values.push_back(e.value);
  }
  for (std::size_t i = 0; i < std::size_t(s.rows); ++i) m.row_offsets[i + 1] += m.row_offsets[i];
  return m;
}

}  // namespace

sparse_matrix read_matrix_market(std::istream& in, std::string const& name) {
  reader r(in, name);
  auto const k = read_banner(r);
  auto const s = read_sizes(r, k);
  std::vector<entry> entries;
  words line;
  for (std::int64_t i = 0; i < s.entries; ++i) {
    if (!r.next(line)) r.fail("ends after " + std::to_string(i) + " entries, the line of sizes announces " + std::to_string(s.entries));
    auto const e = read_entry(r, line, k, s);
    entries.push_back(e);
    if (k.halves != symmetry::general && e.row != e.column)
      entries.push_back({e.column, e.row, k.halves == symmetry::skew ? -e.value : e.value});
  }
  if (r.next(line)) r.fail("has more than the " + std::to_string(s.entries) + " entries that the line of sizes announces");
  if (std::int64_t(entries.size()) > most) r.fail("both halves together have too many entries for 32-bit indices");
  return compress(std::move(entries), s);
}

sparse_matrix read_matrix_market(std::string const& file) {
  std::ifstream in(file);
  if (!in) throw matrix_market_error(file + ": cannot be opened: " + std::strerror(errno));
  return read_matrix_market(in, file);
}

}  // namespace example
