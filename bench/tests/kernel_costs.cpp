#include <report.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace {

study::kernel_cost cost(std::string const& name, int registers) {
  return {.kernel = name, .registers = registers, .local_bytes = 8, .shared_bytes = 56832, .threads = 256, .resident_blocks = 2};
}

}  // namespace

TEST_CASE("kernels are joined by name, and neither side loses one") {
  auto const pairs = study::joined({cost("b", 40), cost("ours", 41)}, {cost("a", 30), cost("b", 31)});
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].kernel == "a");
  CHECK_FALSE(pairs[0].portable);
  CHECK(pairs[1].portable->registers == 40);
  CHECK(pairs[1].twin->registers == 31);
  CHECK(pairs[2].kernel == "ours");
  CHECK_FALSE(pairs[2].twin);
}

TEST_CASE("the facts as a table") {
  auto huge = cost("a_kernel_with_a_name_of_22", 255);
  huge.local_bytes = 123456;
  huge.shared_bytes = 232448;
  auto const text = study::kernels_text(study::joined({cost("b", 40)}, {cost("b", 31), huge}));
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= study::table::width);
  CHECK(count == 5);
  CHECK(text.find("b                        40      31        8       8    56832   56832        2       2\n") != std::string::npos);
  CHECK(text.find("  255  ") != std::string::npos);
  CHECK(text.find("  -     255") != std::string::npos);
}

TEST_CASE("the facts as JSON") {
  auto const pairs = study::joined({cost("b", 40)}, {cost("a", 30), cost("b", 31)});
  auto const facts = nlohmann::json::parse(study::kernels_json({}, pairs));
  CHECK(facts["schema"] == "dolmen-study-facts/1");
  CHECK(facts["kernels"][0]["kernel"] == "a");
  CHECK(facts["kernels"][0]["dolmen"].is_null());
  auto const& both = facts["kernels"][1];
  CHECK(both["dolmen"]["registers"] == 40);
  CHECK(both["cuda"]["registers"] == 31);
  CHECK(both["cuda"]["local_bytes"] == 8);
  CHECK(both["cuda"]["shared_bytes"] == 56832);
  CHECK(both["cuda"]["threads"] == 256);
  CHECK(both["cuda"]["resident_blocks"] == 2);
  CHECK(nlohmann::json::parse(study::to_json({}, {}, {}, pairs))["kernels"] == facts["kernels"]);
  CHECK(nlohmann::json::parse(study::to_json({}, {}, {}))["kernels"].empty());
}
