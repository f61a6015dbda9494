// What the blocks of the documentation find around them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <dolmen/dolmen.hpp>
#if DOLMEN_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

#define DOLMEN_SNIPPET_PARAMETERS                                                                                        \
  [[maybe_unused]] dolmen::stream &stream, [[maybe_unused]] dolmen::index_t n, [[maybe_unused]] std::vector<float>&host, \
      [[maybe_unused]] dolmen::buffer<float>&in, [[maybe_unused]] dolmen::buffer<float>&out

inline void run_statements(void (*statements)(DOLMEN_SNIPPET_PARAMETERS)) {
  constexpr dolmen::index_t n = 1000;
  std::vector<float> host(n, 1.0f);
  dolmen::stream stream;
  dolmen::buffer<float> in = dolmen::upload(stream, host), out = dolmen::upload(stream, host);
  statements(stream, n, host, in, out);
  stream.synchronize();
}

// A kernel that must not compile is shown to the C++ compiler, which takes launches on the CPU only.
#if DOLMEN_HAS_CUDA && !defined(__CUDACC__)
using block_stream = dolmen::cpu::stream;
#else
using block_stream = dolmen::stream;
#endif

/// Runs a kernel that has `in` and `out` on four blocks.
template <class Kernel>
void run_block() {
  block_stream stream;
  std::vector<float> const ones(1024, 1.0f);
  auto in = dolmen::upload(stream, ones), out = dolmen::upload(stream, ones);
  dolmen::launch(stream, dolmen::grid(4), Kernel{in, out});
  stream.synchronize();
}

#if DOLMEN_HAS_CHECK
/// Runs what has a mistake of that kind, and is lost if it is not reported, or another one is.
template <class Mistaken>
void with_finding(dolmen::check::kind k, Mistaken const& mistaken) {
  dolmen::check::expect_findings const expected;
  mistaken();
  auto const found = dolmen::check::take_findings();
  if (found.empty()) throw std::runtime_error("no finding, though the page says that there is one");
  for (auto const& f : found)
    if (f.what != k) throw std::runtime_error("an unexpected finding: " + f.text);
}
#endif

inline int run_page(void (*page)()) {
  try {
    page();
    return 0;
  } catch (std::exception const& failure) {
    std::puts(failure.what());
    return 1;
  }
}
