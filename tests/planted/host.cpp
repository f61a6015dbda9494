// Around kernels: lifetimes, copies past the end, handles, and host code that touches device memory.
#include <cstring>
#include <memory>
#include <utility>

#include "planted.hpp"

namespace planted {

// A kernel that has kept a view.
struct adds_to_view {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(in.size() - first, [&](thread t) { out(first + t.rank) = in(first + t.rank) + 1; });  // @adds_to_view:first
  }
};

struct holds_view {
  using shape = block_shape<64>;
  view<int> data;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    block.each_thread([&](thread t) { data(t.rank) = t.rank; });  // @holds_view:first
  }
};

namespace {

ints all(int value, std::size_t count = 100) { return ints(count, value); }

// --- lifetimes ------------------------------------------------------------------------------------------------------------

template <bool Right>
bool stale_view(stream const& s) {
  buffer<int> in(s, 100);  // @adds_to_view:maybe
  buffer<int> out(s, 100);
  fill(s, in, 4);
  view<int const> const kept = in.view();
  if constexpr (!Right) in.free();  // @adds_to_view:maybe
  launch(s, grid(2), adds_to_view{kept, out.view()});
  return holds<Right>(s, out, all(5));
}

// A buffer that grew: the view is of its old memory.
template <bool Right>
bool view_before_growth(stream const& s) {
  buffer<int> data(s, 64);  // @holds_view:maybe
  view<int> kept = data.view();
  data = buffer<int>(s, 128);  // @holds_view:maybe
  fill(s, data, 1);
  if constexpr (Right) kept = data.view();
  launch(s, grid(1), holds_view{kept});
  ints expected(128, 1);
  for (int i = 0; i < 64; ++i) expected[std::size_t(i)] = i;
  return holds<Right>(s, data, expected);
}

template <bool Right>
bool returned_view(stream const& s) {
  std::unique_ptr<buffer<int>> owner;
  auto const make = [&] {
    std::unique_ptr<buffer<int>> data(new buffer<int>(s, 64));  // @holds_view:maybe
    fill(s, *data, 3);
    view<int> const v = data->view();
    if constexpr (Right) owner = std::move(data);
    return v;
  };
  view<int> const kept = make();
  launch(s, grid(1), holds_view{kept});
  ints expected(64);
  for (int i = 0; i < 64; ++i) expected[std::size_t(i)] = i;
  s.synchronize();
  return !Right || download(s, *owner) == expected;
}

template <bool Right>
bool copies_from_freed(stream const& s) {
  buffer<int> in(s, 100);  // @copies_from_freed:maybe
  buffer<int> out(s, 100);
  fill(s, in, 4);
  view<int const> const kept = in.view();
  if constexpr (!Right) in.free();  // @copies_from_freed:maybe
  copy(s, kept, out);               // @copies_from_freed:first
  return holds<Right>(s, out, all(4));
}

template <bool Right>
bool fills_freed(stream const& s) {
  buffer<int> out(s, 100);  // @fills_freed:maybe
  view<int> const kept = out.view();
  if constexpr (!Right) out.free();  // @fills_freed:maybe
  fill(s, kept, 4);                  // @fills_freed:first
  return holds<Right>(s, out, Right ? all(4) : ints());
}

// Below the handles: what a backend's allocation functions take.
template <bool Right>
bool freed_twice(stream const& s) {
  auto const memory = default_backend::allocate(s, 400, memory::pooled, source_location::current());  // @freed_twice:maybe
  default_backend::release(memory, s);
  if constexpr (!Right) default_backend::release(memory, s);
  s.synchronize();
  return true;
}

template <bool Right>
bool direct_freed_twice(stream const& s) {
  auto const memory = default_backend::allocate(s, 400, memory::direct, source_location::current());  // @direct_freed_twice:maybe
  default_backend::release(memory, s);
  if constexpr (!Right) default_backend::release(memory, s);
  s.synchronize();
  return true;
}

template <bool Right>
bool pinned_freed_twice(stream const&) {
  void* const memory = default_backend::allocate_pinned(400, source_location::current());  // @pinned_freed_twice:maybe
  default_backend::release_pinned(memory);
  if constexpr (!Right) default_backend::release_pinned(memory);
  return true;
}

template <bool Right>
bool leaked(stream const& s) {
  std::unique_ptr<buffer<int>> data(new buffer<int>(s, 100));  // @leaked:first
  fill(s, *data, 4);
  if constexpr (!Right) static_cast<void>(data.release());
  s.synchronize();
  return true;
}

template <bool Right>
bool leaked_pinned(stream const& s) {
  std::unique_ptr<pinned_buffer<int>> host(new pinned_buffer<int>(100));  // @leaked_pinned:first
  buffer<int> const data(s, 100);
  for (int& x : *host) x = 1;
  if constexpr (!Right) static_cast<void>(host.release());
  s.synchronize();
  return true;
}

// A buffer that lives until the process ends is freed there, and is no leak.
template <bool Right>
bool leaked_global(stream const& s) {
  static buffer<int> kept;
  kept = buffer<int>(s, 100);  // @leaked_global:first
  fill(s, kept, 4);
  s.synchronize();
  if constexpr (!Right) static_cast<void>(new buffer<int>(std::move(kept)));
  return true;
}

// --- copies past the end ----------------------------------------------------------------------------------------------------

template <bool Right>
bool downloads_too_much(stream const& s) {
  buffer<int> in(s, 100);  // @downloads_too_much:maybe
  fill(s, in, 4);
  index_t const count = Right ? 100 : 101;
  ints host(static_cast<std::size_t>(count));
  copy(s, view<int const>(std::as_const(in).data(), count), host);  // @downloads_too_much:first
  s.synchronize();
  return !Right || host == all(4);
}

template <bool Right>
bool uploads_too_much(stream const& s) {
  buffer<int> out(s, 100);  // @uploads_too_much:maybe
  ints const host(Right ? 100 : 128, 4);
  copy(s, host, view<int>(out.data(), index_t(host.size())));  // @uploads_too_much:first
  return holds<Right>(s, out, all(4));
}

template <bool Right>
bool fills_too_much(stream const& s) {
  buffer<int> out(s, 100);                               // @fills_too_much:maybe
  fill(s, view<int>(out.data(), Right ? 100 : 400), 4);  // @fills_too_much:first
  return holds<Right>(s, out, all(4));
}

// Bytes where elements are meant, from the middle on.
template <bool Right>
bool copies_too_much(stream const& s) {
  buffer<int> in(s, 200);   // @copies_too_much:maybe
  buffer<int> out(s, 100);  // @copies_too_much:maybe
  fill(s, in, 4);
  index_t const count = Right ? 100 : 101;
  copy(s, in.view().slice(0, count), view<int>(out.data(), count));  // @copies_too_much:first
  return holds<Right>(s, out, all(4));
}

// Only the last row leaves the allocation.
template <bool Right>
bool last_row_too_far(stream const& s) {
  buffer<int> in(s, 100);  // @last_row_too_far:maybe
  fill(s, in, 4);
  index_t const stride = Right ? 10 : 11;
  view<int const, 2> const rows(std::as_const(in).data(), {{10, 10}}, {{stride}});
  ints host(100);
  copy(s, rows, host);  // @last_row_too_far:first
  s.synchronize();
  return !Right || host == all(4);
}

template <bool Right>
bool sums_too_much(stream const& s) {
  buffer<int> in(s, 100);  // @sums_too_much:maybe
  fill(s, in, 4);
  auto const total = sum(s, view<int const>(std::as_const(in).data(), Right ? 100 : 101));  // @sums_too_much:first
  return !Right || total == 400;
}

// --- handles ----------------------------------------------------------------------------------------------------------------

template <bool Right>
bool no_stream(stream const& s) {
  stream target(nullptr);
  if constexpr (Right) target = s;
  buffer<int> out(s, 100);
  fill(target, out, 4);  // @no_stream:first
  return holds<Right>(s, out, all(4));
}

template <bool Right>
bool launches_on_no_stream(stream const& s) {
  buffer<int> out(s, 64);
  stream target(nullptr);
  if constexpr (Right) target = s;
  launch(target, grid(1), adds_to_view{{}, out.view()});  // @launches_on_no_stream:first
  s.synchronize();
  return true;
}

template <bool Right>
bool moved_from_stream(stream const& s) {
  stream first;
  stream second = Right ? first : std::move(first);
  buffer<int> out(s, 100);
  s.synchronize();
  fill(first, out, 4);  // @moved_from_stream:first
  second.synchronize();
  s.synchronize();
  if constexpr (Right) first.synchronize();
  return holds<Right>(s, out, all(4));
}

template <bool Right>
bool records_no_stream(stream const& s) {
  stream target(nullptr);
  if constexpr (Right) target = s;
  event done;
  done.record(target);  // @records_no_stream:first
  done.wait();
  return true;
}

template <bool Right>
bool waits_on_no_stream(stream const& s) {
  stream target(nullptr);
  if constexpr (Right) target = s;
  target.synchronize();  // @waits_on_no_stream:first
  return true;
}

// --- host code and device memory --------------------------------------------------------------------------------------------

template <bool Right>
bool dereferences(stream const& s) {
  buffer<int> in(s, 100);  // @dereferences:second
  fill(s, in, 4);
  s.synchronize();
  int const seen = Right ? download(s, in)[0] : in.data()[0];
  return seen == 4;
}

template <bool Right>
bool writes_from_host(stream const& s) {
  buffer<int> out(s, 100);  // @writes_from_host:second
  s.synchronize();
  if constexpr (Right)
    fill(s, out, 4);
  else
    for (int i = 0; i < 100; ++i) out.data()[i] = 4;
  return holds<Right>(s, out, all(4));
}

template <bool Right>
bool memcpy_from_device(stream const& s) {
  buffer<int> in(s, 100);  // @memcpy_from_device:second
  fill(s, in, 4);
  s.synchronize();
  ints host(100);
  if constexpr (Right)
    host = download(s, in);
  else
    std::memcpy(host.data(), in.data(), 100 * sizeof(int));
  return host == all(4);
}

// An element of a view is for kernels, and here its line is known.
template <bool Right>
bool element_on_host(stream const& s) {
  buffer<int> in(s, 100);  // @element_on_host:second
  fill(s, in, 4);
  s.synchronize();
  int const seen = Right ? download(s, in)[7] : std::as_const(in).view().load(7);  // @element_on_host:maybe
  return seen == 4;
}

template <bool Right>
bool dereferences_freed(stream const& s) {
  buffer<int> in(s, 100);  // @dereferences_freed:maybe
  fill(s, in, 4);
  s.synchronize();
  int const* const kept = in.data();
  int const before = download(s, in)[0];
  in.free();
  return (Right ? before : kept[0]) == 4;
}

test_case alone(char const* name, std::vector<kind> kinds, bool (*wrong)(stream const&), bool (*right)(stream const&)) {
  return {name, std::move(kinds), wrong, right, runs::alone};
}

constexpr runs off = runs::off_gpu;
family const cases(
    "host", __FILE__,
    {{"stale_view", {kind::use_after_free}, stale_view<false>, stale_view<true>, runs::everywhere, "adds_to_view"},
     {"view_before_growth", {kind::use_after_free}, view_before_growth<false>, view_before_growth<true>, runs::everywhere, "holds_view"},
     {"returned_view", {kind::use_after_free}, returned_view<false>, returned_view<true>, runs::everywhere, "holds_view"},
     {"copies_from_freed", {kind::use_after_free}, copies_from_freed<false>, copies_from_freed<true>},
     {"fills_freed", {kind::use_after_free}, fills_freed<false>, fills_freed<true>},
     {"freed_twice", {kind::double_free}, freed_twice<false>, freed_twice<true>, off},
     {"direct_freed_twice", {kind::double_free}, direct_freed_twice<false>, direct_freed_twice<true>, off},
     {"pinned_freed_twice", {kind::double_free}, pinned_freed_twice<false>, pinned_freed_twice<true>, off},
     alone("leaked", {kind::leak}, leaked<false>, leaked<true>),
     alone("leaked_pinned", {kind::leak}, leaked_pinned<false>, leaked_pinned<true>),
     alone("leaked_global", {kind::leak}, leaked_global<false>, leaked_global<true>),
     {"downloads_too_much", {kind::copy_overrun}, downloads_too_much<false>, downloads_too_much<true>},
     {"uploads_too_much", {kind::copy_overrun}, uploads_too_much<false>, uploads_too_much<true>},
     {"fills_too_much", {kind::copy_overrun, kind::out_of_bounds}, fills_too_much<false>, fills_too_much<true>},
     {"copies_too_much", {kind::copy_overrun}, copies_too_much<false>, copies_too_much<true>},
     {"last_row_too_far", {kind::copy_overrun}, last_row_too_far<false>, last_row_too_far<true>},
     {"sums_too_much", {kind::copy_overrun, kind::out_of_bounds}, sums_too_much<false>, sums_too_much<true>},
     {"no_stream", {kind::bad_handle}, no_stream<false>, no_stream<true>, off},
     {"launches_on_no_stream", {kind::bad_handle}, launches_on_no_stream<false>, launches_on_no_stream<true>, off},
     {"moved_from_stream", {kind::bad_handle}, moved_from_stream<false>, moved_from_stream<true>, off},
     {"records_no_stream", {kind::bad_handle}, records_no_stream<false>, records_no_stream<true>, off},
     {"waits_on_no_stream", {kind::bad_handle}, waits_on_no_stream<false>, waits_on_no_stream<true>, off},
     alone("dereferences", {kind::host_access}, dereferences<false>, dereferences<true>),
     alone("writes_from_host", {kind::host_access}, writes_from_host<false>, writes_from_host<true>),
     alone("memcpy_from_device", {kind::host_access}, memcpy_from_device<false>, memcpy_from_device<true>),
     alone("element_on_host", {kind::host_access}, element_on_host<false>, element_on_host<true>),
     alone("dereferences_freed", {kind::host_access, kind::use_after_free}, dereferences_freed<false>, dereferences_freed<true>)});

}  // namespace
}  // namespace planted
