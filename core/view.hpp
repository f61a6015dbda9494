// view<T, Rank>: device data by value, a pointer, extents and row strides. It owns nothing.
#pragma once

#include "access.hpp"
#include "atomic.hpp"
#include "require.hpp"
#include "types.hpp"

namespace dolmen {

namespace detail {

// Host code refuses a bad shape; on the device such a check would sit in every kernel's registers.
DOLMEN_NO_EXEC_CHECK
template <class... Parts>
DOLMEN_INLINE_FN void require_on_host([[maybe_unused]] bool condition, [[maybe_unused]] source_location where,
                                      [[maybe_unused]] Parts const&... parts) {
#if !DOLMEN_ON_DEVICE
  require(condition, where, parts...);
#endif
}

/// A pack at an element's address. The check backend looks whether the address is one for packs; a GPU would end the launch.
template <class Pack, class T>
DOLMEN_INLINE_FN auto* pack_at(T* where, [[maybe_unused]] at i) {
  using place = std::conditional_t<std::is_const_v<T>, Pack const, Pack>*;
#if defined(DOLMEN_CHECK)
  if (auto const behind = reinterpret_cast<std::uintptr_t>(where) % sizeof(Pack); behind != 0) {
    require(current_recorder() != nullptr, i.line, "a pack of ", sizeof(Pack), " bytes at index ", i.value,
            ": its address must be a multiple of ", sizeof(Pack), ", it is ", behind, " bytes behind one");
    current_recorder()->misaligned(where, sizeof(Pack), i.value, i.line);
    return place(nullptr);
  }
#endif
  return reinterpret_cast<place>(where);
}

template <class M>
struct member_of;
template <class Record, class Member>
struct member_of<Member Record::*> {
  using type = Member;
};

}  // namespace detail

namespace types {

// All of a view in one class, which keeps it of standard layout (holds_references asks), and none of rank 1, where there are no
// strides to hold: nvcc's host and device passes disagree on [[no_unique_address]].
template <class T, int Rank>
struct view_parts {
  array<index_t, Rank - 1> strides_{};
  T* data_ = nullptr;
  dolmen::extents<Rank> extents_{};
};
template <class T>
struct view_parts<T, 1> {
  T* data_ = nullptr;
  dolmen::extents<1> extents_{};
};

}  // namespace types

/// A view of Rank 1, 2 or 3, row-major: the last index is contiguous, the others have a stride in elements.
/// Copying it copies no data. `view<T>` converts to `view<T const>`.
///
/// Elements: `float x = v(i, j);` and `v(i, j) = x;`, or load and store. Indices are not checked, except under the
/// check backend. Slices (row, plane, slice, subview) throw invalid_argument on the host when they leave the view.
template <class T, int Rank = 1>
class view : private types::view_parts<T, Rank> {
  using parts = types::view_parts<T, Rank>;
  using parts::data_;
  using parts::extents_;
  static_assert(Rank >= 1 && Rank <= 3, "Dolmen's views have rank 1, 2 or 3");
  static_assert(element_type<T>, "a view's elements must be trivially copyable");

 public:
  using element = T;
  using value_type = std::remove_const_t<T>;
  static constexpr int rank = Rank;

  /// A view of nothing.
  constexpr view() = default;

  /// `count` elements from `data` on. Throws invalid_argument for a negative count.
  DOLMEN_FN constexpr view(T* data, index_t count, source_location where = source_location::current()) requires(Rank == 1)
      : view(data, dolmen::extents<1>{{count}}, where) {}
  /// Dense rows.
  DOLMEN_FN constexpr view(T* data, index_t rows, index_t columns, source_location where = source_location::current()) requires(Rank == 2)
      : view(data, dolmen::extents<2>{{rows, columns}}, where) {}
  /// Dense planes of dense rows.
  DOLMEN_FN constexpr view(T* data, index_t planes, index_t rows, index_t columns,
                           source_location where = source_location::current()) requires(Rank == 3)
      : view(data, dolmen::extents<3>{{planes, rows, columns}}, where) {}

  DOLMEN_FN constexpr view(T* data, dolmen::extents<Rank> shape, source_location where = source_location::current()) : parts{} {
    data_ = data;
    extents_ = shape;
    for (int d = 0; d < Rank; ++d)
      detail::require_on_host(shape[d] >= 0, where, "view: extent ", d, " is ", shape[d], ", it must not be negative");
    detail::require_on_host(shape.countable(), where, "view: the extents ", shape, " have more elements than 64 bits can count");
    index_t step = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      if constexpr (Rank > 1)
        if (d < Rank - 1) this->strides_[d] = step;
      step *= shape.empty() ? 1 : shape[d];
    }
  }

  /// Rows that start `strides[0]` elements apart (Rank 3: planes strides[0], rows strides[1]).
  /// Throws invalid_argument for a negative extent or a stride smaller than what it steps over.
  DOLMEN_FN constexpr view(T* data, dolmen::extents<Rank> shape, array<index_t, Rank - 1> strides,
                           source_location where = source_location::current()) requires(Rank > 1)
      : view(data, shape, where) {
    index_t span = 1;   // elements from the first to behind the last of the dimensions inside
    index_t below = 1;  // the stride of the dimension inside (strides[d + 1] makes g++ 12 warn of bounds)
    for (int d = Rank - 2; d >= 0; --d) {
      if (shape[d + 1] > 1) span = below * shape[d + 1];
      detail::require_on_host(strides[d] >= span || shape[d] <= 1 || shape.empty(), where, "view: stride ", d, " is ", strides[d],
                              ", less than the ", span, " elements it steps over");
      this->strides_[d] = below = strides[d];
    }
  }

  /// Every view of mutable elements is a view of constant ones.
  template <class U>
  requires(std::is_const_v<T>&& std::same_as<U, value_type>) DOLMEN_FN constexpr view(view<U, Rank> const& other) : parts{} {
    data_ = other.data_;
    extents_ = other.extents_;
    if constexpr (Rank > 1) this->strides_ = other.strides_;
  }

  DOLMEN_FN constexpr T* data() const { return data_; }
  DOLMEN_FN constexpr index_t extent(int d) const { return extents_[d]; }
  DOLMEN_FN constexpr dolmen::extents<Rank> shape() const { return extents_; }
  DOLMEN_FN constexpr index_t size() const { return extents_.volume(); }
  DOLMEN_FN constexpr bool empty() const { return size() == 0; }
  /// Elements from one index to the next along dimension d; 1 for the last.
  DOLMEN_FN constexpr index_t stride([[maybe_unused]] int d) const {
    if constexpr (Rank > 1)
      if (d < Rank - 1) return this->strides_[d];
    return 1;
  }
  /// No gaps between rows: the elements are data()[0] to data()[size() - 1].
  DOLMEN_FN constexpr bool contiguous() const {
    if (empty()) return true;
    index_t step = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      if (extents_[d] > 1 && stride(d) != step) return false;
      step *= extents_[d];
    }
    return true;
  }

  // --- elements -------------------------------------------------------------------------------------------------------
  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at i) const requires(Rank == 1) { return detail::access(place(i), i); }
  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at row, at column) const requires(Rank == 2) {
    return detail::access(place(row, column), row);
  }
  DOLMEN_INLINE_FN constexpr decltype(auto) operator()(at plane, at row, at column) const requires(Rank == 3) {
    return detail::access(place(plane, row, column), plane);
  }

  /// The value at an index: what `T x = v(i)` reads, where a plain value is wanted (`auto x = v.load(i)`).
  DOLMEN_INLINE_FN constexpr value_type load(at i) const requires(Rank == 1) { return (*this)(i); }
  DOLMEN_INLINE_FN constexpr value_type load(at row, at column) const requires(Rank == 2) { return (*this)(row, column); }
  DOLMEN_INLINE_FN constexpr value_type load(at plane, at row, at column) const requires(Rank == 3) { return (*this)(plane, row, column); }
  DOLMEN_INLINE_FN constexpr void store(at i, value_type value) const requires(Rank == 1 && !std::is_const_v<T>) { (*this)(i) = value; }
  DOLMEN_INLINE_FN constexpr void store(at row, at column, value_type value) const requires(Rank == 2 && !std::is_const_v<T>) {
    (*this)(row, column) = value;
  }
  DOLMEN_INLINE_FN constexpr void store(at plane, at row, at column, value_type value) const requires(Rank == 3 && !std::is_const_v<T>) {
    (*this)(plane, row, column) = value;
  }

  /// One member of the record at i: `particles.field<&particle::x>(i)`. Only that member is read or written.
  template <auto Member>
  DOLMEN_INLINE_FN constexpr decltype(auto) field(at i) const requires(Rank == 1) {
    using member = typename detail::member_of<decltype(Member)>::type;
    using qualified = std::conditional_t<std::is_const_v<T>, member const, member>;
    T* const record = place(i);
#if defined(DOLMEN_CHECK)
    if (!record) return detail::access<qualified>(nullptr, i);
#endif
    return detail::access<qualified>(&(record->*Member), i);
  }

  /// The N elements from i on (of a row), in one access. Their address must be a multiple of the pack's size: see fits_packs.
  /// The check backend reports where it is not; its host code throws invalid_argument.
  template <int N>
  DOLMEN_INLINE_FN pack<value_type, N> load_pack(at i) const requires(Rank == 1) {
    return detail::access(detail::pack_at<pack<value_type, N>>(view<T const, Rank>(*this).template place<N>(i), i), i);
  }
  template <int N>
  DOLMEN_INLINE_FN pack<value_type, N> load_pack(at row, at column) const requires(Rank == 2) {
    return detail::access(detail::pack_at<pack<value_type, N>>(view<T const, Rank>(*this).template place<N>(row, column), column), row);
  }
  template <int N>
  DOLMEN_INLINE_FN void store_pack(at i, pack<value_type, N> values) const requires(Rank == 1 && !std::is_const_v<T>) {
    detail::access(detail::pack_at<pack<value_type, N>>(place<N>(i), i), i) = values;
  }
  template <int N>
  DOLMEN_INLINE_FN void store_pack(at row, at column, pack<value_type, N> values) const requires(Rank == 2 && !std::is_const_v<T>) {
    detail::access(detail::pack_at<pack<value_type, N>>(place<N>(row, column), column), row) = values;
  }

  /// The element at an index, for use by several threads at once: `v.atomic(i).fetch_add(1)`. See atomic.hpp.
  DOLMEN_INLINE_FN atomic_ref<T> atomic(at i) const requires(Rank == 1) { return {place(i), i}; }
  DOLMEN_INLINE_FN atomic_ref<T> atomic(at row, at column) const requires(Rank == 2) { return {place(row, column), row}; }
  DOLMEN_INLINE_FN atomic_ref<T> atomic(at plane, at row, at column) const requires(Rank == 3) {
    return {place(plane, row, column), plane};
  }

  // --- parts ----------------------------------------------------------------------------------------------------------
  /// Elements [first, first + count).
  DOLMEN_FN constexpr view slice(index_t first, index_t count, source_location where = source_location::current()) const
      requires(Rank == 1) {
    return subview({{first}}, {{count}}, where);
  }
  /// Row i of a matrix.
  DOLMEN_FN constexpr view<T, 1> row(index_t i, source_location where = source_location::current()) const requires(Rank == 2) {
    detail::require_on_host(i >= 0 && i < extents_[0], where, "row: ", i, " is not in 0 to ", extents_[0] - 1);
    return {data_ + i * this->strides_[0], extents_[1]};
  }
  /// Plane i of a volume.
  DOLMEN_FN constexpr view<T, 2> plane(index_t i, source_location where = source_location::current()) const requires(Rank == 3) {
    detail::require_on_host(i >= 0 && i < extents_[0], where, "plane: ", i, " is not in 0 to ", extents_[0] - 1);
    return {data_ + i * this->strides_[0], {{extents_[1], extents_[2]}}, {{this->strides_[1]}}};
  }
  /// The box of the given shape that starts at `origin`.
  DOLMEN_FN constexpr view subview(dolmen::extents<Rank> origin, dolmen::extents<Rank> shape,
                                   source_location where = source_location::current()) const {
    view part = *this;
    index_t offset = 0;
    for (int d = 0; d < Rank; ++d) {
      detail::require_on_host(origin[d] >= 0 && shape[d] >= 0 && shape[d] <= extents_[d] && origin[d] <= extents_[d] - shape[d], where,
                              "a part of a view: dimension ", d, " has ", extents_[d], " elements, asked for ", shape[d], " from ",
                              origin[d]);
      part.extents_[d] = shape[d];
      offset += origin[d] * stride(d);
    }
    if (!part.empty()) part.data_ += offset;
    return part;
  }
  /// Whether as_packs<N> would succeed: every N-th element of every row is an address for packs.
  template <int N>
  DOLMEN_FN bool fits_packs() const {
    bool fits = reinterpret_cast<std::uintptr_t>(data_) % sizeof(pack<value_type, N>) == 0 && extents_[Rank - 1] % N == 0;
    if constexpr (Rank > 1)
      for (int d = 0; d < Rank - 1; ++d) fits = fits && (this->strides_[d] % N == 0 || extents_[d] <= 1);
    return fits;
  }
  /// The same elements as packs of N. Throws invalid_argument unless start and row strides are aligned for packs and N
  /// divides the last extent.
  template <int N>
  view<std::conditional_t<std::is_const_v<T>, pack<value_type, N> const, pack<value_type, N>>, Rank> as_packs(
      source_location where = source_location::current()) const {
    using packed = std::conditional_t<std::is_const_v<T>, pack<value_type, N> const, pack<value_type, N>>;
    auto const address = reinterpret_cast<std::uintptr_t>(data_);
    detail::require(address % sizeof(packed) == 0, where, "as_packs: packs of ", sizeof(packed), " bytes need a start aligned to ",
                    sizeof(packed), ", this view starts ", address % sizeof(packed), " bytes behind such an address");
    detail::require(extents_[Rank - 1] % N == 0, where, "as_packs: the last extent, ", extents_[Rank - 1], ", is not a multiple of ", N);
    dolmen::extents<Rank> shape = extents_;
    shape[Rank - 1] /= N;
    if constexpr (Rank == 1) {
      return {reinterpret_cast<packed*>(data_), shape};
    } else {
      array<index_t, Rank - 1> strides;
      for (int d = 0; d < Rank - 1; ++d) {
        detail::require(this->strides_[d] % N == 0 || extents_[d] <= 1, where, "as_packs: the stride ", this->strides_[d],
                        " is not a multiple of ", N);
        strides[d] = this->strides_[d] / N;
      }
      return {reinterpret_cast<packed*>(data_), shape, strides};
    }
  }

 private:
  template <class, int>
  friend class view;

  DOLMEN_INLINE_FN constexpr value_type const* data_as_constant() const { return data_; }

  // Where an element lies, or Width of them. The check backend gets null for an index that is outside.
  template <int Width = 1>
  DOLMEN_INLINE_FN constexpr T* place(at i) const requires(Rank == 1) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(data_, i, extents_[0], 0, Width)) return nullptr;
#endif
    return data_ + i.value;
  }
  template <int Width = 1>
  DOLMEN_INLINE_FN constexpr T* place(at row, at column) const requires(Rank == 2) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(data_, row, extents_[0], 0) || !detail::inside(data_, column, extents_[1], 1, Width)) return nullptr;
#endif
    return data_ + (row.value * this->strides_[0] + column.value);
  }
  DOLMEN_INLINE_FN constexpr T* place(at plane, at row, at column) const requires(Rank == 3) {
#if defined(DOLMEN_CHECK)
    if (!detail::inside(data_, plane, extents_[0], 0) || !detail::inside(data_, row, extents_[1], 1) ||
        !detail::inside(data_, column, extents_[2], 2))
      return nullptr;
#endif
    return data_ + (plane.value * this->strides_[0] + row.value * this->strides_[1] + column.value);
  }
};

}  // namespace dolmen
