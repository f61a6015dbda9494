// Host memory for inputs and results: not initialised by its owner, so that the threads that fill it touch it first.
#pragma once

#include <dolmen/core/types.hpp>
#include <memory>
#include <span>

namespace study {

using dolmen::index_t;

template <class T>
class host_array {
 public:
  host_array() = default;
  explicit host_array(index_t size) : data_(size ? std::make_unique_for_overwrite<T[]>(std::size_t(size)) : nullptr), size_(size) {}

  index_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  T const* data() const { return data_.get(); }
  T& operator[](index_t i) { return data_[std::size_t(i)]; }
  T const& operator[](index_t i) const { return data_[std::size_t(i)]; }
  std::span<T> span() { return {data_.get(), std::size_t(size_)}; }
  std::span<T const> span() const { return {data_.get(), std::size_t(size_)}; }

 private:
  std::unique_ptr<T[]> data_;
  index_t size_ = 0;
};

}  // namespace study
