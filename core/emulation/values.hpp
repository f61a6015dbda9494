// Values per thread, per lane and per warp where one worker runs a block's threads one after another: arrays in its
// scratch memory.
#pragma once

#include "scratch.hpp"

namespace dolmen::emulation {

#if defined(DOLMEN_CHECK)
/// A thread where its value is used. The check backend wants to know that it is the one that runs.
struct owner {
  thread const& t;
  source_location line;
  owner(thread const& t, source_location where = source_location::current()) : t(t), line(where) {}
};
template <int Neighbours = 1>
thread const& told(owner const& o) {
  if (auto* const recorder = dolmen::detail::current_recorder()) {
    auto const within = [](int a, int b) { return unsigned(a ^ b) < unsigned(Neighbours); };
    int const running = recorder->running;
    if (running < 0 || !within(o.t.rank, running) || !within(o.t.lane, running % warp_size)) [[unlikely]]
      recorder->uses_value(o.t, Neighbours, o.line);
  }
  return o.t;
}
inline void collective_begins() {
  if (auto* const recorder = dolmen::detail::current_recorder()) recorder->collective();
}
#else
using owner = thread const&;
template <int Neighbours = 1>
DOLMEN_INLINE_FN thread const& told(owner o) {
  return o;
}
DOLMEN_INLINE_FN void collective_begins() {}
#endif

namespace types {

/// `count` values, one after another.
template <class T>
class values {
  static_assert(std::is_trivially_copyable_v<T>, "per_thread, per_warp and per_lane values must be trivially copyable");

 public:
  using value_type = T;

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN values(scratch& memory, int count)
      : memory_(memory), data_(static_cast<T*>(memory.take(sizeof(T) * std::size_t(count)))), count_(count) {}
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN values(scratch& memory, int count, T const& initial) : values(memory, count) { fill(initial); }
  DOLMEN_INLINE_FN values(values&& other) noexcept : memory_(other.memory_), data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): elements are copied, onto themselves if need be
  DOLMEN_INLINE_FN values& operator=(values const& other) {
    T* const to = data_;
    T const* const from = other.data_;
    DOLMEN_SIMD for (int i = 0; i < count_; ++i) to[i] = from[i];
    return *this;
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN ~values() {
    if (data_ != nullptr) memory_.give_back(data_, sizeof(T) * std::size_t(count_));
  }

  DOLMEN_INLINE_FN void fill(T const& value) {
    T* const data = data_;
    DOLMEN_SIMD for (int i = 0; i < count_; ++i) data[i] = value;
  }
  DOLMEN_INLINE_FN T& at(int i) const { return data_[i]; }
  DOLMEN_INLINE_FN T const& of(int i) const { return data_[i]; }
  DOLMEN_INLINE_FN void put(int i, T const& value) { data_[i] = value; }

 private:
  scratch& memory_;
  T* data_;
  int count_;
};

/// Arrays lie element by element, all first elements together, so that phases load and store vectors.
template <class T, int N>
class values<array<T, N>> {
 public:
  using value_type = array<T, N>;

  /// One thread's array, where it lies.
  class place {
   public:
    DOLMEN_INLINE_FN place(T* first, int stride) : first_(first), stride_(stride) {}
    DOLMEN_INLINE_FN T& operator[](int i) const { return first_[i * stride_]; }
    DOLMEN_INLINE_FN operator array<T, N>() const {
      array<T, N> all;
      for (int i = 0; i < N; ++i) all[i] = first_[i * stride_];
      return all;
    }
    DOLMEN_INLINE_FN void operator=(array<T, N> const& all) const {
      for (int i = 0; i < N; ++i) first_[i * stride_] = all[i];
    }

   private:
    T* first_;
    int stride_;
  };

  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN values(scratch& memory, int count)
      : memory_(memory), data_(static_cast<T*>(memory.take(sizeof(T) * N * std::size_t(count)))), count_(count) {}
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN values(scratch& memory, int count, array<T, N> const& initial) : values(memory, count) { fill(initial); }
  DOLMEN_INLINE_FN values(values&& other) noexcept : memory_(other.memory_), data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): elements are copied, onto themselves if need be
  DOLMEN_INLINE_FN values& operator=(values const& other) {
    T* const to = data_;
    T const* const from = other.data_;
    DOLMEN_SIMD for (int i = 0; i < N * count_; ++i) to[i] = from[i];
    return *this;
  }
  DOLMEN_NO_EXEC_CHECK
  DOLMEN_INLINE_FN ~values() {
    if (data_ != nullptr) memory_.give_back(data_, sizeof(T) * N * std::size_t(count_));
  }

  DOLMEN_INLINE_FN void fill(array<T, N> const& value) {
    for (int i = 0; i < N; ++i)
      for (int t = 0; t < count_; ++t) data_[i * count_ + t] = value[i];
  }
  DOLMEN_INLINE_FN place at(int i) const { return {data_ + i, count_}; }
  DOLMEN_INLINE_FN array<T, N> of(int i) const { return at(i); }
  DOLMEN_INLINE_FN void put(int i, array<T, N> const& value) { at(i) = value; }

 private:
  scratch& memory_;
  T* data_;
  int count_;
};

/// One value per thread of the block.
template <class T>
class per_thread : public values<T> {
 public:
  using values<T>::values;
  DOLMEN_INLINE_FN decltype(auto) operator[](owner o) { return this->at(told(o).rank); }
  DOLMEN_INLINE_FN decltype(auto) operator[](owner o) const { return this->of(told(o).rank); }
  /// Where the values of a warp begin.
  DOLMEN_INLINE_FN static constexpr int first_of_warp(int warp) { return warp * warp_size; }
};

/// One value per lane of one warp.
template <class T>
class per_lane : public values<T> {
 public:
  using values<T>::values;
  DOLMEN_INLINE_FN decltype(auto) operator[](owner o) { return this->at(told(o).lane); }
  DOLMEN_INLINE_FN decltype(auto) operator[](owner o) const { return this->of(told(o).lane); }
  DOLMEN_INLINE_FN static constexpr int first_of_warp(int) { return 0; }
};

// Not through values<array>: code at warp scope takes a reference to the whole.
template <class T>
struct whole {
  T value;
};

/// One value per W neighbouring threads of the block; read by each of them, and for W = 32 written at warp scope.
template <class T, int W>
class per_group : private values<whole<T>> {
 public:
  using value_type = T;
  DOLMEN_INLINE_FN per_group(scratch& memory, int count) : values<whole<T>>(memory, count) {}
  DOLMEN_INLINE_FN per_group(scratch& memory, int count, T const& initial) : values<whole<T>>(memory, count, {initial}) {}
  DOLMEN_INLINE_FN T const& operator[](owner o) const { return values<whole<T>>::of(told<W>(o).rank / W).value; }
  /// At warp scope.
  template <class Warp>
  DOLMEN_INLINE_FN T& operator[](Warp const& warp) requires(W == warp_size && !std::same_as<Warp, thread>) {
    return this->at(warp.index).value;
  }
  DOLMEN_INLINE_FN T const& of(int i) const { return values<whole<T>>::of(i).value; }
  DOLMEN_INLINE_FN void put(int i, T const& value) { this->at(i).value = value; }
};

/// ... per W neighbouring lanes of one warp.
template <class T, int W>
class per_lane_group : private values<whole<T>> {
 public:
  using value_type = T;
  DOLMEN_INLINE_FN per_lane_group(scratch& memory, int count) : values<whole<T>>(memory, count) {}
  DOLMEN_INLINE_FN T const& operator[](owner o) const { return values<whole<T>>::of(told<W>(o).lane / W).value; }
  DOLMEN_INLINE_FN void put(int i, T const& value) { this->at(i).value = value; }
};

}  // namespace types

using types::per_group;
using types::per_lane;
using types::per_lane_group;
using types::per_thread;
using types::values;
using types::whole;

}  // namespace dolmen::emulation
