// The negative ones of random numbers: exact.
#include <algorithm>
#include <iterator>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

template <class T>
struct selection : problem<T> {
  std::vector<T> expected;

  explicit selection(index_t count) {
    this->n = this->out_size = count;
    this->in.push_back(random_array<T>(1, count));
    std::copy_if(this->in[0].data(), this->in[0].data() + count, std::back_inserter(expected), [](T v) { return v < 0; });
  }

  verdict check(std::span<T const> out) const override {
    double wrong = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) wrong += out[i] != expected[i];
    return {wrong, 0};
  }
};

}  // namespace

template <class T>
problem_ptr selection_problem(index_t n) {
  return std::make_shared<selection<T>>(n);
}
template problem_ptr selection_problem<float>(index_t);
template problem_ptr selection_problem<std::int32_t>(index_t);

}  // namespace study
