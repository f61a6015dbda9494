// Hidden cases that misbehave, so that tests see what the study does with them: they run only if the filter spells out
// "selftest".
#include "../arrays.hpp"

namespace study {
namespace cases {

template <class B, class T>
struct wrong {
  using data = arrays<B, T>;
  static void portable(data& d) { dolmen::copy(d.stream, d.in[0], d.out); }
  /// Leaves the last element unwritten.
  static void by_hand(data& d) { dolmen::copy(d.stream, d.input(0).slice(0, d.n - 1), d.out.view().slice(0, d.n - 1)); }
  static auto variants() { return with_twin<wrong>("wrong"); }
};

template <class B, class T>
struct throwing {
  using data = arrays<B, T>;
  static void portable(data&) { throw std::runtime_error("thrown, \"on purpose\""); }
  static auto variants() { return variants_of<data>{{"dolmen", portable}}; }
};

}  // namespace cases

void add_selftest_cases(registry& r) {
  double (*const two_arrays)(double) = [](double n) { return 2 * sizeof(float) * n; };
  case_info info{.name = "selftest_wrong",
                 .type = {},
                 .about = "copy; the variant 'wrong' forgets the last element",
                 .accuracy = "exact",
                 .kind = traffic::copy,
                 .bytes = two_arrays,
                 .flops = nullptr,
                 .footprint = two_arrays,
                 .cpu_sizes = {1000},
                 .gpu_sizes = {1000},
                 .make = copy_problem<float>,
                 .clock = clock_kind::device,
                 .hidden = true};
  add_case<cases::wrong, float>(r, info);
  info.name = "selftest_error";
  info.about = "throws";
  add_case<cases::throwing, float>(r, info);
}

}  // namespace study
