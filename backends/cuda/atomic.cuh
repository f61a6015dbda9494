// Atomic operations on a GPU: CUDA's own, which are relaxed, between the fences that the order asks for.
#pragma once

#include "../../core/atomic.hpp"

namespace dolmen::detail {

template <>
struct device_atomics<void> {
  static __device__ __forceinline__ void fence(memory_order order, memory_scope scope) {
    if (order == memory_order::relaxed) return;
    if (scope == memory_scope::block)
      asm volatile("fence.acq_rel.cta;" : : : "memory");
    else
      asm volatile("fence.acq_rel.gpu;" : : : "memory");
  }
};

template <class T>
struct device_atomics {
  static __device__ __forceinline__ T load(T* cell, memory_order order, memory_scope scope) {
    T const value = relaxed_load(cell, scope);
    after(order, scope);
    return value;
  }

  static __device__ __forceinline__ void store(T* cell, T value, memory_order order, memory_scope scope) {
    before(order, scope);
    relaxed_store(cell, value, scope);
  }

  static __device__ __forceinline__ T exchange(T* cell, T value, memory_order order, memory_scope scope) {
    word* const p = as<word>(cell);
    word const x = bits(value);
    before(order, scope);
    word const old = scope == memory_scope::block ? atomicExch_block(p, x) : atomicExch(p, x);
    after(order, scope);
    return from(old);
  }

  static __device__ __forceinline__ bool compare_exchange(T* cell, T& expected, T desired, memory_order order, memory_scope scope) {
    before(order, scope);
    T const seen = swap_if(cell, expected, desired, scope);
    after(order, scope);
    bool const same = bits(seen) == bits(expected);
    expected = seen;
    return same;
  }

  static __device__ __forceinline__ T fetch_add(T* cell, T x, memory_order order, memory_scope scope) {
    before(order, scope);
    T old;
    if constexpr (atomic_integer<T>) {  // wraps, so the sign does not matter
      word* const p = as<word>(cell);
      old = from(scope == memory_scope::block ? atomicAdd_block(p, bits(x)) : atomicAdd(p, bits(x)));
    } else {
      old = scope == memory_scope::block ? atomicAdd_block(cell, x) : atomicAdd(cell, x);
    }
    after(order, scope);
    return old;
  }

  static __device__ __forceinline__ T fetch_min(T* cell, T x, memory_order order, memory_scope scope) {
    if constexpr (atomic_integer<T>) {
      number* const p = as<number>(cell);
      number const y = static_cast<number>(x);
      before(order, scope);
      number const old = scope == memory_scope::block ? atomicMin_block(p, y) : atomicMin(p, y);
      after(order, scope);
      return static_cast<T>(old);
    } else {
      return replace(cell, x, order, scope, [x](T old) { return lowers(old, x); });
    }
  }
  static __device__ __forceinline__ T fetch_max(T* cell, T x, memory_order order, memory_scope scope) {
    if constexpr (atomic_integer<T>) {
      number* const p = as<number>(cell);
      number const y = static_cast<number>(x);
      before(order, scope);
      number const old = scope == memory_scope::block ? atomicMax_block(p, y) : atomicMax(p, y);
      after(order, scope);
      return static_cast<T>(old);
    } else {
      return replace(cell, x, order, scope, [x](T old) { return raises(old, x); });
    }
  }

  static __device__ __forceinline__ T fetch_and(T* cell, T x, memory_order order, memory_scope scope) {
    word* const p = as<word>(cell);
    before(order, scope);
    word const old = scope == memory_scope::block ? atomicAnd_block(p, bits(x)) : atomicAnd(p, bits(x));
    after(order, scope);
    return from(old);
  }
  static __device__ __forceinline__ T fetch_or(T* cell, T x, memory_order order, memory_scope scope) {
    word* const p = as<word>(cell);
    before(order, scope);
    word const old = scope == memory_scope::block ? atomicOr_block(p, bits(x)) : atomicOr(p, bits(x));
    after(order, scope);
    return from(old);
  }
  static __device__ __forceinline__ T fetch_xor(T* cell, T x, memory_order order, memory_scope scope) {
    word* const p = as<word>(cell);
    before(order, scope);
    word const old = scope == memory_scope::block ? atomicXor_block(p, bits(x)) : atomicXor(p, bits(x));
    after(order, scope);
    return from(old);
  }

 private:
  // The types for which CUDA has overloads.
  using word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  using number = std::conditional_t<std::is_unsigned_v<T>, word, std::make_signed_t<word>>;

  template <class U>
  static __device__ __forceinline__ U* as(T* cell) {
    return reinterpret_cast<U*>(cell);
  }
  static __device__ __forceinline__ word bits(T value) { return __builtin_bit_cast(word, value); }
  static __device__ __forceinline__ T from(word value) { return __builtin_bit_cast(T, value); }

  static __device__ __forceinline__ void before(memory_order order, memory_scope scope) {
    if (releases(order)) device_atomics<void>::fence(memory_order::release, scope);
  }
  static __device__ __forceinline__ void after(memory_order order, memory_scope scope) {
    if (acquires(order)) device_atomics<void>::fence(memory_order::acquire, scope);
  }

  static __device__ __forceinline__ T swap_if(T* cell, T expected, T desired, memory_scope scope) {
    word* const p = as<word>(cell);
    return from(scope == memory_scope::block ? atomicCAS_block(p, bits(expected), bits(desired))
                                             : atomicCAS(p, bits(expected), bits(desired)));
  }

  // Nothing is written where nothing changes, unless the write is what releases.
  template <class Replaces>
  static __device__ __forceinline__ T replace(T* cell, T x, memory_order order, memory_scope scope, Replaces replaces) {
    before(order, scope);
    T old = relaxed_load(cell, scope);
    while (true) {
      bool const changes = replaces(old);
      if (!changes && !releases(order)) break;
      T const seen = swap_if(cell, old, changes ? x : old, scope);
      if (bits(seen) == bits(old)) break;
      old = seen;
    }
    after(order, scope);
    return old;
  }

  // Relaxed, yet seen by the compiler as touching memory: it must not move this thread's plain accesses of the same element
  // across. The addresses are generic.
  static __device__ __forceinline__ T relaxed_load(T* cell, memory_scope scope) {
    word value;
    if constexpr (sizeof(T) == 4) {
      if (scope == memory_scope::block)
        asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(value) : "l"(cell) : "memory");
      else
        asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(cell) : "memory");
    } else {
      if (scope == memory_scope::block)
        asm volatile("ld.relaxed.cta.u64 %0, [%1];" : "=l"(value) : "l"(cell) : "memory");
      else
        asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(cell) : "memory");
    }
    return from(value);
  }
  static __device__ __forceinline__ void relaxed_store(T* cell, T value, memory_scope scope) {
    if constexpr (sizeof(T) == 4) {
      if (scope == memory_scope::block)
        asm volatile("st.relaxed.cta.u32 [%0], %1;" : : "l"(cell), "r"(bits(value)) : "memory");
      else
        asm volatile("st.relaxed.gpu.u32 [%0], %1;" : : "l"(cell), "r"(bits(value)) : "memory");
    } else {
      if (scope == memory_scope::block)
        asm volatile("st.relaxed.cta.u64 [%0], %1;" : : "l"(cell), "l"(bits(value)) : "memory");
      else
        asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(cell), "l"(bits(value)) : "memory");
    }
  }
};

}  // namespace dolmen::detail
