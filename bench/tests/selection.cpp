#include <selection.hpp>

#include <doctest/doctest.h>

namespace {

std::string refusal(study::options const& o) {
  try {
    study::select(study::all_cases(), o);
  } catch (study::usage_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes") {
  using sizes = std::vector<study::index_t>;
  CHECK(study::parse_sizes({"1000", "64k", "2M", "2^25"}) == sizes{1000, 65536, 2 << 20, 1 << 25});
  for (char const* bad : {"", "-1", "0", "x", "1.5", "3^2", "2^", "10kk", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(study::parse_sizes({bad}), study::usage_error);
  }
  CHECK_THROWS_WITH_AS(study::parse_sizes({"2^41"}), "the size '2^41' is above 2^40", study::usage_error);
}

TEST_CASE("a selection says in words what it cannot be") {
  study::options o;
  o.filter = "(";
  CHECK(refusal(o).find("'(' is no regular expression: ") == 0);
  o.filter = "no_such_case";
  CHECK(refusal(o).find("nothing matches") == 0);
  o.filter = "";
  o.backends = {"tpu"};
  CHECK(refusal(o).find("this build has no backend 'tpu'; it has ") == 0);
  o.backends = {};
  o.types = {"quad"};
  CHECK(refusal(o) == "this build has no type 'quad'; it has double, float, half, int32, int64, int8, uint8");
}

TEST_CASE("filters see case, backend, variant, type and size") {
  auto const cases = study::all_cases();
  study::options o;
  o.filter = "^SUM/cpu/dolmen/int32/65536$";
  auto const one = study::select(cases, o);
  REQUIRE(one.size() == 1);
  CHECK(one[0].of->info->name == "sum");
  CHECK(one[0].size == 65536);
  CHECK(one[0].variants == std::vector<int>{0});
}

TEST_CASE("types of inputs are told apart") {
  auto const cases = study::all_cases();
  study::options o;
  o.backends = {"cpu"};
  for (auto const& [type, name] : {std::pair{"half", "wmma_matmul"}, {"uint8", "histogram"}}) {
    o.types = {type};
    auto const groups = study::select(cases, o);
    REQUIRE_FALSE(groups.empty());
    bool known = false;
    for (auto const& g : groups) {
      CHECK(g.of->info->type == type);
      known = known || g.of->info->name == name;
    }
    CHECK(known);
  }
}

TEST_CASE("hidden cases must be spelled out") {
  auto const cases = study::all_cases();
  study::options o;
  o.all = true;
  for (auto const& g : study::select(cases, o)) CHECK_FALSE(g.of->info->hidden);
  o.filter = "selftest";
  CHECK_FALSE(study::select(cases, o).empty());
}

TEST_CASE("every case is complete") {
  for (auto const& b : study::all_cases()) {
    CAPTURE(b.info->name);
    CHECK(b.variants.at(0) == "dolmen");
    CHECK_FALSE(b.sizes().empty());
    CHECK_FALSE(b.info->about.empty());
    CHECK_FALSE(b.info->accuracy.empty());
    CHECK((b.info->make != nullptr));
    CHECK((b.info->kind == study::traffic::none || b.info->bytes != nullptr));
    CHECK(b.info->name.size() <= 14);  // the table's column
  }
}
