#include "row_ring.cuh"
#include "row_vectors.hpp"

namespace dolmen::cuda {
namespace {

using dolmen::detail::norm_weights;

template <class T>
struct norm_of_vectors {
  static constexpr int size = per_vector<T>;
  struct state {
    float mean, factor;
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
  static __device__ row_part nothing() { return {0, 0}; }

  template <int Lanes, class Registers>
  __device__ row_part measure(Registers& v, float elements) const {
    float x[size], mean = 0, squares = 0;
    if (given.centred) {
      float sum = 0;
#pragma unroll
      for (int i = 0; i < Registers::size; ++i) {
        v.get(i, x);
#pragma unroll
        for (float const e : x) sum += e;
      }
      sum = sum_over<Lanes>(sum);
      mean = elements > 0 ? sum / elements : 0;
    }
#pragma unroll
    for (int i = 0; i < Registers::size; ++i) {
      v.get(i, x);
#pragma unroll
      for (float const e : x) squares += v.there[i] ? (e - mean) * (e - mean) : 0;
    }
    return {mean, sum_over<Lanes>(squares)};
  }
  /// Squares are moved to the common mean (Chan, Golub and LeVeque, Updating Formulae, 1979).
  template <int Lanes, int Parts>
  __device__ row_part merge(row_part const (&parts)[Parts], float const (&elements)[Parts], float width) const {
    float mean = 0, squares = 0;
    if (given.centred) {
#pragma unroll
      for (int k = 0; k < Parts; ++k) mean += elements[k] * parts[k].first;
      mean = sum_over<Lanes>(mean) / width;
    }
#pragma unroll
    for (int k = 0; k < Parts; ++k) {
      float const apart = parts[k].first - mean;
      squares += parts[k].second + elements[k] * apart * apart;
    }
    return {mean, sum_over<Lanes>(squares)};
  }
  template <class Registers>
  __device__ state finish(row_part const& row, row_part const&, float width) const {
    return {row.first, 1 / sqrtf(row.second / width + given.eps)};
  }

  template <class Registers, class Weights>
  __device__ void apply(float (&x)[size], state const& s, Weights const& w, int i) const {
    float factors[size], addends[size];
    w.get(i, factors, addends);
#pragma unroll
    for (int j = 0; j < size; ++j) x[j] = (x[j] - s.mean) * s.factor * factors[j] + addends[j];
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
