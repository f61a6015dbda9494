#include <interrupt.hpp>
#include <runner.hpp>

#include <doctest/doctest.h>

#include <csignal>

namespace {

std::vector<study::result> run(std::string const& filter, std::vector<study::index_t> sizes = {}, int repetitions = 1) {
  auto const cases = study::all_cases();
  study::options o;
  o.filter = filter;
  o.backends = {"cpu"};
  o.sizes = std::move(sizes);
  o.seconds = 0.001;
  o.repetitions = repetitions;
  study::runner runner(o);
  std::vector<study::result> all;
  for (auto const& g : study::select(cases, o)) {
    if (all.empty()) runner.open({g});
    auto const rows = runner.run(g);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

}  // namespace

TEST_CASE("a wrong result fails, has no rate, and spoils nothing else") {
  auto const rows = run("selftest_wrong");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].status == study::status::ok);
  CHECK(rows[0].verified == true);
  CHECK(rows[0].times->samples >= 5);
  CHECK(rows[1].status == study::status::failed);
  CHECK(rows[1].verified == false);
  CHECK_FALSE(rows[1].times);
  CHECK_FALSE(rows[1].bytes_per_s());
  CHECK(study::exit_status(rows) == 1);
}

TEST_CASE("repetitions add their samples") {
  auto const rows = run("^selftest_wrong", {}, 3);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].repetition_medians.size() == 3);
  CHECK(rows[0].times->samples >= 3 * 5);
  CHECK(rows[1].status == study::status::failed);
  CHECK(rows[1].repetition_medians.empty());
  CHECK(rows[0].threads.value() >= 1);
  CHECK(rows[0].clock_step > 0);
}

TEST_CASE("an interrupted run begins no further variant") {
  study::interrupt_guard const guard;
  CHECK_FALSE(study::interrupted());
  CHECK(run("^selftest_wrong").size() == 2);
  std::raise(SIGTERM);
  CHECK(study::interrupted());
  CHECK(std::string(study::interrupt_name()) == "SIGTERM");
  CHECK(run("^selftest_wrong").empty());
}

TEST_CASE("what a case throws is its row's status") {
  auto const rows = run("selftest_error");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == study::status::error);
  CHECK(rows[0].reason == "thrown, \"on purpose\"");
  CHECK(study::exit_status(rows) == 1);
}

TEST_CASE("too large is skipped") {
  auto const rows = run("^fill/cpu/dolmen", {study::index_t(1) << 40});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].status == study::status::skipped);
  CHECK(rows[0].reason.find("too large: needs 4.00 TiB") == 0);
  CHECK_FALSE(rows[0].times);
}

TEST_CASE("exit statuses") {
  study::result ok, skipped, asked_for;
  skipped.status = asked_for.status = study::status::skipped;
  asked_for.asked_for = true;
  CHECK(study::exit_status({ok}) == 0);
  CHECK(study::exit_status({ok, skipped}) == 0);
  CHECK(study::exit_status({skipped}) == 1);
  CHECK(study::exit_status({ok, asked_for}) == 1);
  CHECK(study::exit_status({}) == 1);
}

TEST_CASE("hot, mixed, cold, and rates above the ceiling") {
  CHECK(std::string(study::cache_state(25, 100)) == "hot");
  CHECK(std::string(study::cache_state(26, 100)) == "mixed");
  CHECK(std::string(study::cache_state(101, 100)) == "mixed");
  CHECK(std::string(study::cache_state(400, 100)) == "mixed");
  CHECK(std::string(study::cache_state(401, 100)) == "cold");
  study::result r;
  r.bytes = 104;
  r.times = study::summary{5, 1, 1, 1};
  r.ceiling = 100;
  r.cache = "cold";
  CHECK(r.above_ceiling());
  r.cache = "mixed";
  CHECK_FALSE(r.above_ceiling());
  r.cache = "cold";
  r.bytes = 102;
  CHECK_FALSE(r.above_ceiling());
}
