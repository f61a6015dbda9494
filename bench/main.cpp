// dolmen-study: verified throughput of Dolmen's kernels and algorithms, beside their peers and the machine's ceilings.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <dolmen/default_backend.hpp>
#include <iostream>

#include "commands.hpp"
#include "report.hpp"
#include "text.hpp"

namespace {

constexpr char const* statuses =
    "Exit status: 0 if every row is ok; 1 if a row failed verification, ended in an error or was too short for the timer, if no row is "
    "ok, or if a row was skipped that --backend or --size asked for (other rows that are too large or whose backend has no device here "
    "are skipped without that), or if the output could not be written; 2 for a mistake on the command line, also when nothing "
    "matches; 130 if Ctrl-C or SIGTERM cut the run short, which ends it after the row under way, and the process if it comes again.";

constexpr char const* selection =
    "Without --all, --filter, --size or --type the tour runs: one size and type of the kernels of the textbooks, then of each "
    "algorithm, grouped, in some two minutes. --all runs every case, size and type. --filter, --size and --type search all of them, not "
    "only the tour.";

constexpr char const* repeating =
    "--repetitions repeats the whole measurement of each row, verification included, as Google Benchmark's option of that name does; a "
    "row's figures are then over the samples of all repetitions, and the JSON file also has the median of each. --threads measures the "
    "rows of the cpu backend once for each number, in a process of its own with OMP_NUM_THREADS: Kokkos, OpenMP and OpenBLAS all use "
    "that many; ceilings are measured again with each.";

constexpr char const* columns =
    "Columns: median time of one run; spread, half the distance from the 5th to the 95th percentile in percent of the median; GB/s and "
    "GFLOP/s by the bytes and operations that each case declares; ceil., the part of the fastest rate that was measured for this kind "
    "of traffic in memory (read, write, copy, triad), for data larger than the last-level cache; cache, hot if what a run touches fits "
    "into a quarter of "
    "the last-level cache, cold if it is more than four times the cache, else mixed; ratio, the speed of dolmen over that of this peer. "
    "A cold row that is faster than its ceiling by more than 3 % is marked with an exclamation mark; a spread above 50 %, a median "
    "shorter than a step of the clock, and a ratio with such a row with a question mark.";

std::string footer(std::initializer_list<char const*> texts) {
  std::string all;
  for (auto const* text : texts) all += (all.empty() ? "" : "\n") + study::wrapped(text, study::table::width, 0);
  return all;
}

/// Seconds, above 0. CLI's own range lets NaN pass.
std::string judge_seconds(std::string const& text) {
  double seconds = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds) || seconds <= 0 || seconds > 3600)
    return "'" + text + "' is no time: seconds above 0, at most 3600";
  return "";
}

void add_run_options(CLI::App& run, study::run_options& o) {
  run.footer(footer({selection, columns, repeating, statuses}));
  run.add_flag("--all", o.all, "Every case, size and type instead of the tour");
  run.add_option("--filter", o.filter, "Only rows whose case/backend/variant/type/size matches this expression");
  run.add_option("--backend", o.backends, "Only these backends, as in cpu,cuda")->delimiter(',');
  run.add_option("--size", o.size_texts, "These sizes: elements, or sides of matrices, as in 1000,64k,2^25")->delimiter(',');
  run.add_option("--type", o.types, "Only these element types, as in float,double")->delimiter(',');
  run.add_option("--time", o.seconds, "Seconds of samples for each row; 0.1 in the tour, else 0.3")
      ->check(CLI::Validator(judge_seconds, "SECONDS"));
  run.add_option("--repetitions", o.repetitions, "Measure each row that often")->check(CLI::Range(1, 1000));
  run.add_option("--threads", o.threads, "Numbers of threads of the cpu backend, as in 1,2,4")->delimiter(',')->check(CLI::Range(1, 1024));
  run.add_option("--json", o.json_file, "Write all results to this file (schema dolmen-study/1)");
  run.add_option("--csv", o.csv_file, "Write all results to this file as CSV");
  run.add_option("--child", o.child)->delimiter(',')->expected(3)->group("");  // of --threads
}

int run(int argc, char** argv) {
  CLI::App app("Measures Dolmen's kernels: every case is verified before it is timed.", "dolmen-study");
  app.footer(footer({statuses}));
  app.get_formatter()->column_width(26);
  app.set_version_flag("--version", "dolmen-study " DOLMEN_VERSION_STRING);
  app.require_subcommand(1);
  auto* const devices = app.add_subcommand("devices", "Describe the devices of all backends of this build");
  auto* const list = app.add_subcommand("list", "Name all cases, their variants, backends, types and sizes");
  auto* const facts = app.add_subcommand("facts", "Registers, spills and shared memory of GPU kernels and their twins");
  auto* const run = app.add_subcommand("run", "Verify and time cases: a tour, or those asked for");
  std::string facts_file, list_filter;
  facts->add_option("--json", facts_file, "Write them to this file (schema dolmen-study-facts/1)");
  list->add_option("--filter", list_filter, "Only rows whose case/backend/variant/type/size matches this expression");
  study::run_options o;
  add_run_options(*run, o);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    int const status = app.exit(e) == 0 ? 0 : 2;
    return std::cout.flush() ? status : 1;
  }
  if (devices->parsed()) return study::devices_command();
  if (facts->parsed()) return study::facts_command(facts_file);
  study::prepare_process(argv);
  auto const cases = study::all_cases();
  return list->parsed() ? study::list_command(cases, list_filter) : study::run_command(cases, o, argv);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (study::usage_error const& e) {
    std::fprintf(stderr, "dolmen-study: %s\n", e.what());
    return 2;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "dolmen-study: %s\n", e.what());
    return 1;
  }
}
