// How a thread computes with floating-point numbers. Workers compute as the thread does that called for them.
#pragma once

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace dolmen::emulation {

/// Rounding, treatment of subnormal numbers, and which exceptions trap; not which ones have been raised so far.
class float_environment {
 public:
  /// The calling thread's.
#if defined(__x86_64__)
  float_environment() noexcept : vectors_(__builtin_ia32_stmxcsr() & ~raised) { asm volatile("fnstcw %0" : "=m"(x87_)); }
  void set() const noexcept {
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & raised) | vectors_);
    asm volatile("fldcw %0" : : "m"(x87_));
  }
  bool operator==(float_environment const&) const = default;

 private:
  static constexpr unsigned raised = 0x3f;
  unsigned vectors_;
  unsigned short x87_;
#elif defined(__aarch64__)
  float_environment() noexcept { asm volatile("mrs %0, fpcr" : "=r"(control_)); }
  void set() const noexcept { asm volatile("msr fpcr, %0" : : "r"(control_)); }
  bool operator==(float_environment const&) const = default;

 private:
  unsigned long control_;
#else  // what C++ knows of it
  float_environment() noexcept : rounding_(std::fegetround()) {}
  void set() const noexcept { std::fesetround(rounding_); }
  bool operator==(float_environment const&) const = default;

 private:
  int rounding_;
#endif
};

/// The calling thread computes in this environment as long as this object lives.
class float_scope {
 public:
  explicit float_scope(float_environment const& wanted) noexcept : changed_(!(before_ == wanted)) {
    if (changed_) wanted.set();
  }
  float_scope(float_scope const&) = delete;
  ~float_scope() {
    if (changed_) before_.set();
  }

 private:
  float_environment const before_;
  bool const changed_;
};

}  // namespace dolmen::emulation
