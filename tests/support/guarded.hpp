// A view with poison around it: what writes outside, or reads what nobody wrote, is seen.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <dolmen/dolmen.hpp>

namespace testing {

using dolmen::index_t;

/// Where a guarded view lies: elements before it, elements of gap behind every row, and whether it ends exactly where its
/// allocation ends (for what checks accesses from outside: AddressSanitizer, compute-sanitizer).
struct place {
  index_t offset = 0, gap = 0;
  bool at_end = false;
};

template <class T, class B, int Rank = 1>
class guarded {
 public:
  using stream = typename B::stream;

  /// Elements are poison: NaN for floats.
  guarded(stream const& s, dolmen::extents<Rank> shape, place where = {}) : stream_(s), shape_(shape) {
    index_t step = shape[Rank - 1], last = std::max<index_t>(shape[Rank - 1], 1);
    for (int d = Rank - 2; d >= 0; --d) {
      step += where.gap;
      strides_[d] = step;
      last += std::max<index_t>(shape[d] - 1, 0) * step;
      step *= shape[d];
    }
    offset_ = (where.at_end ? 0 : guard / index_t(sizeof(T))) + where.offset;
    index_t const bytes = (offset_ + last) * index_t(sizeof(T)) + (where.at_end ? 0 : guard);
    memory_ = dolmen::buffer<std::byte, B>(s, bytes, where.at_end ? dolmen::memory::direct : dolmen::memory::pooled);
    bytes_.resize(std::size_t(bytes));
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = poison(i);
    upload();
  }
  guarded(stream const& s, dolmen::extents<Rank> shape, std::vector<T> const& values, place where = {}) : guarded(s, shape, where) {
    set(values);
  }
  guarded(stream const& s, index_t n, place where = {}) requires(Rank == 1) : guarded(s, dolmen::extents<1>{{n}}, where) {}
  guarded(stream const& s, std::vector<T> const& values, place where = {}) requires(Rank == 1)
      : guarded(s, dolmen::extents<1>{{index_t(values.size())}}, values, where) {}

  dolmen::view<T, Rank> view() {
    T* const data = reinterpret_cast<T*>(memory_.data()) + offset_;
    if constexpr (Rank == 1)
      return {data, shape_};
    else
      return {data, shape_, strides_};
  }
  dolmen::view<T const, Rank> const_view() { return view(); }

  void set(std::vector<T> const& values) {
    std::size_t next = 0;
    each_element([&](std::size_t at) { std::memcpy(&bytes_[at], &values[next++], sizeof(T)); });
    upload();
  }
  /// The view's elements now, row-major. Waits.
  std::vector<T> values() {
    auto const now = dolmen::download(stream_, memory_);
    std::vector<T> result(std::size_t(shape_.volume()));
    std::size_t next = 0;
    each_element([&](std::size_t at) { std::memcpy(&result[next++], &now[at], sizeof(T)); });
    return result;
  }
  /// Nothing outside the view was written.
  bool intact() {
    auto now = dolmen::download(stream_, memory_);
    each_element([&](std::size_t at) { std::memcpy(&now[at], &bytes_[at], sizeof(T)); });
    return now == bytes_;
  }
  /// Nothing at all was written.
  bool unchanged() { return dolmen::download(stream_, memory_) == bytes_; }

 private:
  static constexpr index_t guard = 768;  // a multiple of all element sizes in use, so that offset 0 keeps alignment

  // Differs from byte to byte; four or eight of them in a row are a NaN.
  static std::byte poison(std::size_t i) { return std::byte(i % 4 == 3 ? 0xff : i % 4 == 2 ? 0xf0 | (i / 4 & 0x0f) : 0x11 + i / 4 % 0x77); }

  template <class Body>
  void each_element(Body body) const {
    dolmen::extents<3> full{{1, 1, 1}};
    index_t step[3] = {0, 0, 1};
    for (int d = 0; d < Rank; ++d) full[3 - Rank + d] = shape_[d];
    if constexpr (Rank > 1)
      for (int d = 0; d < Rank - 1; ++d) step[3 - Rank + d] = strides_[d];
    for (index_t z = 0; z < full[0]; ++z)
      for (index_t y = 0; y < full[1]; ++y)
        for (index_t x = 0; x < full[2]; ++x) body(std::size_t(offset_ + z * step[0] + y * step[1] + x) * sizeof(T));
  }
  void upload() {
    dolmen::copy(stream_, bytes_, memory_);
    stream_.synchronize();
  }

  stream stream_;
  dolmen::extents<Rank> shape_;
  dolmen::array<index_t, Rank == 1 ? 1 : Rank - 1> strides_{};
  index_t offset_ = 0;
  dolmen::buffer<std::byte, B> memory_;
  std::vector<std::byte> bytes_;
};

}  // namespace testing
