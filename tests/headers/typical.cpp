// Typical use of the library, for the warnings that its templates and macros may cause in a user's file.
#include <vector>

#include "../package/consumer/chosen.hpp"

namespace {

struct tile_sums {
  using shape = dolmen::block_shape<256>;
  struct shared {
    dolmen::tile<float, 256> partial;
  };
  dolmen::view<float const> in;
  dolmen::view<float> out;

  template <class Block>
  DOLMEN_FN void operator()(Block& block, shared& mem) const {
    auto const first = block.first_index(), count = in.size() - first;
    block.each_thread([&](dolmen::thread t) { mem.partial(t.rank) = t.rank < count ? in(first + t.rank) : 0.0f; });
    block.sync();
    auto value = block.per_thread(0.0f);
    block.each_thread([&](dolmen::thread t) {
      DOLMEN_ASSERT(t, t.rank < 256);
      value[t] = mem.partial.load(255 - t.rank);
      if (value[t] < 0) DOLMEN_PRINTF(t, "%f", double(value[t]));
    });
    float const total = block.reduce(value);
    block.each_thread(1, [&](dolmen::thread) { out(block.index.x) = total; });
    block.each_warp([&](auto& warp) {
      warp.each_lane([&](dolmen::thread t) { out.atomic(0).fetch_add(value[t]); });
      warp.sync();
    });
  }
};

template <class T>
T algorithms(chosen::stream& stream) {
  std::vector<T> const host(1000, T(1));
  auto const x = dolmen::upload(stream, host);
  chosen_buffer<T> y(stream, x.size()), z(stream, x.size());
  dolmen::copy(stream, x, y);
  dolmen::fill(stream, z, T(2));
  dolmen::transform(
      stream, x, y, z, DOLMEN_LAMBDA(T a, T b) { return a < b ? a : b; });
  dolmen::inclusive_scan(stream, x, y);
  dolmen::sort(stream, z);
  dolmen::view<T> const v = y;
  dolmen::for_each_index(
      stream, v.size(), DOLMEN_LAMBDA(dolmen::index_t i) { v(i) = T(i); });
  return T(dolmen::reduce(stream, y, dolmen::maximum())) + T(dolmen::sum(stream, z));
}

}  // namespace

int main() {
  try {
    chosen::stream stream;
    chosen_buffer<float> data(stream, 1000), sums(stream, 4);
    dolmen::launch(stream, dolmen::grid(4), tile_sums{data, sums});
    stream.synchronize();
    return algorithms<float>(stream) > 0 && algorithms<double>(stream) > 0 && algorithms<int>(stream) > 0 ? 0 : 1;
  } catch (dolmen::error const&) {
    return 2;
  }
}
