// block_sum (a portable kernel with a barrier) and sum (native bodies).
#include "../../examples/kernels/block_sum.hpp"
#include "../arrays.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct block_sum {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::launch(d.stream, kernels::block_sum::blocks(d.n), kernels::block_sum{d.input(0), d.out.view()}); }
  static void by_hand(data& d) { peers::block_sum(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<block_sum>(); }
};

template <class B, class T>
struct sum {
  using data = arrays<B, T, dolmen::sum_t<T>>;
  static void portable(data& d) { dolmen::sum(d.stream, d.input(0), d.out); }
  static void by_hand(data& d) { peers::sum(d.stream, d.in_data(0), d.out.data(), d.n); }
  static auto variants() { return with_twin<sum>(peers::sum_name<B>); }
};

}  // namespace cases

namespace {

template <class T>
case_info sum_info(char const* accuracy) {
  return {.name = "sum",
          .type = {},
          .about = "the library's sum of all elements",
          .accuracy = accuracy,
          .kind = traffic::read,
          .bytes = [](double n) { return sizeof(T) * n; },
          .flops = [](double n) { return n; },
          .footprint = [](double n) { return sizeof(T) * n; },
          .cpu_sizes = cpu_lengths<T>(),
          .gpu_sizes = gpu_lengths<T>(),
          .make = sum_problem<T>};
}

}  // namespace

void add_sum_cases(registry& r) {
  auto blocks = sum_info<float>("eight roundings of the sum of magnitudes");
  blocks.name = "block_sum";
  blocks.about = "one sum per 256 elements, a tree with barriers";
  blocks.bytes = blocks.footprint = [](double n) { return sizeof(float) * (n + n / 256); };
  blocks.make = block_sum_problem<float>;
  add_case<cases::block_sum, float>(r, blocks);
  add_case<cases::sum, float>(r, sum_info<float>("64 + log2(n) roundings of the sum of magnitudes"));
  add_case<cases::sum, double>(r, sum_info<double>("64 + log2(n) roundings of the sum of magnitudes"));
  auto integers = sum_info<std::int32_t>("exact, in 64 bits");
  integers.flops = nullptr;
  add_case<cases::sum, std::int32_t>(r, integers);
}

}  // namespace study
