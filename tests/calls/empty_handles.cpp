// A handle that refers to nothing: an error with the call's name, from every call.
#include <string>
#include <utility>

#include "../support/errors.hpp"
#include "calls.hpp"

using namespace dolmen;
using testing::world;

namespace {

/// The check backend reports such handles too; here they are meant.
struct reports_expected {
#if DOLMEN_HAS_CHECK
  check::expect_findings quiet;
  ~reports_expected() { check::take_findings(); }
#endif
};

/// Empty if the call throws invalid_argument that begins with the call's name and has the part.
template <class B>
std::string refusal(testing::call<B> const& c, world<B>& w, char const* part) {
  try {
    c.run(w);
  } catch (invalid_argument const& e) {
    std::string const text = e.what();
    if (text.rfind(std::string(c.name) + ": ", 0) == 0 && text.find(part) != std::string::npos) return "";
    return text;
  } catch (std::exception const& e) {
    return std::string("another error: ") + e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE_TEMPLATE("handles: a null stream, and one that was moved from", B, DOLMEN_TEST_BACKENDS) {
  [[maybe_unused]] reports_expected const quiet;
  for (auto const& c : testing::all_calls<B>()) {
    std::string const name = c.name;
    CAPTURE(name);
    {
      world<B> w;
      typename B::stream const kept = w.s;
      w.s = typename B::stream(nullptr);
      CHECK(refusal(c, w, "the stream is null or was moved from") == "");
      w.s = kept;  // to be assigned to
      c.run(w);
    }
    world<B> w;
    auto kept = std::move(w.s);
    CHECK_FALSE(bool(w.s));
    CHECK(refusal(c, w, "the stream is null or was moved from") == "");
    w.s = std::move(kept);
    c.run(w);
  }
}

TEST_CASE_TEMPLATE("handles: a buffer that was moved from", B, DOLMEN_TEST_BACKENDS) {
  [[maybe_unused]] reports_expected const quiet;
  for (auto const& c : testing::all_calls<B>())
    for (int number = 0; number < testing::buffers; ++number) {
      if ((c.uses >> number & 1) == 0) continue;
      std::string const name = c.name;
      CAPTURE(name);
      CAPTURE(number);
      world<B> w;
      w.empty_buffer(number);
      CHECK(refusal(c, w, "the buffer owns nothing") == "");
    }
}

TEST_CASE_TEMPLATE("handles: buffers of no elements are no empty handles", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  buffer<float, B> none(s, 0), also(s, 0), result(s, 1);
  fill(s, none, 1.0f);
  copy(s, none, also);
  sort(s, none);
  sum(s, none, result);
  CHECK(download(s, result)[0] == 0);
  view<float const> const seen = none;
  CHECK(seen.empty());
}

TEST_CASE_TEMPLATE("handles: a buffer that owns nothing, where a view is wanted", B, DOLMEN_TEST_BACKENDS) {
  [[maybe_unused]] reports_expected const quiet;
  typename B::stream s;
  buffer<float, B> gone(s, 10);
  buffer<float, B> const kept = std::move(gone);
  CHECK(gone.view().empty());
  CHECK_THROWS_AS(static_cast<void>(static_cast<view<float>>(gone)), invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(static_cast<view<float const>>(std::as_const(gone))), invalid_argument);
  buffer<float, B> freed(s, 10);
  freed.free();
  CHECK_THROWS_AS(fill(s, freed, 1.0f), invalid_argument);
  CHECK_THROWS_AS(fill(s, buffer<float, B>(), 1.0f), invalid_argument);
  CHECK_THROWS_AS((layer_norm(s, kept, freed)), invalid_argument);
  CHECK_THROWS_AS((void)fields<&testing::pair_of_values::x>(freed), invalid_argument);
  gone = buffer<float, B>(s, 10);
  fill(s, gone, 2.0f);
  CHECK(sum(s, gone) == 20);
}

TEST_CASE_TEMPLATE("handles: an event that was moved from", B, DOLMEN_TEST_BACKENDS) {
  using testing::complaint;
  [[maybe_unused]] reports_expected const quiet;
  typename B::stream s;
  typename B::event gone;
  gone.record(s);
  typename B::event kept = std::move(gone);
  CHECK(complaint<invalid_argument>({"record: the event was moved from"}, [&] { gone.record(s); }) == "");
  CHECK(complaint<invalid_argument>({"query: the event was moved from"}, [&] { (void)gone.query(); }) == "");
  CHECK(complaint<invalid_argument>({"wait: the event was moved from"}, [&] { gone.wait(); }) == "");
  CHECK(complaint<invalid_argument>({"wait: the event was moved from"}, [&] { s.wait(gone); }) == "");
  CHECK(complaint<invalid_argument>({"elapsed: the event was moved from"}, [&] { (void)elapsed(gone, kept); }) == "");
  CHECK(complaint<invalid_argument>({"elapsed: the event was moved from"}, [&] { (void)elapsed(kept, gone); }) == "");
  gone = std::move(kept);
  gone.wait();
  CHECK(gone.query());
  CHECK_THROWS_AS(kept.wait(), invalid_argument);
  kept = typename B::event();
  CHECK(kept.query());  // never recorded
}

TEST_CASE_TEMPLATE("handles: streams that refer to nothing are equal to each other alone", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s, t;
  auto const kept = std::move(t);
  CHECK(t == typename B::stream(nullptr));
  CHECK_FALSE(t == s);
  CHECK_FALSE(t == kept);
}

#if DOLMEN_HAS_CHECK
TEST_CASE("handles: the check backend reports them with their line") {
  check::expect_findings const quiet;
  buffer<int, check::backend> gone;
  check::stream s;
  int const line = __LINE__ + 1;
  CHECK_THROWS_AS(fill(s, gone, 1), invalid_argument);
  auto const found = check::take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == check::kind::bad_handle);
  CHECK(found[0].first.line == line);
  CHECK(found[0].kernel == "fill");
}
#endif
