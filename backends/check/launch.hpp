// Launching under the check backend: blocks run on its own threads, in a shuffled order.
#pragma once

#include <type_traits>
#include <typeinfo>

#include "../../core/cooperative.hpp"
#include "../../core/facts.hpp"
#include "../../core/launch.hpp"
#include "block.hpp"
#include "host_pointers.hpp"
#include "shared_names.hpp"
#include "stream.hpp"

namespace dolmen::check {

namespace impl {

/// What the executor needs of a kernel: runs one block on the calling thread, whose monitor is set. A call through two
/// pointers; refers to a callable that outlives it.
class block_body {
 public:
  template <class F>
  requires(!std::same_as<F, block_body>) block_body(F const& f)
      : object_(&f), call_([](void const* object, block_index place, block_index grid, emulation::scratch& memory, char* shared) {
          (*static_cast<F const*>(object))(place, grid, memory, shared);
        }) {}
  void operator()(block_index place, block_index grid, emulation::scratch& memory, char* shared) const {
    call_(object_, place, grid, memory, shared);
  }

 private:
  void const* object_;
  void (*call_)(void const*, block_index, block_index, emulation::scratch&, char*);
};

/// Shared memory of a kernel, and its members where they are known.
struct shared_request {
  std::size_t bytes;
  shared_layout const* layout;
};

/// Runs all blocks and reports what was found. The first exception of a block is rethrown here.
DOLMEN_API void run_blocks(stream const& s, char const* kernel, dolmen::grid blocks, shared_request shared, bool cooperative,
                           block_body const& body, source_location where);
/// Blocks of a cooperative launch that can run at once.
DOLMEN_API int most_at_once();

template <class Kernel, class Block>
[[gnu::noinline]] void call_kernel_apart(Kernel const& kernel, Block& current, detail::shared_t<Kernel>& shared) {
  detail::call_kernel(kernel, current, shared);
}

// The kernel's frames lie between this function's and those of its phases.
template <class Kernel, class Block>
[[gnu::noinline]] void call_in_frame(Kernel const& kernel, Block& current, detail::shared_t<Kernel>& shared) {
  launcher_frame = static_cast<char*>(__builtin_frame_address(0));
  call_kernel_apart(kernel, current, shared);
  launcher_frame = nullptr;
}

/// `Named` is the type by which reports know the kernel.
template <class Named, class Kernel>
void run_kernel(stream const& s, dolmen::grid blocks, Kernel const& kernel, bool cooperative, source_location where) {
  using shared = detail::shared_t<Kernel>;
  run_blocks(
      s, typeid(Named).name(), blocks, {detail::shared_bytes<Kernel>, layout_of<shared>()}, cooperative,
      [&](block_index place, block_index grid, emulation::scratch& memory, char* raw) {
        Kernel const local = kernel;
        block<typename Kernel::shape> current(place, grid, memory);
        call_in_frame(local, current, *reinterpret_cast<shared*>(raw));
      },
      where);
}

/// for_each_index as a kernel of 256 threads per block.
template <class Body, int Rank>
struct each_kernel {
  using shape = block_shape<256>;
  Body body;
  extents<Rank> space;
  index_t count;
  source_location where;
  template <class Block>
  void operator()(Block& b) const {
    auto const first = b.first_index();
    auto const call = [&](thread t) {
      index_t const i = first + t.rank;
      if constexpr (Rank == 1)
        body(i);
      else if constexpr (Rank == 2)
        body(i / space[1], i % space[1]);
      else
        body(i / (space[1] * space[2]), i / space[2] % space[1], i % space[2]);
    };
    b.each_thread(count - first, call, where);
  }
};

}  // namespace impl

/// Runs a kernel on the host's own memory, which is not watched, with shared memory, which is. For tests of single kernels.
template <class Kernel>
void launch(dolmen::grid blocks, Kernel const& kernel, source_location where = source_location::current()) {
  dolmen::detail::require_kernel_file<Kernel>();
  impl::run_kernel<Kernel>(stream(), blocks, kernel, false, where);
}

template <class Kernel>
void launch_kernel(stream const& s, dolmen::grid blocks, Kernel const& kernel, source_location where) {
  impl::look_for_host_pointers(kernel, where);
  impl::run_kernel<Kernel>(s, blocks, kernel, false, where);
}

template <class Kernel>
void launch_cooperative_kernel(stream const& s, dolmen::grid blocks, Kernel const& kernel, source_location where) {
  impl::look_for_host_pointers(kernel, where);
  impl::run_kernel<Kernel>(s, blocks, kernel, true, where);
}

template <int Rank, class Body>
void launch_each(stream const& s, extents<Rank> shape, Body const& body, source_location where) {
  index_t const count = shape.volume();
  impl::look_for_host_pointers(body, where);
  impl::run_kernel<Body>(s, dolmen::grid(ceil_div(count, index_t(256))), impl::each_kernel<Body, Rank>{body, shape, count, where}, false,
                         where);
}

template <class Kernel>
kernel_properties properties_of(stream const&, std::type_identity<Kernel>, source_location) {
  kernel_properties p;
  p.static_shared_bytes = index_t(detail::shared_bytes<Kernel>);
  p.multiprocessors = impl::most_at_once();
  return p;
}
template <class Kernel>
kernel_properties cooperative_properties_of(stream const& s, std::type_identity<Kernel> k, source_location where) {
  return properties_of(s, k, where);
}

}  // namespace dolmen::check
