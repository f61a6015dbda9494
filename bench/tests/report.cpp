#include <output_file.hpp>
#include <report.hpp>
#include <text.hpp>
#include <usage_error.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "../../tests/support/locales.hpp"

namespace {

study::result row(study::status s) {
  study::result r;
  r.case_name = "odd \"name\", with all", r.variant = "dolmen", r.backend = "cuda", r.type = "double", r.size = study::index_t(1) << 28;
  r.status = s;
  r.bytes = 1e12, r.flops = 1e15;
  r.cache = "mixed", r.ceiling = 1e9;
  r.kind = study::traffic::triad;
  r.times = study::summary{5, 123.4567, 1e-9, 999.9};
  return r;
}

std::size_t widest(std::string const& text) {
  std::size_t most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return most;
}

}  // namespace

TEST_CASE("JSON is strict") {
  auto r = row(study::status::ok);
  r.max_error = std::numeric_limits<double>::infinity();
  r.bound = std::nan("");
  r.reason = "bytes that are no text: \xff\xfe";
  auto const text = study::to_json({}, {{"cpu", {1e9, 2e9, std::nan(""), 4e9, 1}}}, {r, row(study::status::failed)});
  auto const all = nlohmann::json::parse(text);
  CHECK(all["schema"] == "dolmen-study/1");
  auto const& first = all["results"][0];
  CHECK(first["case"] == "odd \"name\", with all");
  CHECK(first["max_error"].is_null());
  CHECK(first["bound"].is_null());
  CHECK(first["gb_per_s"].get<double>() == doctest::Approx(1e3 / 123.4567));
  CHECK(all["ceilings"]["cpu"]["copy_gb_per_s"].is_null());
  auto const& second = all["results"][1];
  for (char const* field : {"median_s", "p05_s", "p95_s", "gb_per_s", "gflop_per_s", "ceiling_fraction"}) {
    CAPTURE(field);
    CHECK(second[field].is_null());
  }
  CHECK(second["samples"] == 0);
}

TEST_CASE("CSV is quoted, and has as many fields in every row") {
  auto r = row(study::status::error);
  r.reason = "two\nlines";
  auto const text = study::to_csv({r});
  auto const second = text.substr(text.find("\r\n") + 2);
  CHECK(second.find("\"odd \"\"name\"\", with all\",dolmen,cuda,double,268435456,error,\"two\nlines\",,,,0,,,,") == 0);
  auto const header = text.substr(0, text.find("\r\n"));
  CHECK(std::count(header.begin(), header.end(), ',') == 25);
  CHECK(std::count(second.begin(), second.end(), ',') == 25 + 1);  // one of them quoted
  CHECK(text.find("nan") == std::string::npos);
}

TEST_CASE("reports are the same whatever locale the program set") {
  auto ours = row(study::status::ok);
  ours.times = study::summary{5000, 0.0123, 1.5e-9, 1234.5};
  ours.reason = "1234.5 of 6789.25";
  auto const all = [&] {
    return study::to_json({}, {{"cpu", {1.5e9, 2e9, 3e9, 4e9, 123456}}}, {ours}) + study::to_csv({ours}) +
           study::table(false).rows({ours}) + study::summary_text({ours}) + study::time_text(0.00125) + study::duration_text(12345.0);
  };
  auto const classic = all();
  CHECK(classic.find("1.25 ms3.4 h") != std::string::npos);
  testing::foreign_locale const abroad;
  CHECK(all() == classic);
}

TEST_CASE("the table fits its width, whatever the numbers") {
  study::table const plain(false);
  CHECK(widest(plain.header()) <= study::table::width);
  auto peer = row(study::status::ok);
  peer.variant = "a_peer_with_a_long_name";
  peer.times->median = 3e5;
  auto broken = row(study::status::error);
  broken.reason = std::string(300, 'x') + " and words that go on and on and on and on and on and on and on and on and on and on and on";
  auto const text = plain.rows({row(study::status::ok), peer, broken});
  CHECK(widest(text) <= study::table::width);
  CHECK(text.find('\033') == std::string::npos);
  CHECK(study::table(true).header().find('\033') != std::string::npos);
}

TEST_CASE("the ratio is dolmen's speed over the peer's") {
  auto ours = row(study::status::ok), peer = ours;
  ours.times->median = 2;
  peer.variant = "openmp", peer.times->median = 1;
  CHECK(study::table(false).rows({ours, peer}).find("0.500") != std::string::npos);
}

TEST_CASE("what says little is marked") {
  auto ours = row(study::status::ok), peer = ours;
  ours.times = study::summary{5, 2, 1.9, 2.1};
  peer.variant = "openmp", peer.times = study::summary{5, 1, 0.9, 1.1};
  study::table const plain(false);
  CHECK(plain.rows({ours, peer}).find('?') == std::string::npos);
  CHECK(study::summary_text({ours, peer}).find("question mark") == std::string::npos);

  auto scattered = peer;
  scattered.times->p95 = 2.5;
  CHECK(scattered.unsteady());
  auto const text = plain.rows({ours, scattered});
  CHECK(text.find("80.0%?") != std::string::npos);
  CHECK(text.find("0.500?") != std::string::npos);
  CHECK(study::summary_text({ours, scattered}).find("1 row is marked with a question mark") != std::string::npos);
  CHECK(nlohmann::json::parse(study::to_json({}, {}, {ours, scattered}))["results"][1]["doubtful"] == true);

  auto brief = ours;
  brief.clock_step = 3;
  CHECK(brief.below_clock());
  CHECK(plain.rows({brief, peer}).find("2 s?") != std::string::npos);
  CHECK(plain.rows({brief, peer}).find("0.500?") != std::string::npos);

  scattered.times = study::summary{5, 1e-9, 0, 1e9};
  scattered.clock_step = 1;
  CHECK(widest(plain.rows({brief, scattered})) <= study::table::width);
}

TEST_CASE("the documents of several runs become one") {
  auto one = row(study::status::ok), two = one;
  one.threads = 1, two.threads = 2;
  study::machine first, second;
  first.cores_used = 1, second.cores_used = 2;
  study::run_facts facts;
  facts.rows_planned = 1;
  std::map<std::string, study::ceilings> const slow{{"cpu", {1e9, 1e9, 1e9, 1e9, 1}}}, fast{{"cpu", {2e9, 2e9, 2e9, 2e9, 1}}};
  auto const all = nlohmann::json::parse(
      study::joined_json({study::to_json(first, slow, {one}, {}, facts), study::to_json(second, fast, {two}, {}, facts)}, 3, true));
  REQUIRE(all["results"].size() == 2);
  CHECK(all["results"][0]["threads"] == 1);
  CHECK(all["results"][1]["threads"] == 2);
  CHECK(all["ceilings"]["cpu/1"]["read_gb_per_s"] == 1.0);
  CHECK(all["ceilings"]["cpu/2"]["read_gb_per_s"] == 2.0);
  CHECK(all["run"]["rows_planned"] == 3);
  CHECK(all["run"]["cut_short"] == true);
  auto const csv = study::joined_csv({study::to_csv({one}), "", study::to_csv({two})});
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
  CHECK(csv.find("case,", 1) == std::string::npos);
  CHECK(study::joined_csv({}) == study::to_csv({}));
}

TEST_CASE("one file under two names") {
  CHECK(study::same_file("x.json", "./x.json"));
  CHECK(study::same_file("-", "-"));
  CHECK_FALSE(study::same_file("x.json", "x.csv"));
  CHECK_FALSE(study::same_file("/dev/null", "/dev/null"));
}

TEST_CASE("texts for people") {
  CHECK(study::duration_text(0.2) == "1 s");
  CHECK(study::duration_text(43) == "45 s");
  CHECK(study::duration_text(100) == "2 min");
  CHECK(study::duration_text(7200) == "2.0 h");
  CHECK(study::time_text(1.5e-9) == "1.5 ns");
  CHECK(study::time_text(2.5e-6) == "2.5 us");
  CHECK(study::time_text(0.0125) == "12.5 ms");
  CHECK(study::time_text(12) == "12 s");
  CHECK(study::size_text(1 << 25) == "2^25");
  CHECK(study::size_text(8192) == "8192");
  CHECK(study::size_text(1000003) == "1.00e+06");
  CHECK(study::wrapped("a bb ccc", 6, 2) == "  a bb\n  ccc\n");
}

TEST_CASE("a summary names what is not ok, once per reason") {
  auto skipped = row(study::status::skipped), other = skipped;
  skipped.reason = other.reason = "no device";
  other.variant = "cuda";
  auto steady = row(study::status::ok);
  steady.times = study::summary{5, 1, 1, 1};
  auto const text = study::summary_text({steady, skipped, other});
  CHECK(text.find("1 ok, 2 skipped\nskipped: no device\n    odd") == 0);
  CHECK(text.find("no device", text.find("no device") + 1) == std::string::npos);
  CHECK(text.find("/cuda/cuda/double") != std::string::npos);
}

TEST_CASE("a file appears whole or not at all") {
  std::string const path = "study_output_" + std::to_string(getpid()) + ".txt";
  { study::output_file unused(path); }
  CHECK_FALSE(std::ifstream(path).good());
  {
    study::output_file file(path);
    CHECK_FALSE(std::ifstream(path).good());
    file.write("all of it\n");
  }
  std::string line;
  std::ifstream in(path);
  std::getline(in, line);
  CHECK(line == "all of it");
  std::remove(path.c_str());
  CHECK_THROWS_AS(study::output_file("/"), study::usage_error);
  CHECK_THROWS_AS(study::output_file("/no/such/folder/file"), study::usage_error);
}
