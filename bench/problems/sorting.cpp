// Random keys in ascending order: none is less than the one before, and all of them are there, by a sum of hashes.
#include <cstring>
#include <memory>

#include "../problem.hpp"
#include "random.hpp"

namespace study {
namespace {

template <class T>
std::uint64_t hash_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return random_bits(7, static_cast<index_t>(bits >> 1)) + (bits & 1);
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

/// Keys with their indices. The sort is stable: keys and indices together ascend, so that no index can be there twice.
struct pair_sorting : problem<std::int32_t> {
  explicit pair_sorting(index_t count) {
    n = count;
    out_size = 2 * count;
    in.push_back(random_array<std::int32_t>(1, count));
    in.emplace_back(count);
    for (index_t i = 0; i < count; ++i) in[1].data()[i] = std::int32_t(i);
  }

  verdict check(std::span<std::int32_t const> out) const override {
    index_t wrong = 0;
    std::int32_t const *const keys = out.data(), *const indices = keys + n, *const before = in[0].data();
#pragma omp parallel for reduction(+ : wrong)
    for (index_t i = 0; i < n; ++i) {
      bool const known = indices[i] >= 0 && indices[i] < n && keys[i] == before[indices[i]];
      bool const ascends = i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && indices[i - 1] < indices[i]);
      wrong += !known || !ascends;
    }
    return {double(wrong), 0};
  }
};

}  // namespace

template <class T>
problem_ptr sorting_problem(index_t n) {
  return std::make_shared<sorting<T>>(n);
}
template problem_ptr sorting_problem<std::int32_t>(index_t);
template problem_ptr sorting_problem<std::int64_t>(index_t);
template problem_ptr sorting_problem<std::uint8_t>(index_t);
template problem_ptr sorting_problem<float>(index_t);
template problem_ptr sorting_problem<double>(index_t);

problem_ptr pair_sorting_problem(index_t n) { return std::make_shared<pair_sorting>(n); }

}  // namespace study
