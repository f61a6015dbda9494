// Every test body runs on each backend of the build:
//
//   TEST_CASE_TEMPLATE("fill: nothing outside the view", B, DOLMEN_TEST_BACKENDS) { typename B::stream s; ... }
//
// The instances are named "...<cpu>", "...<cuda>"; main.cpp picks those of one backend.
#pragma once

#include <doctest/doctest.h>

#include <dolmen/dolmen.hpp>

#if DOLMEN_HAS_CPU
TYPE_TO_STRING_AS("cpu", dolmen::cpu::backend);
#endif
#if DOLMEN_HAS_CUDA
TYPE_TO_STRING_AS("cuda", dolmen::cuda::backend);
#endif

#if DOLMEN_HAS_CHECK
TYPE_TO_STRING_AS("check", dolmen::check::backend);
#endif

#if DOLMEN_HAS_CHECK
#define DOLMEN_TEST_BACKENDS dolmen::check::backend
#elif DOLMEN_HAS_CPU && DOLMEN_HAS_CUDA
#define DOLMEN_TEST_BACKENDS dolmen::cpu::backend, dolmen::cuda::backend
#elif DOLMEN_HAS_CUDA
#define DOLMEN_TEST_BACKENDS dolmen::cuda::backend
#else
#define DOLMEN_TEST_BACKENDS dolmen::cpu::backend
#endif

/// The check backend hands out addresses again only when it has to, so that late uses are found: it has a pool that caches nothing.
template <class B>
inline constexpr bool is_check = DOLMEN_HAS_CHECK != 0;

/// On the CPU, as the check backend is too: operations are over when the call returns.
#if DOLMEN_HAS_CHECK
#define DOLMEN_TEST_CPU_BACKEND dolmen::check::backend
template <class B>
inline constexpr bool is_cpu = true;
#elif DOLMEN_HAS_CPU
#define DOLMEN_TEST_CPU_BACKEND dolmen::cpu::backend
template <class B>
inline constexpr bool is_cpu = std::is_same_v<B, dolmen::cpu::backend>;
#else
template <class B>
inline constexpr bool is_cpu = false;
#endif
