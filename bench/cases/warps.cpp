// warp_sum, block_scan: sums by warp operations and packs.
#include "../../examples/kernels/block_scan.hpp"
#include "../../examples/kernels/warp_sum.hpp"
#include "../arrays.hpp"

namespace study {
namespace {

/// One float to sum into, and the scratch of a sum in one launch. The ticket is set once: every run leaves it at zero.
template <class B>
class sum_arrays : public arrays<B, float> {
 public:
  static constexpr index_t most_blocks = 1 << 14;
  dolmen::buffer<float, B> partial;
  dolmen::buffer<std::uint32_t, B> ticket;

  sum_arrays(typename B::stream const& s, problem_base const& p) : arrays<B, float>(s, p), partial(s, most_blocks), ticket(s, 1) {
    dolmen::copy(s, std::vector<std::uint32_t>{0}, ticket);
  }
  void reset() {
    arrays<B, float>::reset();
    peers::poison(this->stream, partial.data(), most_blocks * index_t(sizeof(float)));
  }
};

}  // namespace

namespace cases {

template <class B, class T>
struct warp_sum {
  using data = sum_arrays<B>;
  static void portable(data& d) {
    using kernel = kernels::warp_sum;
    static index_t const most = dolmen::min(dolmen::persistent_blocks<kernel>(d.stream), data::most_blocks);
    dolmen::launch(d.stream, kernel::blocks(d.n, most), kernel{d.input(0), d.partial, d.ticket, d.out});
  }
  static void by_hand(data& d) {
    peers::warp_sum(d.stream, d.in_data(0), d.out.data(), d.partial.data(), data::most_blocks, d.ticket.data(), d.n);
  }
  static auto variants() {
    auto list = with_twin<warp_sum>();
    if constexpr (!on_cpu<B>) list.push_back({"cub", [](data& d) { peers::sum(d.stream, d.in_data(0), d.out.data(), d.n); }});
    return list;
  }
};

template <class B, class T>
struct block_scan {
  using data = arrays<B, T>;
  static void portable(data& d) {
    dolmen::launch(d.stream, kernels::block_scan::blocks(d.n), kernels::block_scan{d.input(0), d.out.view()});
  }
  static void by_hand(data& d) { peers::block_scan(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<block_scan>(); }
};

}  // namespace cases

void add_warp_cases(registry& r) {
  double (*const read_once)(double) = [](double n) { return sizeof(float) * n; };
  case_info info{.name = "warp_sum",
                 .type = {},
                 .about = "one sum in one launch, by packs and shuffles",
                 .accuracy = "64 + log2(n) roundings of the sum of magnitudes",
                 .kind = traffic::read,
                 .bytes = read_once,
                 .flops = [](double n) { return n; },
                 .footprint = read_once,
                 .cpu_sizes = cpu_lengths<float>(),
                 .gpu_sizes = gpu_lengths<float>(),
                 .tour = tour_of_arrays<float>(heading::kernels),
                 .make = sum_problem<float>};
  add_case<cases::warp_sum, float>(r, info);
  info.name = "block_scan";
  info.about = "inclusive sums within every 1024 elements, by 256 threads";
  info.accuracy = "19 roundings of the sum of magnitudes so far";
  info.kind = traffic::copy;
  info.bytes = info.footprint = [](double n) { return 2 * sizeof(float) * n; };
  info.make = block_scan_problem;
  add_case<cases::block_scan, float>(r, info);
}

}  // namespace study
