// What reductions, scans and shuffles give, written down a second time: recursively, and for lanes that are there only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "operators.hpp"

namespace reference {

template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same_bits(std::span<T const> a, std::span<T const> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// The lanes i, i + step, i + 2 step, ... of a segment of `width`: a commutative operator halves the segment, so its last
/// step joins the even lanes' result and the odd lanes'.
template <class T, class Op>
T strided(std::span<T const> lanes, int i, int step, int width, Op op) {
  if (step == width) return lanes[std::size_t(i)];
  T const left = strided(lanes, i, 2 * step, width, op);
  return i + step < int(lanes.size()) ? op(left, strided(lanes, i + step, 2 * step, width, op)) : left;
}
/// The `count` lanes from i on: other operators join the result of the left half and that of the right half.
template <class T, class Op>
T neighbours(std::span<T const> lanes, int i, int count, Op op) {
  if (count == 1) return lanes[std::size_t(i)];
  T const left = neighbours(lanes, i, count / 2, op);
  return i + count / 2 < int(lanes.size()) ? op(left, neighbours(lanes, i + count / 2, count / 2, op)) : left;
}
template <class T, class Op>
T reduce_segment(std::span<T const> lanes, int width, Op op) {
  if constexpr (requires { requires Op::commutative; })
    return strided(lanes, 0, 1, width, op);
  else
    return neighbours(lanes, 0, width, op);
}

/// Lane i after the steps below d: of itself and the d - 1 lanes before it.
template <class T, class Op>
std::vector<T> scan_segment(std::span<T const> lanes, int width, Op op) {
  std::vector<T> now(lanes.begin(), lanes.end());
  for (int d = 1; d < width; d *= 2)
    for (int i = int(now.size()) - 1; i >= d; --i) now[std::size_t(i)] = op(now[std::size_t(i - d)], now[std::size_t(i)]);
  return now;
}

/// Calls f(segment) for every `width` neighbours.
template <class T, class F>
void each_segment(std::span<T const> values, int width, F f) {
  for (std::size_t i = 0; i < values.size(); i += std::size_t(width)) f(values.subspan(i, std::min(values.size() - i, std::size_t(width))));
}

template <class T, class Op>
std::vector<T> reduce(std::span<T const> values, int width, Op op) {
  std::vector<T> result;
  each_segment(values, width, [&](auto s) { result.push_back(reduce_segment(s, width, op)); });
  return result;
}
template <class T, class Op>
std::vector<T> inclusive_scan(std::span<T const> values, int width, Op op) {
  std::vector<T> result;
  each_segment(values, width, [&](auto s) {
    for (auto& x : scan_segment(s, width, op)) result.push_back(x);
  });
  return result;
}
template <class T, class Op>
std::vector<T> exclusive_scan(std::span<T const> values, T initial, int width, Op op) {
  std::vector<T> result;
  each_segment(values, width, [&](auto s) {
    auto const upto = scan_segment(s, width, op);
    for (std::size_t i = 0; i < upto.size(); ++i) result.push_back(i == 0 ? initial : op(initial, upto[i - 1]));
  });
  return result;
}

/// The same for a block: warps first, then one value per warp.
inline int partial_width(std::size_t warps) { return int(std::bit_ceil(warps)); }
template <class T, class Op>
T block_reduce(std::span<T const> values, Op op) {
  auto const warps = reduce(values, 32, op);
  return reduce_segment(std::span<T const>(warps), partial_width(warps.size()), op);
}
template <class T, class Op>
std::vector<T> warp_totals(std::vector<T> const& within, Op op) {
  std::vector<T> last;
  each_segment(std::span<T const>(within), 32, [&](auto s) { last.push_back(s.back()); });
  return scan_segment(std::span<T const>(last), partial_width(last.size()), op);
}
template <class T, class Op>
std::vector<T> block_inclusive_scan(std::span<T const> values, Op op) {
  auto result = inclusive_scan(values, 32, op);
  auto const totals = warp_totals(result, op);
  for (std::size_t i = 32; i < result.size(); ++i) result[i] = op(totals[i / 32 - 1], result[i]);
  return result;
}
/// One element more than values: the total.
template <class T, class Op>
std::vector<T> block_exclusive_scan(std::span<T const> values, T initial, Op op) {
  auto const within = inclusive_scan(values, 32, op);
  auto const totals = warp_totals(within, op);
  std::vector<T> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    T const base = i < 32 ? initial : op(initial, totals[i / 32 - 1]);
    result.push_back(i % 32 == 0 ? base : op(base, within[i - 1]));
  }
  result.push_back(op(initial, totals.back()));
  return result;
}

/// from(lane, lanes of the segment) is the lane to read; what is not in the segment means the own.
template <class T, class From>
std::vector<T> shuffle(std::vector<T> const& values, int width, From from) {
  std::vector<T> result;
  for (int i = 0; i < int(values.size()); ++i) {
    int const begin = i / width * width, lanes = std::min(width, int(values.size()) - begin);
    long const wanted = from(i, i - begin);
    result.push_back(values[std::size_t(wanted >= 0 && wanted < lanes ? begin + wanted : i)]);
  }
  return result;
}

}  // namespace reference
