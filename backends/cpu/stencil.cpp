#include "stencil.hpp"

#include "engine.hpp"
#include "halves.hpp"
#include "stream_store.hpp"

namespace dolmen::cpu {
namespace {

using dolmen::detail::compute_t;
using dolmen::detail::inside_index;
using dolmen::detail::stencil_plan;
using dolmen::detail::stencil_taps;

constexpr index_t block = 1024;          // elements of a row that are summed in the first cache
constexpr index_t stencil_part = 16384;  // elements

/// The neighbours of a row's elements, tap by tap: where the row lies that holds them.
template <class T>
struct neighbours {
  T const* row[dolmen::detail::most_taps];  // null: zeros
};

/// Sums of exactly `Count` products, for elements whose neighbours are all there. The weights stay in registers.
template <int Count, class T, class Store>
void sum_exactly(T const* const* rows, compute_t<T> const* weights, index_t first, index_t n, Store store) {
  T const* row[Count];
  compute_t<T> weight[Count];
  for (int k = 0; k < Count; ++k) row[k] = rows[k] + first, weight[k] = weights[k];
#pragma omp simd
  for (index_t i = 0; i < n; ++i) {
    compute_t<T> sum = weight[0] * compute_t<T>(row[0][i]);
#pragma GCC unroll 32
    for (int k = 1; k < Count; ++k) sum += weight[k] * compute_t<T>(row[k][i]);
    store(i, sum);
  }
}

/// The same for half, tap by tap: whole rows become floats at a time, by the CPU's instruction where it has one. The sums have the
/// same bits. n is at most `block`. With `adds` each product is added to what is there; without there are two or more.
[[gnu::noinline]] void sum_halves(int count, half const* const* rows, float const* weights, index_t first, index_t n, float* sum,
                                  bool adds = false) {
  float x[block], y[block];
  int k = 0;
  if (!adds) {  // two at a time, as compilers fuse the first product with the sum
    impl::widen(rows[0] + first, x, n);
    impl::widen(rows[1] + first, y, n);
    float const weight[] = {weights[0], weights[1]};
#pragma omp simd
    for (index_t i = 0; i < n; ++i) {
      float both = weight[0] * x[i];
      both += weight[1] * y[i];
      sum[i] = both;
    }
    k = 2;
  }
  for (; k < count; ++k) {
    impl::widen(rows[k] + first, x, n);
    float const weight = weights[k];
#pragma omp simd
    for (index_t i = 0; i < n; ++i) sum[i] += weight * x[i];
  }
}

/// Eight taps at a time, as far as there are so many.
template <class T>
void add_taps(T const* const* rows, stencil_taps<compute_t<T>> const& taps, index_t first, index_t n, compute_t<T>* sum) {
  for (index_t i = 0; i < n; ++i) sum[i] = 0;
  int k = 0;
  if constexpr (std::same_as<T, half>) {
    float part[block];
    for (; k + 8 <= taps.count; k += 8) {
      sum_halves(8, rows + k, taps.weight + k, first, n, part);
      for (index_t i = 0; i < n; ++i) sum[i] += part[i];
    }
    sum_halves(taps.count - k, rows + k, taps.weight + k, first, n, sum, true);
  } else {
    for (; k + 8 <= taps.count; k += 8)
      sum_exactly<8>(rows + k, taps.weight + k, first, n, [=](index_t i, compute_t<T> eight) { sum[i] += eight; });
    for (; k < taps.count; ++k) sum_exactly<1>(rows + k, taps.weight + k, first, n, [=](index_t i, compute_t<T> one) { sum[i] += one; });
  }
}

template <class T>
class stencil_work {
 public:
  using C = compute_t<T>;
  stencil_work(stencil_plan<T> const& p, stencil_taps<C> const& taps) : p_(p), taps_(taps) {}

  void run() const {
    bool const past = past_caches(2 * p_.extent[0] * p_.extent[1] * p_.extent[2] * index_t(sizeof(T)));
    run_ranges(p_.extent[0] * p_.extent[1], ceil_div(stencil_part, p_.extent[2]), [&](index_t begin, index_t end, scratch& s) {
      // One row of zeros serves all neighbours beyond the edge.
      std::size_t const bytes = std::size_t(p_.extent[2] + 2 * dolmen::detail::most_radius) * sizeof(T);
      auto* const zeros = static_cast<T*>(s.take(bytes));
      std::memset(static_cast<void*>(zeros), 0, bytes);
      for (index_t k = begin; k < end; ++k) row(k / p_.extent[1], k % p_.extent[1], zeros + dolmen::detail::most_radius, past);
      s.give_back(zeros, bytes);
      if (past) finish_lines();
    });
  }

 private:
  T const* in_row(index_t z, index_t y) const { return p_.in + z * p_.in_stride[0] + y * p_.in_stride[1]; }

  void row(index_t z, index_t y, T const* zeros, bool past) const {
    T const* const middle = in_row(z, y);
    T* const out = p_.out + z * p_.out_stride[0] + y * p_.out_stride[1];
    index_t const columns = p_.extent[2], before = taps_.before[2], behind = taps_.behind[2];
    bool const copies = p_.rule == boundary::copy;
    if (copies && p_.at_edge(z, y, before, taps_.before, taps_.behind)) {  // then so are all of the row
      std::memcpy(static_cast<void*>(out), middle, std::size_t(columns) * sizeof(T));
      return;
    }
    neighbours<T> near;   // rows as they lie
    neighbours<T> moved;  // by their offset along the row
    for (int k = 0; k < taps_.count; ++k) {
      index_t const zk = inside_index(z + taps_.offset[k][0], p_.extent[0], p_.rule);
      index_t const yk = inside_index(y + taps_.offset[k][1], p_.extent[1], p_.rule);
      near.row[k] = zk < 0 || yk < 0 ? zeros : in_row(zk, yk);
      moved.row[k] = near.row[k] + taps_.offset[k][2];
    }
    index_t const inner = min(before, columns), inner_end = max(inner, columns - behind);
    for (index_t x = 0; x < inner; ++x) out[x] = copies ? middle[x] : edge(near, x);
    for (index_t x = inner; x < inner_end; x += block) inner_block(moved, x, min(block, inner_end - x), out + x, past);
    for (index_t x = inner_end; x < columns; ++x) out[x] = copies ? middle[x] : edge(near, x);
  }

  T edge(neighbours<T> const& near, index_t x) const {
    C sum = 0;
    for (int k = 0; k < taps_.count; ++k) {
      index_t const xk = inside_index(x + taps_.offset[k][2], p_.extent[2], p_.rule);
      if (xk >= 0) sum += taps_.weight[k] * C(near.row[k][xk]);
    }
    return T(sum);
  }

  void inner_block(neighbours<T> const& rows, index_t first, index_t n, T* out, bool past) const {
    alignas(line_bytes) T results[block];
    T* const to = past ? results : out;
    if constexpr (std::same_as<T, half>) {
      if (taps_.count != 7) {
        half_block(rows, first, n, to);
        if (past) store_past_caches(out, results, n * index_t(sizeof(T)));
        return;
      }
    }
    sum_block(rows, first, n, to);
    if (past) store_past_caches(out, results, n * index_t(sizeof(T)));
  }

  void half_block(neighbours<T> const& rows, index_t first, index_t n, T* to) const {
    int const count = taps_.count;
    C sum[block];
    if (count == 5 || count == 9 || count == 25 || count == 27)
      sum_halves(count, rows.row, taps_.weight, first, n, sum);
    else
      add_taps<T>(rows.row, taps_, first, n, sum);
    impl::narrow(sum, to, n);
  }

  void sum_block(neighbours<T> const& rows, index_t first, index_t n, T* to) const {
    auto const store = [=](index_t i, C sum) { put(to, i, sum); };
    // Of halves seven alone: those were fused in another order than sum_halves does.
    if constexpr (std::same_as<T, half>) {
      sum_exactly<7, T>(rows.row, taps_.weight, first, n, store);
      return;
    } else {
      sum_taps(rows, first, n, store);
    }
  }

  template <class Store>
  void sum_taps(neighbours<T> const& rows, index_t first, index_t n, Store store) const {
    switch (taps_.count) {
      case 5:
        return sum_exactly<5, T>(rows.row, taps_.weight, first, n, store);
      case 7:
        return sum_exactly<7, T>(rows.row, taps_.weight, first, n, store);
      case 9:
        return sum_exactly<9, T>(rows.row, taps_.weight, first, n, store);
      case 25:
        return sum_exactly<25, T>(rows.row, taps_.weight, first, n, store);
      case 27:
        return sum_exactly<27, T>(rows.row, taps_.weight, first, n, store);
      default: {
        C sum[block];
        add_taps<T>(rows.row, taps_, first, n, sum);
        for (index_t i = 0; i < n; ++i) store(i, sum[i]);
      }
    }
  }

  // Halves by their bits: g++ 12 does not vectorise stores of a class.
  static void put(T* to, index_t i, C sum) {
    if constexpr (half_type<T>)
      reinterpret_cast<std::uint16_t*>(to)[i] = T(sum).bits();
    else
      to[i] = sum;
  }

  stencil_plan<T> const& p_;
  stencil_taps<C> const& taps_;
};

}  // namespace

template <class T>
void launch_stencil(stream const&, stencil_plan<T> const& plan, stencil_taps<compute_t<T>> const& taps, source_location) {
  stencil_work<T>(plan, taps).run();
}

#define DOLMEN_STENCIL(T) \
  template DOLMEN_API void launch_stencil(stream const&, stencil_plan<T> const&, stencil_taps<compute_t<T>> const&, source_location);
DOLMEN_EACH_FLOAT(DOLMEN_STENCIL)

}  // namespace dolmen::cpu
