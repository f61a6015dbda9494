#include "row_ring.cuh"
#include "row_vectors.hpp"

namespace dolmen::cuda {
namespace {

/// The fast one where results are rounded to 16 bits.
template <class T>
__device__ __forceinline__ float exponential(float x) {
  if constexpr (std::is_same_v<T, float>) {
    return expf(x);
  } else {
    constexpr float bits_per_unit = 1.4426950408889634f;
    float result;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * bits_per_unit));
    return result;
  }
}

template <class T, bool Logarithm>
struct softmax_of_vectors {
  static constexpr int size = per_vector<T>;
  /// Of what is in the registers, the row's largest element is subtracted, then the logarithm of the sum; or exponentials are
  /// multiplied with the factor.
  struct state {
    float most, last;
  };
  /// The largest element and the sum of exp(x - largest).
  struct alignas(8) part {
    float first, second;
  };
  template <int Vectors, kept_in>
  struct weights {
    __device__ weights(softmax_of_vectors const&, index_t, int, bool const (&)[Vectors], uint4*, int) {}
  };
  /// Whether registers hold exponentials once their part is measured.
  template <class Registers>
  static constexpr bool exponentials = !Logarithm && Registers::floats;

  static __device__ float padding() { return -HUGE_VALF; }
  static __device__ part nothing() { return {padding(), 0}; }

  /// NaN stays, and inf - inf becomes NaN; of -inf alone the sum is 0.
  template <int Lanes, class Registers>
  __device__ part measure(Registers& v, float) const {
    float x[size], sum = 0;
    float const most = most_over<Lanes>(v.most());
    float const base = most == padding() ? 0.0f : most;
#pragma unroll
    for (int i = 0; i < Registers::size; ++i) {
      v.get(i, x);
#pragma unroll
      for (float& e : x) sum += e = exponential<T>(e - base);
      if constexpr (exponentials<Registers>) v.set(i, x);
    }
    return {most, sum_over<Lanes>(sum)};
  }
  /// Where all parts are -inf, -inf - -inf makes the sum NaN.
  template <int Lanes, int Parts>
  __device__ part merge(part const (&parts)[Parts], float const (&)[Parts], float) const {
    float most = parts[0].first, sum = 0;
#pragma unroll
    for (int k = 1; k < Parts; ++k) most = fmaxf(most, parts[k].first);
    most = most_over<Lanes>(most);
#pragma unroll
    for (int k = 0; k < Parts; ++k) sum += parts[k].second * exponential<T>(parts[k].first - most);
    return {most, sum_over<Lanes>(sum)};
  }
  template <class Registers>
  __device__ state finish(part const& row, part const& own, float) const {
    if constexpr (Logarithm)
      return {row.first, logf(row.second)};
    else if constexpr (exponentials<Registers>)
      return {0, exponential<T>(own.first - row.first) / row.second};
    else
      return {row.first, 1 / row.second};
  }

  template <class Registers, class Weights>
  __device__ void apply(float (&x)[size], state const& s, Weights const&, int) const {
#pragma unroll
    for (float& e : x) e = Logarithm ? (e - s.most) - s.last : (exponentials<Registers> ? e : exponential<T>(e - s.most)) * s.last;
  }
};

template <class T, bool Logarithm>
bool launch_softmax_vectors(stream const& s, char const* name, row_plan<T> const& p, source_location where) {
  using work = softmax_of_vectors<T, Logarithm>;
  index_t const vectors = p.width / per_vector<T>;
  if (vectors > 2 * most_vectors)
    return launch_ring<T, work, ring_shape<256, 8, 2, 2>>(s, name, p, {}, where) ||
           launch_ring<T, work, ring_shape<512, 8, 2, 1>>(s, name, p, {}, where);
  if (vectors > most_vectors)
    launch_vectors<T, work, 1024, 8>(s, name, p, {}, where);
  else
    launch_vectors<T>(s, name, p, work(), where);
  return true;
}

}  // namespace

template <class T>
bool launch_softmax_vectors(stream const& s, row_plan<T> const& p, bool logarithm, source_location where) {
  if (!whole_vectors(p)) return false;
  impl::device_guard guard(s.device_index(), where);
  return logarithm ? launch_softmax_vectors<T, true>(s, "log_softmax", p, where) : launch_softmax_vectors<T, false>(s, "softmax", p, where);
}

#define DOLMEN_SOFTMAX(T) template bool launch_softmax_vectors(stream const&, row_plan<T> const&, bool, source_location);
DOLMEN_SOFTMAX(float)
DOLMEN_SOFTMAX(half)
DOLMEN_SOFTMAX(bfloat16)

}  // namespace dolmen::cuda
