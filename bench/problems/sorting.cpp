// Random keys in ascending order: none is less than the one before, and all of them are there, by a sum of hashes.
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

template <class T>
std::uint64_t hash_of(T value) {
  return random_bits(7, static_cast<index_t>(static_cast<std::uint32_t>(value)));
}

template <class T>
struct sorting : problem<T> {
  std::uint64_t hashes = 0;

  explicit sorting(index_t count) {
    this->n = this->out_size = count;
    this->in.push_back(random_array<T>(1, count));
    hashes = sum_of_hashes(this->in[0].data());
  }
  std::uint64_t sum_of_hashes(T const* data) const {
    std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (index_t i = 0; i < this->n; ++i) sum += hash_of(data[i]);
    return sum;
  }

  verdict check(std::span<T const> out) const override {
    index_t wrong = sum_of_hashes(out.data()) != hashes;
#pragma omp parallel for reduction(+ : wrong)
    for (index_t i = 1; i < this->n; ++i) wrong += out[std::size_t(i)] < out[std::size_t(i - 1)];
    return {double(wrong), 0};
  }
};

}  // namespace

template <class T>
problem_ptr sorting_problem(index_t n) {
  return std::make_shared<sorting<T>>(n);
}
template problem_ptr sorting_problem<std::int32_t>(index_t);

}  // namespace study
