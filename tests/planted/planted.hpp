// Planted mistakes: programs that are wrong on purpose, each with its right twin in the same text.
//
//   template <bool Right>
//   struct sums {                                       // a kernel from `in` to `out`, see kernel_case below
//     ...
//     block.each_thread([&](thread t) { mem.staged(t.rank) = in(t.rank); });     // @sums:second
//     if constexpr (Right) block.sync();
//     block.each_thread([&](thread t) { out(t.rank) = mem.staged.load(63 - t.rank); });     // @sums:first
//   };
//   template <bool Right>
//   bool waits(stream const& s) { ... }                 // a host program; true: its results are right
//
// Marks at the ends of lines say which lines the report names: `first` is the later access, `second` the earlier one, and
// `maybe` a line that it may name as well. The harness reads them from the source file. Each file ends in a table of its cases.
// Only default_backend is used, so the same files run on the cpu, cuda and check backends.
#pragma once

#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include <dolmen/dolmen.hpp>

namespace planted {

using namespace dolmen;
using ints = std::vector<int>;

#if DOLMEN_HAS_CHECK
using check::kind;
#else
enum class kind {
  out_of_bounds,
  race,
  same_value,
  uninitialised,
  misaligned,
  pending_copy,
  block_scope_write,
  sync_in_phase,
  divergent,
  spin,
  host_access,
  use_after_free,
  double_free,
  leak,
  copy_overrun,
  bad_handle,
  stream_order,
  early_read,
  host_pointer,
};
#endif

/// Where the wrong program makes sense.
enum class runs {
  everywhere,
  off_gpu,  // not on a GPU: it would end the process, or is no mistake there
  alone     // as off_gpu, and in a process of its own, whose output and status are the finding
};

struct test_case {
  char const* name;
  std::vector<kind> kinds;  // the finding is one of these; none: there is nothing to find
  std::function<bool(stream const&)> wrong, right;
  runs where = runs::everywhere;
  char const* marks = nullptr;  // where several cases share one text; else the name

  std::string marked() const { return marks ? marks : name; }
};

/// The cases of one source file. Objects of static storage; they find each other.
struct family {
  char const* name;
  char const* file;
  std::vector<test_case> cases;
  family const* next;
  static inline family const* all = nullptr;

  family(char const* name, char const* file, std::vector<test_case> cases) : name(name), file(file), cases(std::move(cases)), next(all) {
    all = this;
  }
  family(family const&) = delete;
};

/// Calls body(family, case) for all cases.
template <class Body>
void each_case(Body&& body) {
  for (auto* f = family::all; f; f = f->next)
    for (auto const& c : f->cases) body(*f, c);
}

/// Elements of `in` and `out`, and blocks of the launch.
struct sizes {
  index_t in, out, blocks;
};

/// Small whole numbers, no two neighbours alike.
inline ints numbers(index_t n) {
  ints values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = int(i * 7 % 11) + 1;
  return values;
}

/// Their sum, as the one element of a result.
inline ints total(ints const& in) {
  ints out(1);
  for (int x : in) out[0] += x;
  return out;
}

/// True if a buffer holds what it should. A wrong program is only run to its end: what it leaves is nobody's business, and
/// reading it could be a finding of its own.
template <bool Right, class T>
bool holds(stream const& s, buffer<T> const& data, std::vector<T> const& expected) {
  if constexpr (!Right) {
    s.synchronize();
    return true;
  } else {
    return download(s, data) == expected;
  }
}

/// Thrown by a case that cannot run here: nothing was seen, which is neither right nor wrong.
struct not_run : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Kernel>
concept cooperative = requires {
  Kernel::needs_cooperative;
};

/// Throws not_run where the device cannot hold the blocks of a cooperative launch at once.
template <class Kernel>
void require_blocks(stream const& s, index_t blocks) {
  if (index_t const most = max_cooperative_blocks<Kernel>(s); most < blocks)
    throw not_run(detail::text("needs ", blocks, " blocks at once, the device holds ", most));
}

/// Runs Kernel{in, out} on numbers and zeros. A kernel that says `needs_cooperative` is launched so.
template <class Kernel, bool Right>
bool run_kernel(stream const& s, sizes n, ints (*expected)(ints const&)) {
  ints const in = numbers(n.in);
  auto const source = upload(s, in);
  auto target = upload(s, ints(static_cast<std::size_t>(n.out)));
  Kernel const kernel{source.view(), target.view()};
  if constexpr (cooperative<Kernel>) {
    require_blocks<Kernel>(s, n.blocks);
    launch_cooperative(s, grid(n.blocks), kernel);
  } else {
    launch(s, grid(n.blocks), kernel);
  }
  return holds<Right>(s, target, expected(in));
}

/// A case that is one kernel with the members view<int const> in and view<int> out; out begins as zeros.
template <template <bool> class Kernel>
test_case kernel_case(char const* name, std::vector<kind> kinds, sizes n, ints (*expected)(ints const&), runs where = runs::everywhere) {
  return {name, std::move(kinds), [=](stream const& s) { return run_kernel<Kernel<false>, false>(s, n, expected); },
          [=](stream const& s) { return run_kernel<Kernel<true>, true>(s, n, expected); }, where};
}

}  // namespace planted
