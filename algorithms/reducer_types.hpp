// The library's own reducers by families: M(reducer) for each, where a backend instantiates its bodies.
#pragma once

#include "reducers.hpp"

namespace dolmen::detail {

// Short names, so that the lists below fit their lines.
template <class T, class V = typename sum_type<T>::type>
using plus_of = op_reducer<T, V, plus>;
template <class T, class V = typename sum_type<T>::type>
using product_of = op_reducer<T, V, multiplies>;
template <class T, class V = typename sum_type<T>::type>
using dot_of = dot_reducer<T, V>;
template <class T>
using least_of = op_reducer<T, exact_t<T>, minimum, T>;
template <class T>
using greatest_of = op_reducer<T, exact_t<T>, maximum, T>;
template <class T>
using argmin_of = arg_reducer<T, minimum>;
template <class T>
using argmax_of = arg_reducer<T, maximum>;
template <class T>
using count_of = nonzero_reducer<T, index_t>;
template <class T>
using question_of = nonzero_reducer<T, bool>;

}  // namespace dolmen::detail

#define DOLMEN_EACH_NUMBER_OF(M, reducer) \
  M(reducer<std::int8_t>)                 \
  M(reducer<std::int16_t>)                \
  M(reducer<std::int32_t>)                \
  M(reducer<std::int64_t>)                \
  M(reducer<std::uint8_t>)                \
  M(reducer<std::uint16_t>)               \
  M(reducer<std::uint32_t>)               \
  M(reducer<std::uint64_t>) M(reducer<float>) M(reducer<double>) M(reducer<half>) M(reducer<bfloat16>)
/// For families that also have float in double.
#define DOLMEN_EACH_SUM_OF(M, reducer) DOLMEN_EACH_NUMBER_OF(M, reducer) M(reducer<float, double>)

#define DOLMEN_EACH_SUM_REDUCER(M) DOLMEN_EACH_SUM_OF(M, plus_of)
#define DOLMEN_EACH_PRODUCT_REDUCER(M) DOLMEN_EACH_SUM_OF(M, product_of)
#define DOLMEN_EACH_DOT_REDUCER(M) DOLMEN_EACH_SUM_OF(M, dot_of)
#define DOLMEN_EACH_EXTREME_REDUCER(M) DOLMEN_EACH_NUMBER_OF(M, least_of) DOLMEN_EACH_NUMBER_OF(M, greatest_of)
#define DOLMEN_EACH_MINMAX_REDUCER(M) DOLMEN_EACH_NUMBER_OF(M, minmax_reducer)
#define DOLMEN_EACH_ARG_REDUCER(M) DOLMEN_EACH_NUMBER_OF(M, argmin_of) DOLMEN_EACH_NUMBER_OF(M, argmax_of)
#define DOLMEN_EACH_NONZERO_REDUCER(M) DOLMEN_EACH_NUMBER_OF(M, count_of) DOLMEN_EACH_NUMBER_OF(M, question_of)

// The body of one reduction, of a backend's namespace.
#define DOLMEN_REDUCE(...)                                                                                                                \
  template DOLMEN_API void launch_reduce(stream const&, __VA_ARGS__ const&, strided_runs<__VA_ARGS__::first, __VA_ARGS__::second> const&, \
                                         __VA_ARGS__::result*, source_location);

// The bodies of one reduction along rows, and along columns, of a backend's namespace.
#define DOLMEN_REDUCE_ROWS(...)                                                                                               \
  template DOLMEN_API void launch_reduce_rows(stream const&, __VA_ARGS__ const&, rows_plan const&, __VA_ARGS__::first const*, \
                                              __VA_ARGS__::result*, source_location);
#define DOLMEN_REDUCE_BOTH(...)                                                                                                  \
  DOLMEN_REDUCE_ROWS(__VA_ARGS__)                                                                                                \
  template DOLMEN_API void launch_reduce_columns(stream const&, __VA_ARGS__ const&, rows_plan const&, __VA_ARGS__::first const*, \
                                                 __VA_ARGS__::result*, source_location);
