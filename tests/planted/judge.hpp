// Compares what was found with what was planted.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "planted.hpp"

namespace planted {

/// The lines of a case, from the comments in its source file.
struct marks {
  int first = 0, second = 0;  // 0: not marked
  std::set<int> maybe;
  std::string fault;  // of the marks themselves

  bool any() const { return first || second || !maybe.empty(); }
  bool allows(int line) const { return line == 0 || line == first || line == second || maybe.count(line); }
};

inline marks marks_in(std::istream& source, std::string const& name) {
  marks m;
  std::string text;
  auto const put = [&](int& place, int line, char const* word) {
    if (text.find("@" + name + ":" + word) == std::string::npos) return;
    if (place != 0) m.fault = "two lines are marked @" + name + ":" + word;
    place = line;
  };
  for (int line = 1; std::getline(source, text); ++line) {
    auto const comment = text.rfind("// @");
    if (comment == std::string::npos) continue;
    text.erase(0, comment);
    put(m.first, line, "first");
    put(m.second, line, "second");
    if (text.find("@" + name + ":maybe") != std::string::npos) m.maybe.insert(line);
  }
  if (!m.any()) m.fault = "no line is marked @" + name;
  return m;
}

/// The source file by a name that this process can open: what was compiled through a compiler cache knows files by their way from the
/// build folder, which is the one above this program's.
inline std::filesystem::path opened_from_here(char const* file) {
  std::filesystem::path const named = file;
  if (named.is_absolute()) return named;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / named;
}

inline marks marks_of(family const& f, test_case const& c) {
  std::ifstream source(opened_from_here(f.file));
  marks m = marks_in(source, c.marked());
  if (!source.eof()) m.fault = std::string("cannot read ") + f.file;
  return m;
}

inline std::string base_name(std::string const& path) { return path.substr(path.rfind('/') + 1); }

/// Empty if at least one finding names the marked lines, and each is of an expected kind and names no other line; else what
/// is wrong. `races` is the kind whose lines come in either order.
template <class Kind, class Finding>
std::string complaint(std::vector<Kind> const& kinds, Kind races, Kind same_value, marks const& m, std::string const& file,
                      std::vector<Finding> const& found) {
  if (!m.fault.empty()) return m.fault;
  if (kinds.empty()) return found.empty() ? "" : "found, where nothing is wrong: " + found[0].text;
  if (found.empty()) return "nothing was found";
  auto const listed = [&](Kind k) { return std::find(kinds.begin(), kinds.end(), k) != kinds.end(); };
  bool named = false;
  for (auto const& f : found) {
    // Threads that race to update an element may happen to write the same.
    bool const allowed = listed(f.what) || (f.what == same_value && listed(races));
    if (!allowed) return "a finding of another kind: " + f.text;
    for (auto const* p : {&f.first, &f.second}) {
      if (!m.allows(p->line)) return "a finding at line " + std::to_string(p->line) + ", which is not marked: " + f.text;
      if (p->line != 0 && base_name(p->file) != base_name(file)) return "a finding in " + p->file + ": " + f.text;
    }
    auto const matches = [&](int first, int second) { return (!m.first || first == m.first) && (!m.second || second == m.second); };
    named = named || matches(f.first.line, f.second.line) ||
            ((f.what == races || f.what == same_value) && matches(f.second.line, f.first.line));
  }
  return named ? ""
               : "no finding names the marked lines " + std::to_string(m.first) + " and " + std::to_string(m.second) + ": " + found[0].text;
}

}  // namespace planted
