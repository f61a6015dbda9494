#include <fmt/format.h>

#include <algorithm>

#include "report.hpp"

namespace study {
namespace {

constexpr char const* columns = "{:<14} {:<6} {:>6} {:<4} {:<12} {:>9} {:>6} {:>7} {:>8} {:>6} {:<5} {:>6}";
constexpr int name_width = 14, variant_width = 12;

std::string clipped(std::string const& s, int width) {
  return s.size() <= std::size_t(width) ? s : s.substr(0, std::size_t(width - 1)) + "~";
}

// At most seven characters.
std::string number(std::optional<double> v, double unit) {
  if (!v) return "-";
  double const x = *v / unit;
  if (x >= 1e6 || (x > 0 && x < 1e-3)) return fmt::format("{:.1e}", x);
  return x >= 1000 ? fmt::format("{:.0f}", x) : fmt::format("{:.{}g}", x, x < 1 ? 3 : 4);
}

// At most six characters.
std::string short_number(double x, char const* tail) {
  if (!(x < 1e4)) return fmt::format("{:.0e}{}", x, tail);
  return fmt::format("{:.{}f}{}", x, x < 10 ? 3 - (*tail != 0) : x < 100 ? 2 - (*tail != 0) : 0, tail);
}

std::string percent(std::optional<double> v) { return v ? fmt::format("{:.0f}%", std::min(100 * *v, 9999.0)) : "-"; }

}  // namespace

std::string time_text(double s) {
  if (s < 1e-6) return fmt::format("{:.4g} ns", s * 1e9);
  if (s < 1e-3) return fmt::format("{:.4g} us", s * 1e6);
  if (s < 1) return fmt::format("{:.4g} ms", s * 1e3);
  return fmt::format("{:.4g} s", s);
}

std::string size_text(index_t size) {
  bool const power = size > 0 && (size & (size - 1)) == 0;
  if (!power || size < 65536) return size > 999999 ? fmt::format("{:.2e}", double(size)) : fmt::format("{}", size);
  int exponent = 0;
  while ((index_t(1) << exponent) < size) ++exponent;
  return fmt::format("2^{}", exponent);
}

std::string wrapped(std::string const& text, int width, int indent) {
  std::string const margin(std::size_t(indent), ' ');
  auto const room = std::size_t(std::max(1, width - indent));
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.size(), begin + room);
    if (auto const line_end = text.find('\n', begin); line_end < end) {
      end = line_end;
    } else if (end < text.size()) {
      auto const space = text.rfind(' ', end);
      if (space != std::string::npos && space > begin) end = space;
    }
    out += margin + text.substr(begin, end - begin) + '\n';
    begin = end + (end < text.size() && (text[end] == ' ' || text[end] == '\n'));
  }
  return out;
}

std::string table::painted(std::string const& text, char const* code) const {
  return colour_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string table::header() const {
  auto const line = fmt::format(fmt::runtime(columns), "case", "type", "size", "on", "variant", "median", "spread", "GB/s", "GFLOP/s",
                                "ceil.", "cache", "ratio");
  return painted(line, "1") + '\n' + std::string(line.size(), '-') + '\n';
}

std::string table::row(result const& r, result const* ours) const {
  if (r.status != status::ok || !r.times) {
    auto const head = fmt::format("{:<14} {:<6} {:>6} {:<4} {:<12} ", clipped(r.case_name, name_width), r.type, size_text(r.size),
                                  r.backend, clipped(r.variant, variant_width));
    auto const text = r.status == status::failed && r.max_error
                          ? fmt::format("{}: largest error {:.3g}, bound {:.3g}", name_of(r.status), *r.max_error, *r.bound)
                      : r.status == status::skipped ? "skipped (the reason is below)"  // often one for many rows
                                                    : std::string(name_of(r.status)) + ": " + r.reason;
    auto const reason = wrapped(text, width, int(head.size()));
    return painted(head + reason.substr(head.size(), reason.size() - head.size() - 1), r.status == status::skipped ? "33" : "31") + '\n';
  }
  auto const& t = *r.times;
  bool const is_peer = ours && ours->times && ours != &r;
  auto const line = fmt::format(fmt::runtime(columns), clipped(r.case_name, name_width), r.type, size_text(r.size), r.backend,
                                clipped(r.variant, variant_width), time_text(t.median), short_number(50 * (t.p95 - t.p05) / t.median, "%"),
                                number(r.bytes_per_s(), 1e9), number(r.flops_per_s(), 1e9),
                                percent(r.ceiling_fraction()) + (r.above_ceiling() ? "!" : ""), r.cache,
                                is_peer ? short_number(t.median / ours->times->median, "") : "");
  auto const trimmed = line.substr(0, line.find_last_not_of(' ') + 1);
  return (r.above_ceiling() ? painted(trimmed, "33") : trimmed) + '\n';
}

std::string table::rows(std::vector<result> const& group) const {
  result const* ours = nullptr;
  for (auto const& r : group)
    if (r.variant == "dolmen" && r.status == status::ok) ours = &r;
  std::string out;
  for (auto const& r : group) out += row(r, ours);
  return out;
}

std::string machine_text(machine const& m) {
  std::string out = fmt::format("Dolmen {}, {}, {}\n", m.library_version, m.compiler, m.build_type);
  out += wrapped(fmt::format("CPU: {}, {} cores used of {} present (allowed: {}), governor {}", m.cpu_name, m.cores_used, m.cores_present,
                             m.affinity, m.governor.value_or("unknown")),
                 table::width, 0);
  if (m.busy_cores.value_or(0) > 0.2)
    out += wrapped(fmt::format("Warning: other programs keep {:.1f} cores busy. Parallel loops then wait for their slowest part, and the "
                               "times below say little about this machine.",
                               *m.busy_cores),
                   table::width, 0);
  std::string set;
  for (auto const& [name, value] : m.environment) set += (set.empty() ? "" : " ") + name + "=" + value.value_or("");
  if (!set.empty()) out += wrapped("Environment: " + set, table::width, 0);
  for (auto const* list : {&m.openblas, &m.gpu}) {
    std::string line;
    for (auto const& [name, value] : *list)
      if (value) line += (line.empty() ? "" : ", ") + name + " " + *value;
    if (!line.empty()) out += wrapped((list == &m.gpu ? "GPU: " : "OpenBLAS: ") + line, table::width, 0);
  }
  return out;
}

std::string ceilings_text(std::string const& backend, ceilings const& c) {
  return wrapped(fmt::format("Ceilings of {} in memory, GB/s: read {}, write {}, copy {}, triad {} (arrays of {} MiB)", backend,
                             number(c.read, 1e9), number(c.write, 1e9), number(c.copy, 1e9), number(c.triad, 1e9), c.array_bytes >> 20),
                 table::width, 0);
}

std::string summary_text(std::vector<result> const& results) {
  int count[4] = {};
  std::vector<std::pair<std::string, std::string>> named;  // why, which
  for (auto const& r : results) {
    ++count[int(r.status)];
    if (r.status == status::ok && !r.above_ceiling()) continue;
    auto const why = r.status == status::ok ? "faster than the measured ceiling" : std::string(name_of(r.status)) + ": " + r.reason;
    auto const which = fmt::format("{}/{}/{}/{}/{}", r.case_name, r.backend, r.variant, r.type, r.size);
    auto const same = std::find_if(named.begin(), named.end(), [&](auto const& entry) { return entry.first == why; });
    if (same == named.end())
      named.emplace_back(why, which);
    else
      same->second += ", " + which;
  }
  std::string out;
  for (auto s : {status::ok, status::failed, status::error, status::skipped})
    if (s == status::ok || count[int(s)]) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count[int(s)], name_of(s));
  out += '\n';
  for (auto const& [why, which] : named) out += wrapped(why, table::width, 0) + wrapped(which, table::width, 4);
  return out;
}

}  // namespace study
