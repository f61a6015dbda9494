// dolmen-study: verified throughput of Dolmen's kernels and algorithms, beside their peers and the machine's ceilings.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "commands.hpp"
#include "report.hpp"

namespace {

constexpr char const* statuses =
    "Exit status: 0 if every row is ok; 1 if a row failed verification, ended in an error or was too short for the timer, if no row is "
    "ok, or if a row was skipped that --backend or --size asked for (other rows that are too large or whose backend has no device here "
    "are skipped without that); 2 for a mistake on the command line, also when nothing matches.";

constexpr char const* columns =
    "Columns: median time of one run; spread, half the distance from the 5th to the 95th percentile in percent of the median; GB/s and "
    "GFLOP/s by the bytes and operations that each case declares; ceil., the part of the fastest rate that was measured for this kind "
    "of traffic in memory (read, write, copy, triad), for data larger than the last-level cache; cache, hot if what a run touches fits "
    "into a quarter of "
    "the last-level cache, cold if it is more than four times the cache, else mixed; ratio, the speed of dolmen over that of this peer. "
    "A cold row that is faster than its ceiling by more than 3 % is marked with an exclamation mark.";

std::string footer(std::initializer_list<char const*> texts) {
  std::string all;
  for (auto const* text : texts) all += (all.empty() ? "" : "\n") + study::wrapped(text, study::table::width, 0);
  return all;
}

int run(int argc, char** argv) {
  CLI::App app("Measures Dolmen's kernels: every case is verified before it is timed.", "dolmen-study");
  app.footer(footer({statuses}));
  app.get_formatter()->column_width(26);
  app.require_subcommand(1);
  auto* const devices = app.add_subcommand("devices", "Describe the devices of all backends of this build");
  auto* const list = app.add_subcommand("list", "Name all cases, their variants, backends, types and sizes");
  auto* const facts = app.add_subcommand("facts", "Registers, spills and shared memory of GPU kernels and their twins");
  auto* const run = app.add_subcommand("run", "Verify and time cases");
  run->footer(footer({columns, statuses}));
  std::string facts_file;
  facts->add_option("--json", facts_file, "Write them to this file (schema dolmen-study-facts/1)");
  study::run_options o;
  run->add_option("--filter", o.filter, "Only rows whose case/backend/variant/type/size matches this expression");
  run->add_option("--backend", o.backends, "Only these backends, as in cpu,cuda")->delimiter(',');
  run->add_option("--size", o.size_texts, "These sizes: elements, or sides of matrices, as in 1000,64k,2^25")->delimiter(',');
  run->add_option("--type", o.types, "Only these element types, as in float,double")->delimiter(',');
  run->add_option("--time", o.seconds, "Seconds of samples for each row")->capture_default_str()->check(CLI::Range(0.0, 3600.0));
  run->add_option("--json", o.json_file, "Write all results to this file (schema dolmen-study/1)");
  run->add_option("--csv", o.csv_file, "Write all results to this file as CSV");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (devices->parsed()) return study::devices_command();
  if (facts->parsed()) return study::facts_command(facts_file);
  study::prepare_process(argv);
  auto const cases = study::all_cases();
  return list->parsed() ? study::list_command(cases) : study::run_command(cases, o);
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
