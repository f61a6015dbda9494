#include "monitor.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "../../core/host_memory.hpp"

namespace dolmen::check::impl {

using dolmen::detail::access_event;
using dolmen::detail::access_kind;

namespace {

thread_local monitor* on_this_thread = nullptr;

constexpr bool is_atomic(access_kind k) {
  return k == access_kind::atomic_read || k == access_kind::atomic_write || k == access_kind::atomic_update;
}

// A block that polls this long without an answer will get none: other blocks of a plain launch need not run at all.
constexpr auto patience = std::chrono::seconds(2), patience_at_once = std::chrono::seconds(8);
constexpr std::uint64_t polls_between_looks = 20000;
constexpr std::size_t most_early = 1 << 16;

}  // namespace

monitor* current_monitor() { return on_this_thread; }
course* current_course() { return on_this_thread; }

void shared_memory::start(char* memory, std::size_t size) {
  begin = memory;
  bytes = size;
  if (size > capacity) {
    capacity = size;
    words = std::make_unique<cell[]>(size / 4 + 1);
    singles = std::make_unique<cell[]>(size + 1);
  }
  // Records need no clearing: those of earlier blocks name intervals that are over.
  states.assign(size, allocated);
  narrow.assign(size / 4 + 1, 0);
}

monitor::monitor(launch_state& launch, std::uint32_t block, shared_memory& shared, std::uint64_t seed) try
    : course(seed * 0x9e3779b97f4a7c15u + block * 0xbf58476d1ce4e5b9u + 1),
      launch_(launch),
      block_(block),
      shared_(shared),
      window_(window::get()),
      one_worker_(launch.one_worker) {
  first_ = now_ = since_ = new_interval({launch.operation, block, 0});
  settled_ = launch.settled;
  in_shared_ = {shared.begin, shared.bytes, 0, shared.states.data(), shared.narrow.data(), shared.words.get(), since_};
  in_window_ = {window_.begin(),  window_.bytes(),   window_.reach(window_.begin()) - window_.begin(),
                window_.states(), window_.narrows(), window_.word_cells(),
                settled_};
  quick.shared = in_shared_;
  quick.global = in_window_;
  quick.shared.bytes = quick.global.bytes = 0;
  quick.sites = recent_sites();
  before_ = dolmen::detail::current_recorder();
  dolmen::detail::current_recorder() = this;
  on_this_thread = this;
} catch (std::bad_alloc const&) {
  dolmen::detail::host_memory_ran_out("launch", launch.where);
}

monitor::~monitor() {
  try {
    judge_early();
  } catch (...) {
    launch_.lost = true;
  }
  dolmen::detail::current_recorder() = before_;
  on_this_thread = nullptr;
}

void monitor::no_memory() const { dolmen::detail::host_memory_ran_out("launch", launch_.where); }

void monitor::phase_begins(source_location where) {
  in_phase = true;
  lanes = 0;
  phase = where;
  quick_ = pending_.empty() && !before_;
  quick.shared.since = since_;
  quick.shared.bytes = quick_ ? in_shared_.bytes / 4 * 4 : 0;
  quick.global.bytes = quick_ && one_worker_ && parted_reads_kept.load(std::memory_order_relaxed) == 0 ? in_window_.bytes : 0;
}

void monitor::phase_ends(int outer_thread, int outer_lanes) {
  in_phase = quick_ = false;
  quick.shared.bytes = quick.global.bytes = 0;
  running = -1;
  thread = outer_thread;
  lanes = outer_lanes;
}

// --- the course of the block ----------------------------------------------------------------------------------------------

bool monitor::nested(source_location where, char const* what) {
  if (!in_phase) {
    told_nested_ = false;
    return false;
  }
  told_nested_ = true;
  misuse(kind::sync_in_phase, dolmen::detail::text(what, " is called inside of a phase"), where);
  return true;
}

bool monitor::misplaced(source_location where, char const* what) {
  if (nested(where, what)) return true;
  if (lanes == 0) return false;
  misuse(kind::sync_in_phase, dolmen::detail::text(what, " is called inside of each_warp: the block's other warps need not come"), where);
  return true;
}

void monitor::collective() {
  if (!in_phase || told_nested_) return;
  told_nested_ = true;
  misuse(kind::sync_in_phase, "the phase calls a collective operation of its warps", phase);
}

void monitor::uses_value(dolmen::thread const& owner, int neighbours, source_location where) {
  if (!in_phase || thread < 0) return;
  auto const within = [&](int a, int b) { return unsigned(a ^ b) < unsigned(neighbours); };  // a power of two
  if (within(owner.rank, thread) && within(owner.lane, thread % warp_size)) [[likely]]
    return;
  misuse(kind::out_of_bounds,
         dolmen::detail::text("the value of thread ", owner.rank, " (lane ", owner.lane, "), of which a thread has its own only"), where);
}

void monitor::barrier(source_location where, char const* what) {
  if (misplaced(where, what)) return;
  next_interval();
  quick.polls = 0;
}

void monitor::grid_barrier(interval) { next_interval(); }

void monitor::next_interval() try {
  if (!early_.empty()) judge_early();
  now_ = since_ = new_interval({launch_.operation, block_, ++barrier_});
  std::fill(std::begin(epochs_), std::end(epochs_), 0u);
  std::erase_if(pending_, [](pending_copy const& p) { return p.landed; });
} catch (std::bad_alloc const&) {
  no_memory();
}

void monitor::warp_barrier() try {
  unsigned& mine = epochs_[std::size_t(thread < 0 ? 0 : thread / warp_size)];
  if (++mine <= 0x3f) return;
  now_ = new_interval({launch_.operation, block_, barrier_});  // no barrier, but a record counts no further
  std::fill(std::begin(epochs_), std::end(epochs_), 0u);
} catch (std::bad_alloc const&) {
  no_memory();
}

void monitor::frame_written(source_location where, int rank) try {
  finding f;
  f.what = kind::block_scope_write;
  f.kernel = launch_.kernel;
  f.element = "a variable that the phase captured by reference";
  f.first = here(site_of(where));
  f.first.thread = rank;
  report(std::move(f));
} catch (std::bad_alloc const&) {
  no_memory();
}

void monitor::copy_begins(char const* to, char const* to_end, char const* from, char const* from_end, source_location where) try {
  check_pending(to, int(to_end - to), true, site_of(where));
  pending_.push_back({to, to_end, from, from_end, group_, false, site_of(where)});
} catch (std::bad_alloc const&) {
  no_memory();
}
void monitor::commit() { ++group_; }
void monitor::wait(int newest) {
  // Groups up to group_ - 1 are closed; what was not committed is not waited for.
  for (auto& p : pending_)
    if (p.group < group_ - newest) p.landed = true;
}

void monitor::check_pending(char const* p, int width, bool writes, site where) {
  for (auto const& c : pending_) {
    bool const destination = p < c.to_end && c.to < p + width;
    bool const source = writes && !c.landed && p < c.from_end && c.from < p + width;
    if (!destination && !source) continue;
    finding f;
    f.what = kind::pending_copy;
    f.kernel = launch_.kernel;
    f.element = dolmen::detail::text(destination ? "the destination" : "the source", " of a copy_async",
                                     c.landed ? " that was waited for, but no sync followed: " : " that was not waited for: ",
                                     name_of_element(p, width, shared_.holds(p)));
    f.first = here(where);
    f.second = place_of(c.where);
    f.second.block = f.first.block;
    report(std::move(f));
    return;
  }
}

// --- accesses -------------------------------------------------------------------------------------------------------------

bool monitor::conflicts(impl::record const& e, impl::record const& mine, bool in_shared, kind& what) const {
  if (e.when < (in_shared ? since_ : launch_.settled)) return false;
  what = kind::race;
  bool same_interval = in_shared || e.when == now_;
  if (!same_interval && e.when >= since_) {
    auto const info = info_of(e.when);
    same_interval = info.operation == launch_.operation && info.block == block_ && info.barrier == barrier_;
  }
  if (same_interval) {
    if (thread >= 0 && lanes == 0 && mine.many == readers::one && e.many == readers::one && e.thread == mine.thread) return false;
    bool const same_warp = e.many != readers::block && mine.many != readers::block && e.thread / warp_size == mine.thread / warp_size;
    if (same_warp && (e.when < now_ || e.epoch < epoch())) return false;
    return !(e.kind != how::plain && mine.kind != how::plain);
  }
  auto const info = info_of(e.when);
  if (info.operation != launch_.operation) {
    if (runs_after(launch_.operation, info.operation)) return false;
    what = kind::stream_order;
    return !(e.kind == how::atomic_in_device && mine.kind == how::atomic_in_device);
  }
  if (e.when < launch_.grid_from.load()) return false;
  if (e.kind == how::atomic_in_device && mine.kind == how::atomic_in_device) return false;
  // Of several blocks that read, one is on record; which others did is not known, nor what they released.
  if (info.block == block_) return e.other_blocks && !launch_.order->has_acquired(block_);
  return !launch_.order->ordered(*this, info.block, e);
}

// Two writes in no order: whether the second changes anything. Another worker's value may not be there yet.
kind monitor::same_or_race(kind what, impl::record const& writer, void const* address, int width, bool in_shared) {
  if (what != kind::race || !storing_ || writer.kind != how::plain) return what;
  void const* const place = in_shared || !window_.holds(address) ? address : window_.reach(address);
  auto const same = [&] { return std::memcmp(place, storing_, std::size_t(width)) == 0; };
  if (same()) return kind::same_value;
  if (in_shared || one_worker_ || info_of(writer.when).block == block_ || --launch_.waits < 0) return what;
  for (auto const until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2); std::chrono::steady_clock::now() < until;) {
    if (same()) return kind::same_value;
    std::this_thread::yield();
  }
  return what;
}

void monitor::touch(cell& c, impl::record mine, bool reads, bool writes, void const* address, int width, bool in_shared) {
  kind what{};
  if (!writes) {
    // A reader leaves its record before it looks at the writer's, and a writer the other way round, so that one of two
    // that come at once sees the other.
    std::uint64_t old = c.read.load_relaxed();
    for (;;) {
      auto const before = impl::record::unpack(old);
      auto next = mine;
      if (before) {
        if (before.when == now_) {
          bool const same_warp =
              before.many != readers::block && mine.many != readers::block && before.thread / warp_size == mine.thread / warp_size;
          bool const same = before.many == readers::one && mine.many == readers::one && before.thread == mine.thread;
          if (!same) next.many = same_warp ? readers::warp : readers::block;
          if (before.many > next.many) next.many = before.many;
          next.other_blocks = before.other_blocks;
          if (before.kind == how::plain) next.kind = how::plain;
        } else if (!in_shared) {
          auto const info = info_of(before.when);
          if (info.operation != launch_.operation) {
            if (!runs_after(launch_.operation, info.operation)) {
              keep_parted_read(static_cast<char const*>(address), old);
              quick.global.bytes = 0;  // writes have to look for it
            }
          } else {
            if (info.block != block_ && before.when >= launch_.grid_from.load()) next = before;  // the other block's is the one to keep
            next.other_blocks = before.other_blocks || info.block != block_;
          }
        }
      }
      auto const packed = next.packed();
      if (packed == old || c.read.compare_exchange(old, packed)) break;
    }
    auto const writer = impl::record::unpack(c.write.load());
    if (conflicts(writer, mine, in_shared, what)) found(what, address, width, mine.where, &writer, in_shared);
    return;
  }
  auto const writer = impl::record::unpack(c.write.exchange(mine.packed()));
  auto const reader = impl::record::unpack(c.read.exchange(0));
  if (conflicts(writer, mine, in_shared, what)) {
    found(same_or_race(what, writer, address, width, in_shared), address, width, mine.where, &writer, in_shared);
  } else if (conflicts(reader, mine, in_shared, what)) {
    found(what, address, width, mine.where, &reader, in_shared);
  } else if (!in_shared) {
    auto const parted = impl::record::unpack(parted_read(launch_.operation, static_cast<char const*>(address)));
    if (parted) found(kind::stream_order, address, width, mine.where, &parted, false);
  }
  static_cast<void>(reads);
}

bool monitor::readable(std::uint8_t const* states, int width, void const* address, site where, bool reads, bool atomic, bool in_shared) {
  std::uint8_t all = initialised, any = 0;
  for (int i = 0; i < width; ++i) {
    all &= states[i];
    any |= states[i];
  }
  if ((any & freed) != 0) {
    auto const info = window::get().find(address);
    finding f;
    f.what = kind::use_after_free;
    f.kernel = launch_.kernel;
    f.element = name_of_element(address, width, in_shared);
    f.first = here(where);
    f.second = place_of(info.where);
    report(std::move(f));
    return false;
  }
  if ((all & allocated) == 0) {
    found(kind::out_of_bounds, address, width, where, nullptr, in_shared);
    return false;
  }
  if (reads && all != initialised) {
    early_use const use{static_cast<char const*>(address), width, where, now_, barrier_, thread, block_, atomic};
    if (in_shared) {
      early_.push_back(use);
    } else {
      std::lock_guard const lock(launch_.mutex);
      launch_.early.push_back(use);
      if (launch_.early.size() > most_early) launch_.judge_early();
    }
  }
  return true;
}

// Code at block scope is run by every thread of the block, at warp scope by every lane.
void monitor::by_all(access_event const& event, site where, bool in_shared) {
  if (event.kind == access_kind::write) {
    impl::record same;
    same.when = now_;
    same.where = where;
    same.thread = unsigned(thread < 0 ? 0 : thread);
    same.many = thread < 0 ? readers::block : readers::warp;
    found(kind::race, event.address, event.width, where, &same, in_shared);
  } else if (event.kind == access_kind::atomic_update) {
    misuse(kind::divergent,
           dolmen::detail::text("an atomic update at ", lanes > 0 ? "warp" : "block", " scope: each of the ", lanes > 0 ? lanes : size,
                                " threads makes it, and gets an answer of its own"),
           event.line);
  }
}

void monitor::watch_spin(access_event const& event) {
  bool const reads = event.kind == access_kind::read || event.kind == access_kind::atomic_read || event.kind == access_kind::atomic_update;
  if (!reads || event.address != quick.polled) {
    quick.polled = event.address;
    quick.polls = 0;
    looked_ = 0;
    return;
  }
  ++quick.polls;
  if (quick.polls < looked_) looked_ = 0;  // of another address
  if (quick.polls - looked_ < polls_between_looks) return;
  if (launch_.given_up) throw gave_up();
  auto const now = std::chrono::steady_clock::now();
  if (looked_ == 0) polling_since_ = now;
  looked_ = quick.polls;
  std::this_thread::yield();
  if (now - polling_since_ < (launch_.cooperative ? patience_at_once : patience)) return;
  misuse(kind::spin,
         launch_.cooperative ? "no other block writes what is waited for"
                             : "the block reads one element over and over; blocks of a plain launch need not run at the same time",
         event.line);
  launch_.given_up = true;
  throw gave_up();
}

[[gnu::noinline]] bool monitor::record_slowly(access_event const& event) try {
  if (before_) before_->record(event);  // somebody listens
  bool const atomic = is_atomic(event.kind);
  bool const reads = event.kind == access_kind::read || event.kind == access_kind::atomic_read || event.kind == access_kind::atomic_update;
  bool const writes =
      event.kind == access_kind::write || event.kind == access_kind::atomic_write || event.kind == access_kind::atomic_update;
  site const where = site_of(event.line);
  bool const acquires = dolmen::detail::acquires(event.order), releases = dolmen::detail::releases(event.order);
  bool const wide = event.scope == memory_scope::device;
  if (event.kind == access_kind::fence) {
    if (wide && launch_.order) launch_.order->fence(*this, acquires, releases);
    return true;
  }
  watch_spin(event);
  storing_ = event.kind == access_kind::write ? event.value : nullptr;
  told_ = {};

  auto const* const p = static_cast<char const*>(event.address);
  auto const& w = window_;
  bool const in_shared = shared_.holds(p);
  if (!in_shared && !w.holds(p)) return true;  // the host's own memory: tests of single kernels

  std::uint8_t* const states = in_shared ? shared_.states.data() + (p - shared_.begin) : w.state(p);
  if (in_shared && p + event.width > shared_.begin + shared_.bytes) {
    found(kind::out_of_bounds, p, event.width, where, nullptr, true);
    return false;
  }
  if (!readable(states, event.width, p, where, reads, atomic, in_shared)) return false;
  if (!pending_.empty()) check_pending(p, event.width, writes, where);

  if (atomic && wide && launch_.order && !in_shared) {
    performing_ = launch_.order->hold();
    performing = true;
    if (reads && acquires) launch_.order->acquire(*this, p);
    if (writes && releases) launch_.order->release(*this, p);
    if ((reads && !acquires) || (writes && !releases)) launch_.order->relaxed(*this, p, reads && !acquires, writes && !releases);
  }

  impl::record mine;
  mine.when = now_;
  mine.where = where;
  mine.thread = unsigned(thread < 0 ? 0 : thread);
  mine.kind = !atomic ? how::plain : wide ? how::atomic_in_device : how::atomic_in_block;
  mine.epoch = epoch();
  mine.many = thread < 0 && size > 1 ? readers::block : lanes > 1 ? readers::warp : readers::one;

  auto const cells = [&](char const* at) -> cell& {
    return in_shared ? shared_.words[std::size_t(at - shared_.begin) / 4] : w.word_cell(at);
  };
  auto const singles = [&](char const* at) -> cell& {
    return in_shared ? shared_.singles[std::size_t(at - shared_.begin)] : w.byte_cell(at);
  };
  auto const narrow = [&](char const* at) -> std::uint8_t& {
    return in_shared ? shared_.narrow[std::size_t(at - shared_.begin) / 4] : w.narrow(at);
  };
  std::uintptr_t const base = in_shared ? std::uintptr_t(shared_.begin) : 0;
  bool const aligned = (std::uintptr_t(p) - base) % 4 == 0 && event.width % 4 == 0;
  if (aligned) {
    for (int i = 0; i < event.width; i += 4) {
      touch(cells(p + i), mine, reads, writes, p, event.width, in_shared);
      if (narrow(p + i))
        for (int k = 0; k < 4; ++k) touch(singles(p + i + k), mine, reads, writes, p, event.width, in_shared);
    }
  } else {
    for (int i = 0; i < event.width; ++i) {
      narrow(p + i) = 1;
      touch(singles(p + i), mine, reads, writes, p, event.width, in_shared);
      // What touched the whole word is compared with, but not replaced: this access is of a part.
      kind what{};
      auto const writer = impl::record::unpack(cells(p + i).write.load());
      if (conflicts(writer, mine, in_shared, what))
        found(writes ? same_or_race(what, writer, p, event.width, in_shared) : what, p, event.width, where, &writer, in_shared);
      if (writes) {
        auto const reader = impl::record::unpack(cells(p + i).read.load());
        if (conflicts(reader, mine, in_shared, what)) found(what, p, event.width, where, &reader, in_shared);
      }
    }
  }
  if (writes) {
    std::memset(states, initialised, std::size_t(event.width));
    if (!in_phase && !event.together && (lanes > 1 || (thread < 0 && size > 1))) by_all(event, where, in_shared);
  }
  return true;
} catch (std::bad_alloc const&) {
  no_memory();
}

void monitor::performed() {
  performing_.unlock();
  performing = false;
}

}  // namespace dolmen::check::impl
