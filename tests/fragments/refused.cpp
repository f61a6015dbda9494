// Leading dimensions and origins that fragments do not take.
#include "../backends.hpp"

#include <dolmen/core/fragment.hpp>

#include "../support/data.hpp"
#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_refused {

struct copies_a_fragment {
  using shape = block_shape<32>;
  view<float const, 2> in;
  view<float, 2> out;
  int column;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      fragment<Block, accumulator<half>> f;
      warp.load(f, in, 0, column);
      warp.store(out, 0, 0, f);
    });
  }
};

}  // namespace test_refused

TEST_CASE("fragments: views that do not fit are refused before the launch") {
  alignas(32) static unsigned char memory[4096];
  auto const at = [](auto element, index_t rows, index_t columns, index_t stride, index_t offset = 0) {
    using T = decltype(element);
    return view<T, 2>(reinterpret_cast<T*>(memory) + offset, {{rows, columns}}, {{stride}});
  };
  require_fragments_fit(at(half(), 16, 16, 24), "a");
  require_fragments_fit(at(half(), 16, 16, 16, 8), "a");
  require_fragments_fit(at(float(), 16, 16, 20, 4), "c");
  require_fragments_fit(at(std::int8_t(), 16, 16, 32, 16), "a");
  require_fragments_fit(at(double(), 8, 4, 6, 2), "a");
  require_fragments_fit(view<half, 2>(), "nothing");
  require_fragments_fit(at(half(), 0, 16, 16, 1), "empty");

  using wrong = invalid_argument;
  CHECK(complaint<wrong>({"fragments of a", "leading dimension is 20", "multiple of 8", "16 bytes"},
                         [&] { require_fragments_fit(at(half(), 16, 16, 20), "a"); }) == "");
  CHECK(complaint<wrong>({"fragments of b", "leading dimension is 24", "multiple of 16"},
                         [&] { require_fragments_fit(at(std::uint8_t(), 16, 16, 24), "b"); }) == "");
  CHECK(complaint<wrong>({"fragments of c", "leading dimension is 18", "multiple of 4"},
                         [&] { require_fragments_fit(at(float(), 16, 16, 18), "c"); }) == "");
  CHECK(complaint<wrong>({"leading dimension is 5", "multiple of 2"}, [&] { require_fragments_fit(at(double(), 8, 4, 5), "c"); }) == "");
  CHECK(complaint<wrong>({"fragments of c", "start at a multiple of 16 bytes", "starts 8 bytes behind"},
                         [&] { require_fragments_fit(at(float(), 16, 16, 16, 2), "c"); }) == "");
  CHECK(complaint<wrong>({"starts 2 bytes behind"}, [&] { require_fragments_fit(at(half(), 16, 16, 16, 1), "a"); }) == "");
}

#if DOLMEN_HAS_CPU || DOLMEN_HAS_CHECK
TEST_CASE_TEMPLATE("fragments: in a kernel an assertion names the rule on the CPU, and the next launch works", B, DOLMEN_TEST_CPU_BACKEND) {
  typename B::stream s;
  auto const values = testing::whole_values<float>(16 * 20);
  guarded<float, B, 2> in(s, {{16, 20}}, values), odd(s, {{16, 20}}, values, {0, 1}), out(s, {{16, 16}}),
      odd_out(s, {{16, 16}}, testing::place{2, 0});
  using kernel = test_refused::copies_a_fragment;
  auto const fails = [&](kernel const& k) {
    try {
      launch(s, grid(1), k);
    } catch (launch_error const& e) {
      return std::string(e.what());
    }
    return std::string("nothing was thrown");
  };
  for (int round = 0; round < 2; ++round) {
    for (auto const& bad :
         {kernel{in.const_view(), out.view(), 2}, kernel{odd.const_view(), out.view(), 0}, kernel{in.const_view(), odd_out.view(), 0}}) {
      auto const text = fails(bad);
      CAPTURE(text);
      CHECK(text.find("a fragment starts at a multiple of 16 bytes, as do its rows") != std::string::npos);
      CHECK(text.find("block (0, 0, 0)") != std::string::npos);
    }
    CHECK(out.intact());
    launch(s, grid(1), kernel{in.const_view(), out.view(), 4});
    auto const found = out.values();
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) REQUIRE(found[std::size_t(i * 16 + j)] == values[std::size_t(i * 20 + 4 + j)]);
  }
}
#endif
