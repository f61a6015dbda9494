#include "selection.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <set>

#include "session.hpp"

namespace study {
namespace {

template <class Range>
std::string joined(Range const& words) {
  std::string all;
  for (auto const& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

void require_known(char const* what, std::vector<std::string> const& asked, std::set<std::string> const& known) {
  for (auto const& name : asked)
    if (!known.count(name)) throw usage_error("this build has no " + std::string(what) + " '" + name + "'; it has " + joined(known));
}

std::regex compile(std::string const& filter) {
  try {
    return std::regex(filter, std::regex::ECMAScript | std::regex::icase);
  } catch (std::regex_error const& e) {
    throw usage_error("'" + filter + "' is no regular expression: " + e.what());
  }
}

bool contains(std::vector<std::string> const& list, std::string const& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<index_t> sizes_of(benchmark const& b, options const& o) {
  if (!o.sizes.empty()) return o.sizes;
  if (!o.tour()) return b.sizes();
  return b.info->tour.under == heading::none ? std::vector<index_t>{} : std::vector<index_t>{b.tour_size()};
}

}  // namespace

std::vector<group> select(registry const& r, options const& o) {
  std::set<std::string> types, backends;
  for (auto const& entry : built_backends()) backends.insert(entry.name);
  for (auto const& b : r)
    if (b.info->type != "-") types.insert(b.info->type);
  require_known("backend", o.backends, backends);
  require_known("type", o.types, types);
  std::optional<std::regex> pattern;
  if (!o.filter.empty()) pattern = compile(o.filter);
  bool const hidden_ones = o.filter.find("selftest") != std::string::npos;

  std::vector<group> groups;
  for (auto first = r.begin(); first != r.end();) {
    auto const last = std::find_if(first, r.end(), [&](benchmark const& b) { return b.info != first->info; });
    std::vector<group> of_case;
    for (auto b = first; b != last; ++b) {
      if ((b->info->hidden && !hidden_ones) || !contains(o.backends, b->backend) || !contains(o.types, b->info->type)) continue;
      for (index_t size : sizes_of(*b, o)) {
        group g{&*b, size, {}};
        for (int v = 0; v < int(b->variants.size()); ++v)
          if (!pattern || std::regex_search(row_name(*b, b->variants[std::size_t(v)], size), *pattern)) g.variants.push_back(v);
        if (!g.variants.empty()) of_case.push_back(std::move(g));
      }
    }
    std::stable_sort(of_case.begin(), of_case.end(), [](group const& a, group const& b) { return a.size < b.size; });
    groups.insert(groups.end(), of_case.begin(), of_case.end());
    first = last;
  }
  if (o.tour())
    std::stable_sort(groups.begin(), groups.end(),
                     [](group const& a, group const& b) { return a.of->info->tour.under < b.of->info->tour.under; });
  if (groups.empty()) throw usage_error("nothing matches; 'dolmen-study list' names all cases, variants, backends and types");
  return groups;
}

namespace {

// The number in front of *rest, which is moved behind it.
index_t number(std::string const& text, char const*& rest, char const* end) {
  index_t value = 0;
  auto const [stop, code] = std::from_chars(rest, end, value);
  if (code != std::errc() || value < 0) throw usage_error("'" + text + "' is no size: a positive number, as in 65536, 64k, 32M or 2^25");
  rest = stop;
  return value;
}

index_t parse_size(std::string const& text) {
  constexpr index_t most = index_t(1) << 40;
  char const *rest = text.data(), *end = rest + text.size();
  index_t value = number(text, rest, end);
  if (rest != end && *rest == '^' && value == 2) {
    ++rest;
    value = index_t(1) << std::min<index_t>(number(text, rest, end), 62);
  } else if (rest + 1 == end && (*rest == 'k' || *rest == 'M' || *rest == 'G') && value <= most) {
    value <<= *rest++ == 'k' ? 10 : rest[-1] == 'M' ? 20 : 30;
  }
  if (rest != end || value <= 0) throw usage_error("'" + text + "' is no size: a positive number, as in 65536, 64k, 32M or 2^25");
  if (value > most) throw usage_error("the size '" + text + "' is above 2^40");
  return value;
}

}  // namespace

std::vector<index_t> parse_sizes(std::vector<std::string> const& texts) {
  std::vector<index_t> sizes;
  for (auto const& t : texts) sizes.push_back(parse_size(t));
  return sizes;
}

}  // namespace study
