// Shared memory below and above 48 KB, to the limit, and beyond it.
#include "../backends.hpp"

#include "../support/errors.hpp"
#include "../support/guarded.hpp"

using namespace dolmen;
using testing::complaint;
using testing::guarded;

namespace test_shared {

/// Writes all of its shared memory, and after a barrier adds up what others wrote.
template <int Bytes>
struct uses {
  using shape = block_shape<128>;
  static constexpr int words = Bytes / 4;
  struct shared {
    tile<int, words> data;
  };
  view<std::int64_t> out;  // one per block

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_index(words, [&](int i) { mem.data(i) = i + block.index.x; });
    block.sync();
    auto sum = block.per_thread(std::int64_t(0));
    block.each_thread([&](thread t) {
      for (int i = words - 1 - t.rank; i >= 0; i -= Block::size) sum[t] += mem.data.load(i);
    });
    for (int r = 0; r < Block::size; ++r) {
      auto const part = block.uniform(sum, r);
      block.each_thread(1, [&](thread) {
        std::int64_t const before = r == 0 ? 0 : out.load(block.index.x);
        out(block.index.x) = before + part;
      });
    }
  }
};

template <int Bytes, class B>
void run(typename B::stream const& s) {
  CAPTURE(Bytes);
  guarded<std::int64_t, B> out(s, 5);
  launch(s, grid(5), uses<Bytes>{out.view()});
  auto const seen = out.values();
  std::int64_t const n = Bytes / 4;
  for (int b = 0; b < 5; ++b) CHECK(seen[std::size_t(b)] == n * (n - 1) / 2 + n * b);
  CHECK(out.intact());
}

struct alignment {
  using shape = block_shape<32>;
  struct shared {
    char odd;
    tile<dolmen::array<double, 4>, 3> wide;
  };
  view<std::int64_t> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    block.each_thread(1, [&](thread) { out(0) = reinterpret_cast<std::uintptr_t>(&mem) % alignof(shared); });
  }
};

}  // namespace test_shared

TEST_CASE_TEMPLATE("shared memory: below and above 48 KB", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  test_shared::run<128, B>(s);
  test_shared::run<40 * 1024, B>(s);
  test_shared::run<49 * 1024, B>(s);
  test_shared::run<64 * 1024, B>(s);
  test_shared::run<40 * 1024, B>(s);
  test_shared::run<128, B>(s);
}

TEST_CASE_TEMPLATE("shared memory: all sizes up to the device's limit", B, DOLMEN_TEST_BACKENDS) {
  index_t limit = 228 * 1024;  // a CPU has it
  if constexpr (!is_cpu<B>) limit = *typename B::device().properties().shared_per_block_optin;
  typename B::stream s;
  int ran = 0;
  auto const run_if_fits = [&]<int... KiB>(std::integer_sequence<int, KiB...>) {
    ((KiB * 1024 <= limit && (test_shared::run<KiB * 1024, B>(s), ++ran)), ...);
  };
  run_if_fits(std::integer_sequence<int, 63, 96, 100, 160, 200>());
  CHECK(ran >= 1);  // every supported GPU has 64 KB
}

TEST_CASE_TEMPLATE("shared memory: members are aligned", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int64_t, B> out(s, 1);
  launch(s, grid(1), test_shared::alignment{out.view()});
  CHECK(out.values()[0] == 0);
}

TEST_CASE_TEMPLATE("shared memory: beyond the device's limit", B, DOLMEN_TEST_BACKENDS) {
  typename B::stream s;
  guarded<std::int64_t, B> out(s, 5);
  constexpr int too_much = 1024 * 1024;
  if constexpr (is_cpu<B>) {
    test_shared::run<too_much, B>(s);  // a CPU has it
  } else {
    std::string const limit = std::to_string(*typename B::device().properties().shared_per_block_optin);
    CHECK(complaint<launch_error>({"test_shared::uses<1048576>", "1048576 bytes", limit.c_str()},
                                  [&] { launch(s, grid(5), test_shared::uses<too_much>{out.view()}); }) == "");
    s.synchronize();
    CHECK(out.unchanged());
  }
  test_shared::run<64 * 1024, B>(s);  // the next one works
}
