// All public calls that take a stream, as one table, so that what every call promises is tested for every call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../backends.hpp"

namespace testing {

using namespace dolmen;

struct pair_of_values {
  float x;
  int n;
};

/// What the calls work on. Every one takes its handles from here.
template <class B>
struct world {
  static constexpr index_t n = 256;

  typename B::stream s;
  buffer<float, B> a, b, c;
  buffer<int, B> keys, values;
  buffer<std::uint8_t, B> flags;
  buffer<index_t, B> index;
  buffer<float, B> one;
  buffer<std::uint32_t, B> bins;
  buffer<bool, B> truth;
  buffer<min_max<float>, B> extremes;
  buffer<pair_of_values, B> records;
  buffer<float, B> row;
  std::vector<float> host, taken;
  double returned = 0;

  /// Rows of more than 65536 elements are split on the CPU.
  explicit world(index_t longest = n);
  /// The contents that every call begins with.
  void reset();
  /// All that a call may have changed.
  std::vector<double> contents() const;
  /// Moves the buffer of this number away; see uses below.
  void empty_buffer(int number);
};

inline constexpr int buffers = 13;
/// Bits of the buffers that a call is given, in their order in `world`.
enum uses : unsigned {
  a = 1,
  b = 2,
  c = 4,
  keys = 8,
  values = 16,
  flags = 32,
  index = 64,
  one = 128,
  bins = 256,
  truth = 512,
  extremes = 1024,
  records = 2048,
  row = 4096
};

template <class B>
struct call {
  char const* name;  // as errors say it
  unsigned uses;     // views of buffers are no handles
  void (*run)(world<B>&);
};

/// The table: calls.cpp, calls_reductions.cpp.
template <class B>
std::span<call<B> const> moving_calls();
template <class B>
std::span<call<B> const> reducing_calls();

template <class B>
std::vector<call<B>> all_calls() {
  std::vector<call<B>> all;
  for (auto part : {moving_calls<B>(), reducing_calls<B>()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace testing
