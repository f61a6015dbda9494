#include <statistics.hpp>

#include <doctest/doctest.h>
#include <affinity.hpp>

TEST_CASE("order statistics") {
  auto const s = study::summarize({5, 1, 3, 2, 4});
  CHECK(s.samples == 5);
  CHECK(s.median == 3);
  CHECK(s.p05 == doctest::Approx(1.2));
  CHECK(s.p95 == doctest::Approx(4.8));
}

TEST_CASE("order statistics of few samples") {
  CHECK(study::summarize({}).samples == 0);
  auto const one = study::summarize({7});
  CHECK(one.median == 7);
  CHECK(one.p05 == 7);
  CHECK(one.p95 == 7);
  CHECK(study::summarize({2, 4}).median == 3);
}

TEST_CASE("ranges of cores") {
  CHECK(study::ranges_text({}).empty());
  CHECK(study::ranges_text({3}) == "3");
  CHECK(study::ranges_text({0, 1, 2, 3, 8, 10, 11}) == "0-3,8,10-11");
  CHECK_FALSE(study::allowed_cores().empty());
}
