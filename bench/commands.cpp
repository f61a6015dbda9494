#include "commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <dolmen/core/error.hpp>

#include "peers/openblas.hpp"
#include "report.hpp"

namespace study {
namespace {

bool colour_wanted() {
  char const* const no = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && (!no || !*no);
}

/// One line on stderr that is written over, and only where somebody watches.
class progress {
 public:
  void show(std::string const& text) const {
    if (watched_) fmt::print(stderr, "\r\033[K{}", text);
  }
  void clear() const { show(""); }

 private:
  bool const watched_ = isatty(STDERR_FILENO);
};

void say(std::string const& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Beside results, which are worth writing also where this fails.
kernel_pairs known_costs() {
  try {
    return compare_kernels();
  } catch (std::exception const& e) {
    say(wrapped("No facts of kernels: " + reason_text(e), table::width, 0));
    return {};
  }
}

}  // namespace

void prepare_process([[maybe_unused]] char** argv) {
#if STUDY_HAS_OPENBLAS
  peers::restart_with_better_kernels(argv);
#endif
}

int run_command(registry const& r, run_options o) {
  o.sizes = parse_sizes(o.size_texts);
  auto const groups = select(r, o);
  std::optional<output_file> json, csv;
  if (!o.json_file.empty()) json.emplace(o.json_file);
  if (!o.csv_file.empty()) csv.emplace(o.csv_file);

  auto here = describe_machine();
  say(machine_text(here));
  progress const line;
  line.show("measuring ceilings");
  runner run(o);
  run.open(groups);
  line.clear();
  for (auto const& [backend, found] : run.measured_ceilings()) say(ceilings_text(backend, found));
  for (auto const& [backend, reason] : run.unavailable()) say(wrapped("No " + backend + ": " + reason, table::width, 0));

  table const rows(colour_wanted());
  say('\n' + rows.header());
  std::vector<result> results;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    auto const& g = groups[i];
    line.show(
        fmt::format("[{}/{}] {} {} {} {}", i + 1, groups.size(), g.of->info->name, g.of->backend, g.of->info->type, size_text(g.size)));
    auto const of_group = run.run(g);
    line.clear();
    say(rows.rows(of_group));
    results.insert(results.end(), of_group.begin(), of_group.end());
  }
  say('\n' + summary_text(results));
  here.gpu = describe_gpu();  // again: its clocks count when it has worked
  if (json) json->write(to_json(here, run.measured_ceilings(), results, run.find("cuda") ? known_costs() : kernel_pairs{}));
  if (csv) csv->write(to_csv(results));
  return exit_status(results);
}

int list_command(registry const& r) {
  std::string out;
  case_info const* last = nullptr;
  for (auto const& b : r) {
    if (b.info->hidden) continue;
    if (b.info.get() != last) {
      out += fmt::format("{} ({}, {}): {}\n", b.info->name, b.info->type, name_of(b.info->kind), b.info->about);
      out += wrapped("checked: " + b.info->accuracy, table::width, 4);
    }
    last = b.info.get();
    std::string variants, sizes;
    for (auto const& v : b.variants) variants += (variants.empty() ? "" : ", ") + v;
    for (auto s : b.sizes()) sizes += (sizes.empty() ? "" : ", ") + size_text(s);
    out += wrapped(fmt::format("{}: {}; sizes {}", b.backend, variants, sizes), table::width, 4);
  }
  say(out);
  return 0;
}

int devices_command() {
  for (auto const& entry : built_backends()) {
    try {
      for (auto const& device : entry.devices()) {
        std::string out;
        for (auto const& [what, value] : dolmen::detail::describe(device)) {
          auto const text = wrapped(value, table::width, 34);
          out += fmt::format("{:<33} {}", what, text.size() > 34 ? text.substr(34) : "\n");
        }
        say(out + '\n');
      }
    } catch (dolmen::error const& e) {
      say(wrapped("No " + entry.name + ": " + reason_text(e), table::width, 0) + '\n');
    }
  }
  return 0;
}

int facts_command(std::string const& json_file) {
  std::optional<output_file> json;
  if (!json_file.empty()) json.emplace(json_file);
  try {
    auto const pairs = compare_kernels();
    say(kernels_text(pairs));
    if (json) json->write(kernels_json(describe_machine(), pairs));
    return 0;
  } catch (dolmen::backend_unavailable const& e) {
    say(wrapped("No facts: " + reason_text(e), table::width, 0));
    return 1;
  }
}

}  // namespace study
