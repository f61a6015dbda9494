#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "commands.hpp"
#include "estimate.hpp"
#include "output_file.hpp"
#include "report.hpp"
#include "text.hpp"
#include "thread_runs.hpp"

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
    if (watched_) std::fprintf(stderr, "\r\033[K%s", text.c_str());
  }
  void clear() const { show(""); }

 private:
  bool const watched_ = isatty(STDERR_FILENO);
};

/// The table. Where it cannot be written, a run that also writes files goes on for their sake.
class console {
 public:
  explicit console(bool go_on) : go_on_(go_on) {}
  void say(std::string const& text) {
    if (!failure_.empty()) return;
    try {
      study::say(text);
    } catch (std::exception const& e) {
      if (!go_on_) throw;
      failure_ = e.what();
    }
  }
  /// Throws what went wrong, at the end.
  void close() const {
    if (!failure_.empty()) throw std::runtime_error(failure_);
  }

 private:
  bool const go_on_;
  std::string failure_;
};

/// Beside results, which are worth writing also where this fails.
kernel_pairs known_costs(console& out) {
  try {
    return compare_kernels();
  } catch (std::exception const& e) {
    out.say(wrapped("No facts of kernels: " + reason_text(e), table::width, 0));
    return {};
  }
}

std::size_t count_rows(std::vector<group> const& groups) {
  std::size_t rows = 0;
  for (auto const& g : groups) rows += g.variants.size();
  return rows;
}

bool has_device(backend_entry const& entry) {
  try {
    return !entry.devices().empty();
  } catch (std::exception const&) {
    return false;
  }
}

/// Groups of a backend without a device take no time.
countdown expected(std::vector<group> const& groups, options const& o, int cores) {
  std::map<std::string, bool> there;
  for (auto const& entry : built_backends()) there[entry.name] = has_device(entry);
  std::vector<double> seconds;
  for (auto const& g : groups) seconds.push_back(there[g.of->backend] ? expected_seconds(g, o, cores) : 0);
  return countdown(std::move(seconds));
}

std::string plan_text(run_facts const& facts, double seconds) {
  constexpr double ceilings_seconds = 3;
  auto const rows = formatted("{} row{}, about {} on an idle machine", facts.rows_planned, facts.rows_planned == 1 ? "" : "s",
                              duration_text(seconds + ceilings_seconds));
  return wrapped(facts.tour ? "The tour: " + rows + "; --all is every case, size and type" : rows, table::width, 0);
}

/// Opens the backends, and says what they can do.
void open_backends(runner& run, std::vector<group> const& groups, console& out, progress const& line) {
  line.show("measuring ceilings");
  run.open(groups);
  line.clear();
  for (auto const& [backend, found] : run.measured_ceilings()) out.say(ceilings_text(backend, found));
  for (auto const& [backend, reason] : run.unavailable()) out.say(wrapped("No " + backend + ": " + reason, table::width, 0));
}

std::vector<result> run_groups(runner& run, std::vector<group> const& groups, countdown left, bool tour, console& out,
                               progress const& line) {
  table const rows(colour_wanted());
  out.say('\n' + rows.header());
  std::vector<result> results;
  auto const total = count_rows(groups);
  heading last = heading::none;
  for (auto const& g : groups) {
    if (interrupted()) break;
    auto const& info = *g.of->info;
    line.show(formatted("[{}/{}] {} {} {} {}, about {} left", results.size() + 1, total, info.name, g.of->backend, info.type,
                        size_text(g.size), duration_text(left.seconds_left())));
    auto const of_group = run.run(g);
    line.clear();
    left.step();
    if (of_group.empty()) break;
    if (tour && info.tour.under != last) out.say(rows.title(title_of(info.tour.under), last == heading::none));
    last = info.tour.under;
    out.say(rows.rows(of_group));
    results.insert(results.end(), of_group.begin(), of_group.end());
  }
  return results;
}

struct files {
  std::optional<output_file> json, csv;

  explicit files(run_options const& o) {
    if (!o.child.empty()) return;
    if (!o.json_file.empty() && !o.csv_file.empty() && same_file(o.json_file, o.csv_file))
      throw usage_error("--json and --csv name the same file, '" + o.csv_file + "'");
    if (!o.json_file.empty()) json.emplace(o.json_file);
    if (!o.csv_file.empty()) csv.emplace(o.csv_file);
  }
};

}  // namespace

int run_command(registry const& r, run_options o, char** argv) {
  o.sizes = parse_sizes(o.size_texts);
  if (!o.threads.empty()) o.backends = backends_with_threads(o.backends);
  auto const groups = select(r, o);
  interrupt_guard const requests;
  files to(o);
  if (!o.child.empty())
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // it must not outlive run_with_threads
  else if (!o.threads.empty())
    return run_with_threads(o.threads, argv, to.json ? &*to.json : nullptr, to.csv ? &*to.csv : nullptr);

  console out(to.json || to.csv || !o.child.empty());
  progress const line;
  auto here = describe_machine();
  if (!o.child.empty()) check_threads(o.child[0], here.cores_used);
  run_facts facts{.tour = o.tour(), .rows_planned = int(count_rows(groups)), .seconds_per_row = o.budget(), .repetitions = o.repetitions};
  auto left = expected(groups, o, here.cores_used > 0 ? here.cores_used : 1);
  out.say(machine_text(here) + plan_text(facts, left.total()));
  runner run(o);
  open_backends(run, groups, out, line);
  left = expected(groups, o, here.cores_used > 0 ? here.cores_used : 1);  // from now on
  auto const results = run_groups(run, groups, std::move(left), facts.tour, out, line);
  facts.cut_short = interrupted() && int(results.size()) < facts.rows_planned;
  out.say('\n' + summary_text(results));
  if (facts.cut_short)
    out.say(formatted("Cut short by {}: {} of {} rows were measured.\n", interrupt_name(), results.size(), facts.rows_planned));

  if (facts.tour && !facts.cut_short) out.say("What the columns say: dolmen-study run --help\n");

  here.gpu = describe_gpu();  // again: its clocks count when it has worked
  bool const json_wanted = to.json || !o.child.empty();
  auto const json = json_wanted
                        ? to_json(here, run.measured_ceilings(), results, run.find("cuda") ? known_costs(out) : kernel_pairs{}, facts)
                        : std::string();
  if (to.json) to.json->write(json);
  if (to.csv) to.csv->write(to_csv(results));
  if (!o.child.empty()) hand_over(o.child, json, to_csv(results));
  out.close();
  return facts.cut_short ? interrupted_status : exit_status(results);
}

}  // namespace study
