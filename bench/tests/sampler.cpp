// Samples that stand for many runs: with a clock and a workspace of the test's own, times are known.
#include <sampler.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

using study::index_t;

namespace {

struct counted_work : study::workspace {
  index_t runs = 0;
  void reset() override {}
  void run(int) override { ++runs; }
  study::verdict verify() override { return {}; }
};

/// Runs take what the test says; nothing is run.
struct timed_session : study::session {
  double run_seconds = 0, call_seconds = 0, step = 1e-9, total = 0;
  index_t runs = 0;
  int calls = 0;

  dolmen::device_properties const& properties() const override {
    static dolmen::device_properties const none;
    return none;
  }
  std::optional<int> threads() const override { return 1; }
  index_t usable_bytes() const override { return 0; }
  study::ceilings measure_ceilings() override { return {}; }
  double seconds(study::workspace&, int variant, index_t count, study::clock_kind) override {
    CHECK(variant == 3);
    ++calls, runs += count;
    double const taken = call_seconds + double(count) * run_seconds;
    total += taken;
    return taken;
  }
  double clock_resolution() const override { return step; }
};

}  // namespace

TEST_CASE("a sample is the time of one run, however many it stands for") {
  for (double run_seconds : {1e-8, 3e-6, 1e-3, 0.7}) {
    CAPTURE(run_seconds);
    timed_session s;
    s.run_seconds = run_seconds;
    counted_work w;
    study::sampler one(s, w, 3, study::clock_kind::device, 0.4);
    REQUIRE(one.calibrate());
    CHECK(one.samples().empty());
    int blocks = 0;
    for (; !one.done() && blocks < 100; ++blocks) one.take_block();
    CHECK(blocks <= std::max(study::sampler::blocks, study::sampler::fewest_samples));
    CHECK(one.samples().size() >= 5);
    CHECK(one.samples().size() <= 60);
    for (double sample : one.samples()) CHECK(sample == doctest::Approx(run_seconds));
    // A sample of many runs is long beside the clock's steps, and no longer than it has to be.
    double const length = double(one.runs_per_sample()) * run_seconds;
    CHECK(length >= 0.01);
    CHECK(length <= std::max(0.03, run_seconds));
    CHECK(s.total >= 0.4);
    CHECK(s.total <= std::max(1.0, 12 * run_seconds));
  }
}

TEST_CASE("what takes no time, or less than the clock can tell, is not measured") {
  counted_work w;
  timed_session s;
  study::sampler none(s, w, 3, study::clock_kind::device, 0.4);
  CHECK_FALSE(none.calibrate());
  CHECK(none.runs_per_sample() == index_t(1) << 22);
  s.run_seconds = 1e-12, s.step = 1e-6;
  study::sampler little(s, w, 3, study::clock_kind::device, 0.4);
  CHECK_FALSE(little.calibrate());
  s.run_seconds = 1e-9, s.step = 1e-6;  // a sample of 4 ms, 4000 steps
  study::sampler enough(s, w, 3, study::clock_kind::device, 0.4);
  CHECK(enough.calibrate());
}

TEST_CASE("a session runs what it is asked to run, and says how long all of it took") {
  auto const backend =
      std::find_if(study::built_backends().begin(), study::built_backends().end(), [](auto const& b) { return b.name == "cpu"; });
  REQUIRE((backend != study::built_backends().end()));
  auto const s = backend->open();
  struct waiting : counted_work {
    void run(int variant) override {
      counted_work::run(variant);
      auto const start = std::chrono::steady_clock::now();
      while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 1e-3) {
      }
    }
  };
  for (auto clock : {study::clock_kind::device, study::clock_kind::host})
    for (index_t runs : {1, 7, 20}) {
      CAPTURE(runs);
      waiting w;
      double const seconds = s->seconds(w, 0, runs, clock);
      CHECK(w.runs == runs);
      CHECK(seconds >= 0.999e-3 * double(runs));
      CHECK(seconds < 1);
    }
}
