#include "row_ring.cuh"
#include "row_vectors.hpp"

namespace dolmen::cuda {
namespace {

using dolmen::detail::norm_weights;

template <class T>
struct norm_of_vectors {
  static constexpr int size = per_vector<T>;
  static constexpr bool scaled = dolmen::detail::norm_needs_scale<T>;
  /// Of the elements times `scale`: the mean as a sum of two numbers, and the sum of squares around it.
  struct alignas(16) part {
    float mean, low, squares, scale;
  };
  struct state {
    float mean, low, factor, scale;
  };
  norm_weights<T> given;

  /// The columns' factors and addends; 1 and 0 where none are given.
  template <int Vectors, kept_in Place>
  class weights {
   public:
    __device__ weights(norm_of_vectors const& work, index_t first, int step, bool const (&there)[Vectors], uint4* own, int apart)
        : gamma_(work.given.gamma), beta_(work.given.beta), first_(first), step_(step), own_(own), apart_(apart) {
      if constexpr (Place != kept_in::memory) {
#pragma unroll
        for (int i = 0; i < Vectors; ++i) {
          uint4 const factors = vector(gamma_, i, there[i], 1), addends = vector(beta_, i, there[i], 0);
          if constexpr (Place == kept_in::registers) {
            factors_[i] = factors;
            addends_[i] = addends;
          } else {
            own[2 * i * apart] = factors;
            own[(2 * i + 1) * apart] = addends;
          }
        }
      }
    }
    __device__ void get(int i, float (&factors)[size], float (&addends)[size]) const {
      if constexpr (Place == kept_in::registers) {
        widen_anew<T>(factors_[i], factors);
        widen_anew<T>(addends_[i], addends);
      } else if constexpr (Place == kept_in::shared) {
        widen<T>(own_[2 * i * apart_], factors);
        widen<T>(own_[(2 * i + 1) * apart_], addends);
      } else {
        widen<T>(vector(gamma_, i, true, 1), factors);
        widen<T>(vector(beta_, i, true, 0), addends);
      }
    }

   private:
    __device__ uint4 vector(T const* from, int i, bool there, float otherwise) const {
      if (from && there) return __ldg(reinterpret_cast<uint4 const*>(from) + first_ + i * step_);
      return vector_of<T>(otherwise);
    }

    T const *gamma_, *beta_;
    index_t first_;
    int step_;
    uint4* own_;
    int apart_;
    uint4 factors_[Place == kept_in::registers ? Vectors : 1], addends_[Place == kept_in::registers ? Vectors : 1];
  };

  static __device__ float padding() { return 0; }
  static __device__ part nothing() { return {0, 0, 0, dolmen::detail::norm_limits<float>::largest_scale}; }

  template <int Lanes, class Registers>
  __device__ part measure(Registers& v, float elements) const {
    if constexpr (!scaled) return measure_scaled<Lanes>(v, elements, 1);
    float scale = 1;
    for (bool again = false;; again = true) {
      part const p = measure_scaled<Lanes>(v, elements, scale);
      bool const fits = elements == 0 || dolmen::detail::norm_fits(p.squares, given.eps);
      if (again || !__any_sync(0xffffffffu, !fits)) return elements == 0 ? nothing() : p;
      float const largest = largest_of<Lanes>(v);
      if (!fits) scale = dolmen::detail::norm_scale(largest, given.eps);
    }
  }
  /// Deviations from a mean that is not exact have a mean themselves.
  template <int Lanes, class Registers>
  __device__ part measure_scaled(Registers& v, float elements, float scale) const {
    float x[size], mean = 0, sum = 0, squares = 0;
    if (given.centred) {
#pragma unroll
      for (int i = 0; i < Registers::size; ++i) {
        v.get(i, x);
#pragma unroll
        for (float const e : x) sum = fmaf(e, scale, sum);
      }
      sum = sum_over<Lanes>(sum);
      mean = elements > 0 ? sum / elements : 0;
    }
    sum = 0;
#pragma unroll
    for (int i = 0; i < Registers::size; ++i) {
      v.get(i, x);
#pragma unroll
      for (float const e : x) {
        float const apart = v.there[i] ? fmaf(e, scale, -mean) : 0;
        sum += apart;
        squares = fmaf(apart, apart, squares);
      }
    }
    squares = sum_over<Lanes>(squares);
    if (!given.centred || elements == 0) return {0, 0, squares, scale};
    sum = sum_over<Lanes>(sum);
    float const low = sum / elements, around = fmaf(-sum, low, squares);
    return {mean, low, around < 0 ? 0 : around, scale};
  }
  template <int Lanes, class Registers>
  static __device__ float largest_of(Registers& v) {
    float x[size], largest = 0;
#pragma unroll
    for (int i = 0; i < Registers::size; ++i) {
      v.get(i, x);
#pragma unroll
      for (float const e : x) largest = fmaxf(largest, fabsf(e));
    }
    return most_over<Lanes>(largest);
  }
  /// Squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979). Means are taken from that of the first
  /// part on, which keeps their differences exact.
  template <int Lanes, int Parts>
  __device__ part merge(part const (&parts)[Parts], float const (&elements)[Parts], float width) const {
    float scale = 1, ratio[Parts], apart[Parts];
    if constexpr (scaled) {
      scale = parts[0].scale;
#pragma unroll
      for (int k = 1; k < Parts; ++k) scale = fminf(scale, parts[k].scale);
      scale = -most_over<Lanes>(-scale);
    }
#pragma unroll
    for (int k = 0; k < Parts; ++k) ratio[k] = scaled ? dolmen::detail::norm_ratio(scale, parts[k].scale) : 1;
    float mean = 0, low = 0, squares = 0;
    if (given.centred) {
      mean = __shfl_sync(0xffffffffu, parts[0].mean * ratio[0], 0);
#pragma unroll
      for (int k = 0; k < Parts; ++k) {
        apart[k] = fmaf(parts[k].low, ratio[k], fmaf(parts[k].mean, ratio[k], -mean));
        low = fmaf(elements[k], apart[k], low);
      }
      low = sum_over<Lanes>(low) / width;
    }
#pragma unroll
    for (int k = 0; k < Parts; ++k) {
      float const from_mean = given.centred ? apart[k] - low : 0;
      squares += parts[k].squares * ratio[k] * ratio[k] + elements[k] * from_mean * from_mean;
    }
    return {mean, low, sum_over<Lanes>(squares), scale};
  }
  template <class Registers>
  __device__ state finish(part const& row, part const&, float width) const {
    return {row.mean, row.low, 1 / sqrtf(dolmen::detail::norm_divisor(row.squares / width, given.eps, row.scale)), row.scale};
  }

  template <class Registers, class Weights>
  __device__ void apply(float (&x)[size], state const& s, Weights const& w, int i) const {
    float factors[size], addends[size];
    w.get(i, factors, addends);
#pragma unroll
    for (int j = 0; j < size; ++j) x[j] = (fmaf(x[j], scaled ? s.scale : 1, -s.mean) - s.low) * s.factor * factors[j] + addends[j];
  }
};

}  // namespace

template <class T>
bool launch_norm_vectors(stream const& s, row_plan<T> const& p, norm_weights<T> const& weights, source_location where) {
  auto const addresses = reinterpret_cast<std::uintptr_t>(weights.gamma) | reinterpret_cast<std::uintptr_t>(weights.beta);
  if (!whole_vectors(p) || addresses % 16 != 0) return false;
  impl::device_guard guard(s.device_index(), where);
  char const* const name = weights.centred ? "layer_norm" : "rms_norm";
  using work = norm_of_vectors<T>;
  if (p.width > most_vectors * per_vector<T>)
    return launch_ring<T, work, ring_shape<512, 4, 3, 1>>(s, name, p, {weights}, where) ||
           launch_ring<T, work, ring_shape<512, 8, 1, 1, kept_in::shared>>(s, name, p, {weights}, where);
  launch_vectors<T>(s, name, p, work{weights}, where);
  return true;
}

#define DOLMEN_NORM(T) template bool launch_norm_vectors(stream const&, row_plan<T> const&, norm_weights<T> const&, source_location);
DOLMEN_NORM(float)
DOLMEN_NORM(half)
DOLMEN_NORM(bfloat16)

}  // namespace dolmen::cuda
