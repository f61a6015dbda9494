// Streams: operations on the same bytes that nothing orders, and host code that does not wait. On a GPU such programs mostly
// work; they are not harmless.
#include "planted.hpp"

namespace planted {

struct adds_one {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto const first = block.first_index();
    block.each_thread(in.size() - first, [&](thread t) { out(first + t.rank) = in(first + t.rank) + 1; });
  }
};

namespace {

constexpr index_t n = 256;
ints all(int value) { return ints(std::size_t(n), value); }

template <bool Right>
bool missing_wait(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled;
  fill(s, in, 4);  // @missing_wait:second
  filled.record(s);
  if constexpr (Right) other.wait(filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @missing_wait:first
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

// The event marks the stream as it was before the write.
template <bool Right>
bool recorded_too_early(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled;
  if constexpr (!Right) filled.record(s);
  fill(s, in, 4);  // @recorded_too_early:second
  if constexpr (Right) filled.record(s);
  other.wait(filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @recorded_too_early:first
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

// The second round waits for the record of the first.
template <bool Right>
bool not_recorded_again(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled, used;
  for (int round = 0; round < 2; ++round) {
    s.wait(used);
    fill(s, in, 4 + round);  // @not_recorded_again:second
    if (Right || round == 0) filled.record(s);
    other.wait(filled);
    launch(other, grid(4), adds_one{in.view(), out.view()});  // @not_recorded_again:first
    used.record(other);
  }
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(6));
}

template <bool Right>
bool never_recorded(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled;
  fill(s, in, 4);  // @never_recorded:second
  if constexpr (Right) filled.record(s);
  other.wait(filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @never_recorded:first
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

template <bool Right>
bool wrong_event(stream const& s) {
  stream other, third;
  buffer<int> in(s, n), beside(third, n), out(other, n);
  event filled, beside_filled;
  fill(s, in, 4);  // @wrong_event:second
  filled.record(s);
  fill(third, beside, 5);
  beside_filled.record(third);
  other.wait(Right ? filled : beside_filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @wrong_event:first
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

template <bool Right>
bool waits_afterwards(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled;
  fill(s, in, 4);  // @waits_afterwards:second
  filled.record(s);
  if constexpr (Right) other.wait(filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @waits_afterwards:first
  other.wait(filled);
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

// The host waits, but for the stream that had nothing to do.
template <bool Right>
bool synchronizes_wrong_stream(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  fill(s, in, 4);  // @synchronizes_wrong_stream:second
  (Right ? s : other).synchronize();
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @synchronizes_wrong_stream:first
  other.synchronize();
  return holds<Right>(other, out, all(5));
}

// The reader was ordered after the writer, but the next write is not ordered after the reader.
template <bool Right>
bool overwrites_what_is_read(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  event filled, used;
  fill(s, in, 4);
  filled.record(s);
  other.wait(filled);
  launch(other, grid(4), adds_one{in.view(), out.view()});  // @overwrites_what_is_read:second
  used.record(other);
  if constexpr (Right) s.wait(used);
  fill(s, in, 9);  // @overwrites_what_is_read:first
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(5));
}

template <bool Right>
bool two_writers(stream const& s) {
  stream other;
  buffer<int> out(s, n);
  event filled;
  fill(s, out, 4);  // @two_writers:second
  filled.record(s);
  if constexpr (Right) other.wait(filled);
  fill(other, out, 5);  // @two_writers:first
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(5));
}

// Halves on two streams, which meet in one element.
template <bool Right>
bool halves_overlap(stream const& s) {
  buffer<int> out(s, n);
  event made;
  made.record(s);
  stream other;
  other.wait(made);
  fill(s, out.view().slice(0, n / 2), 4);  // @halves_overlap:second
  index_t const first = n / 2 - (Right ? 0 : 1);
  fill(other, out.view().slice(first, n - first), 5);  // @halves_overlap:first
  s.synchronize();
  other.synchronize();
  ints expected = all(5);
  for (std::size_t i = 0; i < n / 2; ++i) expected[i] = 4;
  return holds<Right>(s, out, expected);
}

// Columns of one matrix on two streams: the ranges overlap as rows, the elements do not.
template <bool Right>
bool columns_overlap(stream const& s) {
  buffer<int> out(s, 16 * 16);
  event made;
  made.record(s);
  stream other;
  other.wait(made);
  auto const matrix = out.view(16, 16);
  fill(s, matrix.subview({{0, 0}}, {{16, 8}}), 4);  // @columns_overlap:second
  index_t const first = Right ? 8 : 7;
  fill(other, matrix.subview({{0, first}}, {{16, 16 - first}}), 5);  // @columns_overlap:first
  s.synchronize();
  other.synchronize();
  ints expected(256, 5);
  for (std::size_t i = 0; i < 256; ++i)
    if (i % 16 < 8) expected[i] = 4;
  return holds<Right>(s, out, expected);
}

// Freed on its own stream while another one still reads it.
template <bool Right>
bool freed_while_used(stream const& s) {
  stream other;
  buffer<int> out(other, n);
  event filled, used;
  {
    buffer<int> in(s, n);  // @freed_while_used:maybe
    fill(s, in, 4);
    filled.record(s);
    other.wait(filled);
    launch(other, grid(4), adds_one{in.view(), out.view()});  // @freed_while_used:second
    used.record(other);
    if constexpr (Right) s.wait(used);
    in.free();  // @freed_while_used:maybe
  }
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(5));
}

// ... and given to the next owner, who writes.
template <bool Right>
bool reused_while_used(stream const& s) {
  stream other;
  buffer<int> out(other, n);
  event filled, used;
  {
    buffer<int> in(s, n);  // @reused_while_used:maybe
    fill(s, in, 4);
    filled.record(s);
    other.wait(filled);
    launch(other, grid(4), adds_one{in.view(), out.view()});  // @reused_while_used:second
    used.record(other);
    if constexpr (Right) in.free_on(other);
  }  // @reused_while_used:maybe
  buffer<int> next(s, n);
  fill(s, next, 9);  // @reused_while_used:maybe
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(5));
}

// Allocated on one stream, whose earlier work may still use the memory, and used on another.
template <bool Right>
bool allocated_elsewhere(stream const& s) {
  stream other;
  {
    buffer<int> before(s, n);
    fill(s, before, 3);  // @allocated_elsewhere:maybe
  }
  event made;
  buffer<int> data(s, n);  // @allocated_elsewhere:maybe
  made.record(s);
  if constexpr (Right) other.wait(made);
  fill(other, data, 5);  // @allocated_elsewhere:first
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, data, all(5));
}

// A download that a copy on another stream does not wait for.
template <bool Right>
bool uploaded_too_early(stream const& s) {
  stream other;
  buffer<int> in(s, n), out(other, n);
  pinned_buffer<int> host(n);
  event landed;
  fill(s, in, 4);
  copy(s, in, host.span());  // @uploaded_too_early:second
  landed.record(s);
  if constexpr (Right) other.wait(landed);
  copy(other, host.span(), out);  // @uploaded_too_early:first
  other.synchronize();
  s.synchronize();
  return holds<Right>(other, out, all(4));
}

template <bool Right>
bool two_downloads(stream const& s) {
  stream other;
  buffer<int> in(s, n), more(other, n);
  pinned_buffer<int> host(n);
  event landed;
  fill(s, in, 4);
  fill(other, more, 5);
  copy(s, in, host.span());  // @two_downloads:second
  landed.record(s);
  if constexpr (Right) other.wait(landed);
  copy(other, more, host.span());  // @two_downloads:first
  other.synchronize();
  s.synchronize();
  return host[n - 1] == 5;
}

// The host reads what is still on its way.
template <bool Right>
bool reads_too_early(stream const& s) {
  buffer<int> in(s, n);
  pinned_buffer<int> host(n);
  fill(s, in, 4);
  copy(s, in, host.span());  // @reads_too_early:second
  if constexpr (Right) s.synchronize();
  int const seen = host[n - 1];  // @reads_too_early:maybe
  s.synchronize();
  return seen == 4;
}

// It waits for an event of before the download.
template <bool Right>
bool waits_for_old_event(stream const& s) {
  buffer<int> in(s, n);
  pinned_buffer<int> host(n);
  event landed;
  fill(s, in, 4);
  if constexpr (!Right) landed.record(s);
  copy(s, in, host.span());  // @waits_for_old_event:second
  if constexpr (Right) landed.record(s);
  landed.wait();
  int const seen = host[0];  // @waits_for_old_event:maybe
  s.synchronize();
  return seen == 4;
}

// The source of an upload is changed before it has been read.
template <bool Right>
bool changes_source(stream const& s) {
  buffer<int> out(s, n);
  pinned_buffer<int> host(n);
  for (int& x : host) x = 4;
  copy(s, host.span(), out);  // @changes_source:second
  if constexpr (Right) s.synchronize();
  host[n - 1] = 5;  // @changes_source:maybe
  s.synchronize();
  return holds<Right>(s, out, all(4));
}

// Pinned memory is freed before the download into it has landed.
template <bool Right>
bool frees_pinned(stream const& s) {
  buffer<int> in(s, n);
  fill(s, in, 4);
  int seen = 4;
  {
    pinned_buffer<int> host(n);  // @frees_pinned:maybe
    copy(s, in, host.span());    // @frees_pinned:second
    if constexpr (Right) {
      s.synchronize();
      seen = host[0];
    }
  }
  s.synchronize();
  return seen == 4;
}

family const cases("streams", __FILE__,
                   {{"missing_wait", {kind::stream_order}, missing_wait<false>, missing_wait<true>},
                    {"recorded_too_early", {kind::stream_order}, recorded_too_early<false>, recorded_too_early<true>},
                    {"not_recorded_again", {kind::stream_order}, not_recorded_again<false>, not_recorded_again<true>},
                    {"never_recorded", {kind::stream_order}, never_recorded<false>, never_recorded<true>},
                    {"wrong_event", {kind::stream_order}, wrong_event<false>, wrong_event<true>},
                    {"waits_afterwards", {kind::stream_order}, waits_afterwards<false>, waits_afterwards<true>},
                    {"synchronizes_wrong_stream", {kind::stream_order}, synchronizes_wrong_stream<false>, synchronizes_wrong_stream<true>},
                    {"overwrites_what_is_read", {kind::stream_order}, overwrites_what_is_read<false>, overwrites_what_is_read<true>},
                    {"two_writers", {kind::stream_order}, two_writers<false>, two_writers<true>},
                    {"halves_overlap", {kind::stream_order}, halves_overlap<false>, halves_overlap<true>},
                    {"columns_overlap", {kind::stream_order}, columns_overlap<false>, columns_overlap<true>},
                    {"freed_while_used", {kind::stream_order, kind::use_after_free}, freed_while_used<false>, freed_while_used<true>},
                    {"reused_while_used", {kind::stream_order, kind::use_after_free}, reused_while_used<false>, reused_while_used<true>},
                    {"allocated_elsewhere", {kind::stream_order}, allocated_elsewhere<false>, allocated_elsewhere<true>},
                    {"uploaded_too_early", {kind::stream_order}, uploaded_too_early<false>, uploaded_too_early<true>},
                    {"two_downloads", {kind::stream_order}, two_downloads<false>, two_downloads<true>},
                    {"reads_too_early", {kind::early_read}, reads_too_early<false>, reads_too_early<true>},
                    {"waits_for_old_event", {kind::early_read}, waits_for_old_event<false>, waits_for_old_event<true>},
                    {"changes_source", {kind::early_read}, changes_source<false>, changes_source<true>},
                    {"frees_pinned",
                     {kind::early_read, kind::use_after_free, kind::stream_order},
                     frees_pinned<false>,
                     frees_pinned<true>,
                     runs::off_gpu}});

}  // namespace
}  // namespace planted
