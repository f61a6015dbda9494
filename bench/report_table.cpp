#include <algorithm>

#include "report.hpp"
#include "text.hpp"

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
  if (x >= 1e6 || (x > 0 && x < 1e-3)) return formatted("{:.1e}", x);
  return x >= 1000 ? formatted("{:.0f}", x) : formatted("{:.{}g}", x, x < 1 ? 3 : 4);
}

// At most six characters.
std::string short_number(double x, char const* tail) {
  if (!(x < 1e4)) return formatted("{:.0e}{}", x, tail);
  return formatted("{:.{}f}{}", x, x < 10 ? 3 - (*tail != 0) : x < 100 ? 2 - (*tail != 0) : 0, tail);
}

std::string percent(std::optional<double> v) { return v ? formatted("{:.0f}%", std::min(100 * *v, 9999.0)) : "-"; }

}  // namespace

std::string size_text(index_t size) {
  bool const power = size > 0 && (size & (size - 1)) == 0;
  if (!power || size < 65536) return size > 999999 ? formatted("{:.2e}", double(size)) : formatted("{}", size);
  int exponent = 0;
  while ((index_t(1) << exponent) < size) ++exponent;
  return formatted("2^{}", exponent);
}

std::string table::painted(std::string const& text, char const* code) const {
  return colour_ ? formatted("\033[{}m{}\033[0m", code, text) : text;
}

std::string table::header() const {
  auto const line = formatted(fmt::runtime(columns), "case", "type", "size", "on", "variant", "median", "spread", "GB/s", "GFLOP/s",
                              "ceil.", "cache", "ratio");
  return painted(line, "1") + '\n' + std::string(line.size(), '-') + '\n';
}

std::string table::title(std::string const& text, bool first) const { return formatted("{}{}\n", first ? "" : "\n", painted(text, "1")); }

std::string table::row(result const& r, result const* ours) const {
  if (r.status != status::ok || !r.times) {
    auto const head = formatted("{:<14} {:<6} {:>6} {:<4} {:<12} ", clipped(r.case_name, name_width), r.type, size_text(r.size), r.backend,
                                clipped(r.variant, variant_width));
    auto const text = r.status == status::failed && r.max_error
                          ? formatted("{}: largest error {:.3g}, bound {:.3g}", name_of(r.status), *r.max_error, *r.bound)
                      : r.status == status::skipped ? "skipped (the reason is below)"  // often one for many rows
                                                    : std::string(name_of(r.status)) + ": " + r.reason;
    auto const reason = wrapped(text, width, int(head.size()));
    return painted(head + reason.substr(head.size(), reason.size() - head.size() - 1), r.status == status::skipped ? "33" : "31") + '\n';
  }
  auto const& t = *r.times;
  bool const is_peer = ours && ours->times && ours != &r;
  auto const mark = [](bool doubtful) { return doubtful ? "?" : ""; };
  auto const line = formatted(fmt::runtime(columns), clipped(r.case_name, name_width), r.type, size_text(r.size), r.backend,
                              clipped(r.variant, variant_width), time_text(t.median) + mark(r.below_clock()),
                              short_number(std::min(100 * t.spread(), 9999.0), "%") + mark(r.unsteady()), number(r.bytes_per_s(), 1e9),
                              number(r.flops_per_s(), 1e9), percent(r.ceiling_fraction()) + (r.above_ceiling() ? "!" : ""), r.cache,
                              is_peer ? short_number(t.median / ours->times->median, "") + mark(r.doubtful() || ours->doubtful()) : "");
  auto const trimmed = line.substr(0, line.find_last_not_of(' ') + 1);
  return (r.above_ceiling() || r.doubtful() ? painted(trimmed, "33") : trimmed) + '\n';
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
  std::string out = formatted("Dolmen {}, {}, {}\n", m.library_version, m.compiler, m.build_type);
  out += wrapped(formatted("CPU: {}, {} cores used of {} present (allowed: {}), governor {}", m.cpu_name, m.cores_used, m.cores_present,
                           m.affinity, m.governor.value_or("unknown")),
                 table::width, 0);
  if (m.busy_cores.value_or(0) > 0.2)
    out += wrapped(formatted("Warning: other programs keep {:.1f} cores busy. Parallel loops then wait for their slowest part, and the "
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
  return wrapped(formatted("Ceilings of {} in memory, GB/s: read {}, write {}, copy {}, triad {} (arrays of {} MiB)", backend,
                           number(c.read, 1e9), number(c.write, 1e9), number(c.copy, 1e9), number(c.triad, 1e9), c.array_bytes >> 20),
                 table::width, 0);
}

std::string summary_text(std::vector<result> const& results) {
  int count[4] = {}, doubtful = 0;
  std::vector<std::pair<std::string, std::string>> named;  // why, which
  for (auto const& r : results) {
    ++count[int(r.status)];
    doubtful += r.status == status::ok && r.doubtful();
    if (r.status == status::ok && !r.above_ceiling()) continue;
    auto const why = r.status == status::ok ? "faster than the measured ceiling" : std::string(name_of(r.status)) + ": " + r.reason;
    auto const which = formatted("{}/{}/{}/{}/{}", r.case_name, r.backend, r.variant, r.type, r.size);
    auto const same = std::find_if(named.begin(), named.end(), [&](auto const& entry) { return entry.first == why; });
    if (same == named.end())
      named.emplace_back(why, which);
    else
      same->second += ", " + which;
  }
  std::string out;
  for (auto s : {status::ok, status::failed, status::error, status::skipped})
    if (s == status::ok || count[int(s)]) out += formatted("{}{} {}", out.empty() ? "" : ", ", count[int(s)], name_of(s));
  out += '\n';
  if (doubtful > 0)
    out += wrapped(formatted("{} marked with a question mark: a spread above 50 %, or one run shorter than a step of the clock. Such a "
                             "figure, and a ratio with it, says little.",
                             doubtful == 1 ? "1 row is" : formatted("{} rows are", doubtful)),
                   table::width, 0);
  for (auto const& [why, which] : named) out += wrapped(why, table::width, 0) + wrapped(which, table::width, 4);
  return out;
}

}  // namespace study
