// Races between the blocks of a launch that pass on data by a ticket or a flag.
#include "planted.hpp"

namespace planted {

// Last block by ticket; out: result, ticket, one partial sum per block.
template <bool Right>
struct relaxed_ticket {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    constexpr auto order = Right ? memory_order::acq_rel : memory_order::relaxed;
    auto value = block.per_thread(0);
    block.each_thread([&](thread t) { value[t] = in(block.first_index() + t.rank); });
    int const sum = block.reduce(value);
    auto last = block.per_thread(0);
    block.each_thread(1, [&](thread t) {
      out(2 + block.index.x) = sum;  // @relaxed_ticket:second
      last[t] = out.atomic(1).fetch_add(1, order) == block.grid.x - 1;
    });
    if (block.uniform(last)) {
      block.each_thread(1, [&](thread) {
        int all = 0;
        for (int b = 0; b < block.grid.x; ++b) all += out.load(2 + b);  // @relaxed_ticket:first
        out(0) = all;
      });
    }
  }
};

// Release without acquire: the last block may have read the partial sums before it took the ticket.
template <bool Right>
struct ticket_without_acquire {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    constexpr auto order = Right ? memory_order::acq_rel : memory_order::release;
    auto last = block.per_thread(0);
    block.each_thread(1, [&](thread t) {
      out(2 + block.index.x) = in(block.index.x);  // @ticket_without_acquire:second
      last[t] = out.atomic(1).fetch_add(1, order) == block.grid.x - 1;
    });
    if (block.uniform(last)) {
      block.each_thread(1, [&](thread) {
        int all = 0;
        for (int b = 0; b < block.grid.x; ++b) all += out.load(2 + b);  // @ticket_without_acquire:first
        out(0) = all;
      });
    }
  }
};

// The ticket with fences around a relaxed operation; the one behind it is missing.
template <bool Right>
struct ticket_fences {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto last = block.per_thread(0);
    block.each_thread(1, [&](thread t) {
      out(2 + block.index.x) = in(block.index.x);  // @ticket_fences:second
      fence(memory_order::release);
      last[t] = out.atomic(1).fetch_add(1) == block.grid.x - 1;
      if constexpr (Right) fence(memory_order::acquire);
    });
    if (block.uniform(last)) {
      block.each_thread(1, [&](thread) {
        int all = 0;
        for (int b = 0; b < block.grid.x; ++b) all += out.load(2 + b);  // @ticket_fences:first
        out(0) = all;
      });
    }
  }
};

// Fences that order the own block only.
template <bool Right>
struct block_scope_fence {
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    constexpr auto scope = Right ? memory_scope::device : memory_scope::block;
    auto last = block.per_thread(0);
    block.each_thread(1, [&](thread t) {
      out(2 + block.index.x) = in(block.index.x);  // @block_scope_fence:second
      fence(memory_order::release, scope);
      last[t] = out.atomic(1).fetch_add(1) == block.grid.x - 1;
      fence(memory_order::acquire, scope);
    });
    if (block.uniform(last)) {
      block.each_thread(1, [&](thread) {
        int all = 0;
        for (int b = 0; b < block.grid.x; ++b) all += out.load(2 + b);  // @block_scope_fence:first
        out(0) = all;
      });
    }
  }
};

// All threads of a block write; thread 0 takes the ticket before they are known to have done so.
template <bool Right>
struct ticket_before_barrier {
  using shape = block_shape<64>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    auto last = block.per_thread(0);
    block.each_thread(
        [&](thread t) { out(2 + block.first_index() + t.rank) = in(block.first_index() + t.rank); });  // @ticket_before_barrier:second
    if constexpr (Right) block.sync();
    block.each_thread(1, [&](thread t) { last[t] = out.atomic(1).fetch_add(1, memory_order::acq_rel) == block.grid.x - 1; });
    if (block.uniform(last)) {
      block.each_thread(1, [&](thread) {
        int all = 0;
        for (int i = 0; i < block.grid.x * 64; ++i) all += out.load(2 + i);  // @ticket_before_barrier:first
        out(0) = all;
      });
    }
  }
};

// Look-back of two blocks at once; out: running sums, then flags. The flag says that the sum is there.
template <bool Right>
struct look_back {
  static constexpr bool needs_cooperative = true;
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    constexpr auto publish = Right ? memory_order::release : memory_order::relaxed;
    int const me = block.index.x, flags = block.grid.x;
    block.each_thread(1, [&](thread) {
      int before = 0;
      if (me > 0) {
        while (out.atomic(flags + me - 1).load(memory_order::acquire) == 0) {
        }
        before = out.load(me - 1);  // @look_back:first
      }
      out(me) = before + in(me);  // @look_back:second
      out.atomic(flags + me).store(1, publish);
    });
  }
};

// The flag is published rightly, but read without acquire.
template <bool Right>
struct look_back_relaxed {
  static constexpr bool needs_cooperative = true;
  using shape = block_shape<32>;
  view<int const> in;
  view<int> out;
  template <class Block>
  DOLMEN_FN void operator()(Block& block) const {
    int const me = block.index.x, flags = block.grid.x;
    block.each_thread(1, [&](thread) {
      int before = 0;
      if (me > 0) {
        while (out.atomic(flags + me - 1).load() == 0) {
        }
        if constexpr (Right) fence(memory_order::acquire);
        before = out.load(me - 1);  // @look_back_relaxed:first
      }
      out(me) = before + in(me);  // @look_back_relaxed:second
      fence(memory_order::release);
      out.atomic(flags + me).store(1);
    });
  }
};

namespace {

// Result, ticket and one partial sum per 64 (or per 1) elements.
ints ticketed(ints const& in, std::size_t width) {
  ints out{0, int(in.size() / width)};
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % width == 0) out.push_back(0);
    out.back() += in[i];
    out[0] += in[i];
  }
  return out;
}
ints ticketed_1(ints const& in) { return ticketed(in, 1); }

family const cases("races_blocks", __FILE__,
                   {kernel_case<relaxed_ticket>("relaxed_ticket", {kind::race}, {192, 5, 3},
                                                [](ints const& in) { return ticketed(in, 64); }),
                    kernel_case<ticket_without_acquire>("ticket_without_acquire", {kind::race}, {3, 5, 3}, ticketed_1),
                    kernel_case<ticket_fences>("ticket_fences", {kind::race}, {3, 5, 3}, ticketed_1),
                    kernel_case<block_scope_fence>("block_scope_fence", {kind::race}, {3, 5, 3}, ticketed_1),
                    kernel_case<ticket_before_barrier>("ticket_before_barrier", {kind::race}, {128, 130, 2},
                                                       [](ints const& in) {
                                                         ints out = ticketed_1(in);
                                                         out[1] = 2;
                                                         return out;
                                                       }),
                    kernel_case<look_back>("look_back", {kind::race}, {2, 4, 2},
                                           [](ints const& in) {
                                             return ints{in[0], in[0] + in[1], 1, 1};
                                           }),
                    kernel_case<look_back_relaxed>("look_back_relaxed", {kind::race}, {2, 4, 2}, [](ints const& in) {
                      return ints{in[0], in[0] + in[1], 1, 1};
                    })});

}  // namespace
}  // namespace planted
