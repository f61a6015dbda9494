// From a case's functions to entries of the registry.
#pragma once

#include <dolmen/dolmen.hpp>
#include <memory>
#include <utility>

#include "peers/peers.hpp"
#include "session.hpp"

namespace study {

/// A way to do the work of a case on its device data.
template <class Data>
struct variant {
  char const* name;
  void (*run)(Data&);
};
template <class Data>
using variants_of = std::vector<variant<Data>>;

/// `Data` is a problem in the memory of Data::backend: made from a session and a problem, with reset() and verify() as in
/// workspace. See arrays.hpp for the usual one.
template <class Data>
class workspace_of final : public workspace {
 public:
  workspace_of(session& s, problem_base const& p, variants_of<Data> variants)
      : data_(dynamic_cast<session_of<typename Data::backend>&>(s).stream(), p), variants_(std::move(variants)) {}
  void reset() override { data_.reset(); }
  void run(int v) override { variants_[std::size_t(v)].run(data_); }
  verdict verify() override { return data_.verify(); }

 private:
  Data data_;
  variants_of<Data> variants_;
};

template <class Data>
void add_benchmark(registry& r, std::shared_ptr<case_info const> info, variants_of<Data> variants) {
  std::vector<std::string> names;
  for (auto const& v : variants) names.emplace_back(v.name);
  r.push_back({std::move(info), Data::backend::name, std::move(names), [variants](session& s, problem_base const& p) {
                 return std::unique_ptr<workspace>(std::make_unique<workspace_of<Data>>(s, p, variants));
               }});
}

template <class T>
char const* type_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, dolmen::half>) return "half";
  if constexpr (std::is_same_v<T, std::int8_t>) return "int8";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
  return "int32";
}

/// Adds Case<B, T> for every backend B of this build. A case names its `data` and lists its variants(). Cases have external
/// linkage, as nvcc asks of functions that hold a DOLMEN_LAMBDA.
template <template <class, class> class Case, class T>
void add_case(registry& r, case_info info) {
  if (info.type.empty()) info.type = type_name<T>();
  auto const shared = std::make_shared<case_info const>(std::move(info));
#if DOLMEN_HAS_CPU
  if (!shared->cpu_sizes.empty()) add_benchmark(r, shared, Case<dolmen::cpu::backend, T>::variants());
#endif
#if DOLMEN_HAS_CUDA
  if (!shared->gpu_sizes.empty()) add_benchmark(r, shared, Case<dolmen::cuda::backend, T>::variants());
#endif
}

/// The variants of most cases: the portable one and its twin, the static functions `portable` and `by_hand` of Case.
template <class Case>
auto with_twin(char const* name = peers::name<typename Case::data::backend>) {
  return variants_of<typename Case::data>{{"dolmen", Case::portable}, {name, Case::by_hand}};
}

template <class B>
inline constexpr bool on_cpu = false;
#if DOLMEN_HAS_CPU
template <>
inline constexpr bool on_cpu<dolmen::cpu::backend> = true;
#endif

}  // namespace study
