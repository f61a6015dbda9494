#include <estimate.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace {

using study::heading;

// Names of cases that are in the tour, for the reference types and sizes.
std::set<std::string> names_in_tour() {
  std::set<std::string> names;
  for (auto const& b : study::all_cases())
    if (b.info->tour.under != heading::none) names.insert(b.info->name);
  return names;
}

// What --all shows and the tour leaves out, as others show the like.
std::set<std::string> const left_out = {"relu",          "relu_transfers", "transform_1",  "transform_3",
                                        "counts_skewed", "neighbours_7",   "neighbours_9", "sort_by_key"};

// The headers of algorithms/ and the case that shows each; empty for those that hold no algorithm of their own, or one
// without a case.
std::map<std::string, std::string> const case_of_header = {
    {"copy", "copy"},
    {"element_types", ""},
    {"fields", "split_fields"},
    {"fill", "fill"},
    {"gemm", "gemm"},
    {"histogram", "byte_counts"},
    {"initial", ""},
    {"iota", ""},
    {"layer_norm", "layer_norm"},
    {"linear", "library_axpy"},
    {"random", "fill_uniform"},
    {"random_numbers", ""},
    {"reduce", "argmin"},
    {"reduce_rows", "row_sums"},
    {"reducer_types", ""},
    {"reducers", ""},
    {"rows", ""},
    {"scan", "inclusive_scan"},
    {"select", "select"},
    {"softmax", "softmax"},
    {"sort", "sort"},
    {"stencil", "neighbours_5"},
    {"sum", "sum"},
    {"transform", "transform_2"},
    {"transform_reduce", ""},
    {"transpose", "transposition"},
};

}  // namespace

TEST_CASE("every case is in the tour or left out on purpose, and in one type only") {
  auto const names = names_in_tour();
  std::map<std::pair<std::string, std::string>, int> rows;
  for (auto const& b : study::all_cases()) {
    CAPTURE(b.info->name);
    if (b.info->hidden) continue;
    CHECK(names.count(b.info->name) + left_out.count(b.info->name) == 1);
    if (b.info->tour.under == heading::none) continue;
    CHECK(b.tour_size() > 0);
    CHECK((++rows[{b.info->name, b.backend}]) == 1);
    CHECK_FALSE(std::string(study::title_of(b.info->tour.under)).empty());
  }
}

TEST_CASE("every algorithm is in the tour") {
  auto const names = names_in_tour();
  std::istringstream headers(STUDY_ALGORITHM_HEADERS);
  int count = 0;
  for (std::string header; std::getline(headers, header, ','); ++count) {
    CAPTURE(header);
    auto const found = case_of_header.find(header);
    REQUIRE((found != case_of_header.end()));  // a new header: add its case to the study, and both to the map above
    if (!found->second.empty()) CHECK(names.count(found->second) == 1);
  }
  CHECK(count == int(case_of_header.size()));
}

TEST_CASE("the tour is what runs unless more is asked for") {
  auto const cases = study::all_cases();
  study::options o;
  auto const tour = study::select(cases, o);
  CHECK(tour.size() >= 40);
  CHECK(std::is_sorted(tour.begin(), tour.end(),
                       [](auto const& a, auto const& b) { return a.of->info->tour.under < b.of->info->tour.under; }));
  CHECK(tour.front().of->info->name == "vector_add");
  for (auto const& g : tour) CHECK(g.size == g.of->tour_size());
  o.all = true;
  auto const all = study::select(cases, o);
  CHECK(all.size() > 3 * tour.size());
  o.all = false;
  o.types = {"double"};
  CHECK_FALSE(study::select(cases, o).empty());  // which the tour does not have
  CHECK_FALSE(o.tour());
  CHECK(o.budget() > study::options().budget());
  o.types = {};
  o.filter = "^relu/";
  CHECK_FALSE(study::select(cases, o).empty());
  o.filter = "";
  o.backends = {"cpu"};
  CHECK(o.tour());
}

TEST_CASE("an estimate grows with what there is to do") {
  auto const cases = study::all_cases();
  study::options o;
  o.filter = "^vector_add/cpu/";
  auto const groups = study::select(cases, o);
  REQUIRE(groups.size() == 2);
  double const small = study::expected_seconds(groups[0], o, 2), large = study::expected_seconds(groups[1], o, 2);
  CHECK(small > 2 * o.budget());
  CHECK(large > small);
  CHECK(study::expected_seconds(groups[1], o, 16) < large);
  o.repetitions = 3;
  CHECK(study::expected_seconds(groups[0], o, 2) > 2.9 * small);
}

TEST_CASE("the time left follows what groups really take") {
  study::countdown left({1, 1, 2});
  CHECK(left.total() == 4);
  CHECK(left.seconds_left(0) == doctest::Approx(4));
  left.step();
  CHECK(left.seconds_left(1) == doctest::Approx(3));
  CHECK(left.seconds_left(3) > 4);
  left.step();
  left.step();
  CHECK(left.seconds_left(9) == 0);
  CHECK(study::countdown({}).seconds_left(1) == 0);
}
