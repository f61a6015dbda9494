// The block under the check backend: threads run one after another in a shuffled order, each access is judged by the block's
// monitor, and per-thread values are apart from the kernel's own frame.
#pragma once

#include <numeric>

#include "../../core/block.hpp"
#include "../../core/clock.hpp"
#include "../../core/emulation/block.hpp"
#include "../../core/print.hpp"
#include "course.hpp"
#include "frame.hpp"

namespace dolmen::check {

namespace impl {

/// Walks 0 to n - 1, threads or lanes of one phase, in a shuffled order.
class shuffled {
 public:
  shuffled(int n, std::uint64_t random) : n_(n) {
    if (n < 2) return;
    next_ = int(random % std::uint64_t(n));
    random /= std::uint64_t(n);
    // Mostly forwards or backwards from some thread on, which caches like; now and then in leaps.
    if (random % 8 != 0) {
      step_ = random % 2 != 0 ? 1 : n - 1;
      return;
    }
    step_ = 1 + int(random / 8 % std::uint64_t(n - 1));
    while (std::gcd(step_, n) != 1) step_ = step_ % (n - 1) + 1;
  }
  int next() {
    int const i = next_;
    next_ += next_ < n_ - step_ ? step_ : step_ - n_;
    return i;
  }

 private:
  int n_, next_ = 0, step_ = 1;
};

/// Rows and columns of indices that mostly follow each other, without a division for each.
class places {
 public:
  explicit places(int columns) : columns_(columns) {}
  void go_to(int i) {
    if (i == last_) return;
    if (i == last_ + 1) {
      if (++column == columns_) column = 0, ++row;
    } else if (i == last_ - 1) {
      if (--column < 0) column = columns_ - 1, --row;
    } else {
      row = i / columns_, column = i % columns_;
    }
    last_ = i;
  }
  int row = 0, column = -1;

 private:
  int columns_, last_ = -1;
};

/// Calls body(course, i) for 0 <= i < n in a shuffled order, or with indices of two or three dimensions; the body says which thread
/// it is. What changes from one to the next lives in this frame: those above it are watched.
template <int Rank = 1, class Body>
[[gnu::noinline]] void run_phase(int n, source_location where, Body& body, bool of_warp = false, int rows = 1, int columns = 1) {
  course& m = *current_course();
  if (of_warp ? m.nested(where, "a phase") : m.misplaced(where, "a phase of the block")) return;
  if (n <= 0) return;
  frame_copy frames(static_cast<char const*>(__builtin_frame_address(0)) + 16);
  int const outer_thread = m.thread, outer_lanes = m.lanes;
  m.phase_begins(where);
  struct leave {  // also when a body throws
    course& m;
    int thread, lanes;
    ~leave() { m.phase_ends(thread, lanes); }
  } const back{m, outer_thread, outer_lanes};
  shuffled order(n, m.random());
  places line(columns), plane(rows);
  bool told = false;
  for (int i = 0; i < n; ++i) {
    if constexpr (Rank == 1) {
      body(m, order.next());
    } else {
      line.go_to(order.next());
      if constexpr (Rank == 2) {
        body(m, line.row, line.column);
      } else {
        plane.go_to(line.row);
        body(m, plane.row, plane.column, line.column);
      }
    }
    if (frames.changed() && !told) {
      m.frame_written(where, m.thread);
      told = true;
    }
  }
}

}  // namespace impl

template <class Shape>
class warp : public emulation::warp<Shape> {
  using base = emulation::warp<Shape>;

 public:
  using base::base;

  template <class Body>
  [[gnu::noinline]] void each_lane(Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, thread>();
    each_lane(this->lanes, body, where);
  }
  template <class Body>
  [[gnu::noinline]] void each_lane(index_t active, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, thread>();
    int const n = int(min(max(active, index_t(0)), index_t(this->lanes))), first = this->index * warp_size;
    auto call = [&](impl::course& m, int lane) {
      int const rank = first + lane;
      m.runs(rank);
      body(thread{rank % Shape::x, rank / Shape::x % Shape::y, rank / (Shape::x * Shape::y), rank, this->index, lane});
    };
    impl::run_phase(n, where, call, true);
  }
  template <class Body>
  [[gnu::noinline]] void each_index(int count, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_index_phase<Body>();
    if (count < 0) impl::current_course()->misuse(kind::out_of_bounds, detail::text("each_index over ", count, " indices"), where);
    auto call = [&](impl::course& m, int i) {
      int const lane = i < this->lanes ? i : i % this->lanes, rank = this->index * warp_size + lane;
      m.runs(rank);
      if constexpr (std::invocable<Body&, int, thread>) {
        body(i, thread{rank % Shape::x, rank / Shape::x % Shape::y, rank / (Shape::x * Shape::y), rank, this->index, lane});
      } else {
        body(i);
      }
    };
    impl::run_phase(count, where, call, true);
  }
  template <int Count, class Body>
  [[gnu::noinline]] void each_index(fixed<Count>, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_index_phase<Body>();
    each_index(Count, body, where);
  }
  template <class V>
  auto broadcast(V const& value, int lane, source_location where = source_location::current()) const {
    if (lane < 0 || lane >= this->lanes) {
      impl::current_course()->misuse(kind::out_of_bounds, detail::text("the value of lane ", lane, " of a warp of ", this->lanes), where);
      lane = 0;
    }
    return base::broadcast(value, lane);
  }
  void sync(source_location where = source_location::current()) const {
    if (!impl::current_course()->nested(where, "warp.sync")) impl::current_course()->warp_barrier();
  }
};

template <class Shape>
class block : public emulation::block_operations<Shape, void> {
  using base = emulation::block_operations<Shape, void>;

 public:
  using shape = Shape;
  static constexpr int size = Shape::size;
  block_index index, grid;

  block(block_index index, block_index grid, emulation::scratch& memory) : base(memory), index(index), grid(grid) {
    impl::current_course()->size = size;
  }

  index_t first_index() const { return index_t(index.x) * size; }

  // --- phases -------------------------------------------------------------------------------------------------------------
  template <class Body>
  [[gnu::noinline]] void each_thread(Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, thread>();
    each_thread(size, body, where);
  }
  template <class Body>
  [[gnu::noinline]] void each_thread(index_t active, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, thread>();
    auto call = [&](impl::course& m, int rank) {
      m.runs(rank);
      body(detail::thread_at<Shape>(rank % Shape::x, rank / Shape::x % Shape::y, rank / (Shape::x * Shape::y)));
    };
    impl::run_phase(int(min(max(active, index_t(0)), index_t(size))), where, call);
  }
  template <class Body>
  [[gnu::noinline]] void each_index(int count, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_index_phase<Body>();
    auto call = [&](impl::course& m, int i) {
      int const rank = i % size;
      m.runs(rank);
      if constexpr (std::invocable<Body&, int, thread>)
        body(i, detail::thread_at<Shape>(rank % Shape::x, rank / Shape::x % Shape::y, rank / (Shape::x * Shape::y)));
      else
        body(i);
    };
    impl::run_phase(checked(count, where), where, call);
  }
  // Which thread an index falls to: columns along x, rows over y and z. Ranks are what matters for races.
  template <class Body>
  [[gnu::noinline]] void each_index(int rows, int columns, Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, int, int>();
    auto call = [&](impl::course& m, int y, int x) {
      m.runs((y % (Shape::y * Shape::z)) * Shape::x + x % Shape::x);
      body(y, x);
    };
    impl::run_phase<2>(checked(rows, where) * checked(columns, where), where, call, false, rows, columns);
  }
  template <class Body>
  [[gnu::noinline]] void each_index(int planes, int rows, int columns, Body&& body,
                                    source_location where = source_location::current()) const {
    dolmen::detail::check_phase<Body, int, int, int>();
    auto call = [&](impl::course& m, int z, int y, int x) {
      m.runs((z % Shape::z * Shape::y + y % Shape::y) * Shape::x + x % Shape::x);
      body(z, y, x);
    };
    impl::run_phase<3>(checked(planes, where) * checked(rows, where) * checked(columns, where), where, call, false, rows, columns);
  }
  template <int... Sizes, class Body>
  [[gnu::noinline]] void each_index(fixed<Sizes...>, Body&& body, source_location where = source_location::current()) const {
    each_index(Sizes..., body, where);
  }

  // --- barriers -----------------------------------------------------------------------------------------------------------
  void sync(source_location where = source_location::current()) const { impl::current_course()->barrier(where, "block.sync"); }
  void grid_sync(source_location where = source_location::current()) const { impl::wait_for_grid(where); }

  template <class Body>
  [[gnu::noinline]] void each_warp(Body&& body, source_location where = source_location::current()) const {
    dolmen::detail::check_warp_scope<Body, warp<Shape>>();
    auto& m = *impl::current_course();
    if (m.misplaced(where, "each_warp")) return;
    impl::shuffled order(base::warps, m.random());
    for (int i = 0; i < base::warps; ++i) {
      int const w = order.next();
      warp<Shape> current(w, min(warp_size, size - w * warp_size), this->memory());
      m.thread = w * warp_size;
      m.lanes = current.lanes;
      struct leave {
        impl::course& m;
        ~leave() { m.thread = -1, m.lanes = 0; }
      } const back{m};
      body(current);
    }
  }

  // Operations of the block are barriers.
  template <class T, class Op = plus>
  T reduce(emulation::per_thread<T> const& value, Op op = {}, source_location where = source_location::current()) const {
    barrier(where, "block.reduce");
    return base::reduce(value, op);
  }
  template <class T, class Op = plus>
  auto inclusive_scan(emulation::per_thread<T> const& value, Op op = {}, source_location where = source_location::current()) const {
    barrier(where, "block.inclusive_scan");
    return base::inclusive_scan(value, op);
  }
  template <class T, class Initial = T, class Op = plus>
  auto exclusive_scan(emulation::per_thread<T> const& value, Initial initial, Op op = {},
                      source_location where = source_location::current()) const {
    barrier(where, "block.exclusive_scan");
    return base::exclusive_scan(value, static_cast<Initial&&>(initial), op);
  }
  template <class T, class Initial = T, class Op>
  auto exclusive_scan(emulation::per_thread<T> const& value, Initial initial, Op op, T& total,
                      source_location where = source_location::current()) const {
    barrier(where, "block.exclusive_scan");
    return base::exclusive_scan(value, static_cast<Initial&&>(initial), op, total);
  }
  template <class T>
  bool any(emulation::per_thread<T> const& value, source_location where = source_location::current()) const {
    barrier(where, "block.any");
    return base::any(value);
  }
  template <class T>
  bool all(emulation::per_thread<T> const& value, source_location where = source_location::current()) const {
    barrier(where, "block.all");
    return base::all(value);
  }
  template <class T>
  int count(emulation::per_thread<T> const& value, source_location where = source_location::current()) const {
    barrier(where, "block.count");
    return base::count(value);
  }
  template <class T>
  T uniform(emulation::per_thread<T> const& value, int rank = 0, source_location where = source_location::current()) const {
    return broadcast(value, rank, where);
  }
  template <class T>
  T broadcast(emulation::per_thread<T> const& value, int rank, source_location where = source_location::current()) const {
    barrier(where, "block.uniform");
    if (rank < 0 || rank >= size) {
      impl::current_course()->misuse(kind::out_of_bounds, detail::text("the value of thread ", rank, " of a block of ", size), where);
      rank = 0;
    }
    return base::broadcast(value, rank);
  }

  // --- copies -------------------------------------------------------------------------------------------------------------
  template <class T, int R, int C, int Rows, int Columns, class E>
  void copy_async(tile<T, R, C>& to, fixed<Rows, Columns> box, view<E, 2> const& from, index_t row, index_t column,
                  source_location where = source_location::current()) const {
    static_assert(Rows <= R && Columns <= C, "copy_async: the box is larger than the tile");
    detail::check_copy<T, E, Columns, C>();
    constexpr int n = detail::elements_in<T, std::remove_const_t<E>>;
    DOLMEN_ASSERT(*this, column % n == 0 && "copy_async by packs: the first column is a multiple of the pack");
    static_cast<void>(box);
    copy_box<Rows, Columns>(to.elements, C, reinterpret_cast<T const*>(from.data()), from.stride(0) * n, from.extent(0), from.extent(1) * n,
                            row, column, where);
  }
  template <class T, int N, int Count, class E>
  void copy_async(tile<T, N>& to, fixed<Count> box, view<E, 1> const& from, index_t first,
                  source_location where = source_location::current()) const {
    static_assert(Count <= N, "copy_async: the box is larger than the tile");
    detail::check_copy<T, E, Count, N>();
    constexpr int n = detail::elements_in<T, std::remove_const_t<E>>;
    static_cast<void>(box);
    copy_box<1, Count>(to.elements, N, reinterpret_cast<T const*>(from.data()), 0, 1, from.extent(0) * n, 0, first, where);
  }
  void commit_copies() const { impl::current_course()->commit(); }
  void wait_copies(int newest) const { impl::current_course()->wait(newest); }

  index_t clock() const { return nanoseconds(); }
  index_t nanoseconds() const { return dolmen::detail::steady_nanoseconds(); }

 private:
  static void barrier(source_location where, char const* what) { impl::current_course()->barrier(where, what); }
  static int checked(int extent, source_location where) {
    if (extent >= 0) return extent;
    impl::current_course()->misuse(kind::out_of_bounds, detail::text("each_index over an extent of ", extent), where);
    return 0;
  }
  // Element by element, so that each is judged; then the box is under way.
  template <int Rows, int Columns, class T>
  void copy_box(T* to, int pitch, T const* from, index_t stride, index_t rows, index_t columns, index_t row, index_t column,
                source_location where) const {
    auto& m = *impl::current_course();
    if (m.misplaced(where, "block.copy_async")) return;
    char const *low = nullptr, *high = nullptr;
    auto const done = [&] {
      auto const* first = reinterpret_cast<char const*>(to);
      m.copy_begins(first, first + (index_t(Rows - 1) * pitch + Columns) * index_t(sizeof(T)), low, high, where);
    };
    for (int y = 0; y < Rows; ++y)
      for (int x = 0; x < Columns; ++x) {
        bool const inside = row + y >= 0 && row + y < rows && column + x >= 0 && column + x < columns;
        m.thread = (y * Columns + x) % size;  // some thread; which one is not the caller's business
        T value{};
        if (inside) {
          T const* const source = from + (row + y) * stride + column + x;
          if (m.record({source, int(sizeof(T)), detail::access_kind::read, where})) value = *detail::reach(source);
          auto const* bytes = reinterpret_cast<char const*>(source);
          if (!low || bytes < low) low = bytes;
          if (bytes + sizeof(T) > high) high = bytes + sizeof(T);
        }
        if (m.record({to + y * pitch + x, int(sizeof(T)), detail::access_kind::write, where})) to[y * pitch + x] = value;
      }
    m.thread = -1;
    done();
  }
};

}  // namespace dolmen::check
