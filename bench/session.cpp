#include "session.hpp"

#include <dolmen/dolmen.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <locale>
#include <memory>

#include "peers/peers.hpp"

namespace study {

std::optional<double> ceilings::of(traffic kind) const {
  switch (kind) {
    case traffic::read:
      return read;
    case traffic::write:
      return write;
    case traffic::copy:
      return copy;
    case traffic::triad:
      return triad;
    default:
      return std::nullopt;
  }
}

index_t session::last_cache_bytes() const {
  auto const& p = properties();
  return p.l3_bytes.value_or(p.l2_bytes.value_or(0));
}

std::string reason_text(std::exception const& e) {
  std::string text = e.what();
  if (auto const* known = dynamic_cast<dolmen::error const*>(&e)) {
    auto const place = " (" + std::string(known->where().file_name()) + ":" + std::to_string(known->where().line()) + ")";
    if (text.size() > place.size() && text.ends_with(place)) text.resize(text.size() - place.size());
  }
  return text;
}

index_t free_host_bytes() {
  std::ifstream in("/proc/meminfo");
  in.imbue(std::locale::classic());
  std::string key, unit;
  for (index_t kib; in >> key >> kib >> unit;)
    if (key == "MemAvailable:") return kib * 1024;
  return std::numeric_limits<index_t>::max();
}

namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point start) { return std::chrono::duration<double>(steady::now() - start).count(); }

template <class B>
class opened final : public session_of<B> {
 public:
  opened() : properties_(typename B::device().properties()) {}

  typename B::stream const& stream() const override { return stream_; }
  dolmen::device_properties const& properties() const override { return properties_; }
  std::optional<int> threads() const override;
  index_t usable_bytes() const override;
  double clock_resolution() const override;

  double seconds(workspace& w, int variant, index_t runs, clock_kind clock) override {
    if (clock == clock_kind::host) {
      stream_.synchronize();
      auto const start = steady::now();
      for (index_t i = 0; i < runs; ++i) w.run(variant);
      stream_.synchronize();
      return seconds_since(start);
    }
    begin_.record(stream_);
    for (index_t i = 0; i < runs; ++i) w.run(variant);
    end_.record(stream_);
    end_.wait();
    return elapsed(begin_, end_);
  }

  // Arrays of 128 MiB (a GPU: 512), or together four times the cache if that is more and no more than 512 MiB each. The fastest of several
  // passes counts: a ceiling is what the machine can do.
  ceilings measure_ceilings() override {
    constexpr index_t smallest = 128 << 20, most = 512 << 20, passes = 4;
    index_t bytes = std::max(smallest * (properties_.vector_bits ? 1 : 4), std::min(most, this->last_cache_bytes() / 3 * 4));
    bytes = std::min(bytes, usable_bytes() / 8) / 4096 * 4096;
    index_t const n = bytes / index_t(sizeof(float));
    dolmen::buffer<float, B> a(stream_, n), b(stream_, n), c(stream_, n);
    peers::fill(stream_, a.data(), 1.0f, n);
    peers::fill(stream_, b.data(), 2.0f, n);
    peers::fill(stream_, c.data(), 0.0f, n);
    auto const rate = [&](double arrays, auto pass) {
      double best = 0;
      for (int method = 0; method < peers::ceiling_methods; ++method)
        for (index_t p = 0; p <= passes; ++p) {
          begin_.record(stream_);
          pass(method);
          end_.record(stream_);
          end_.wait();
          if (p > 0) best = std::max(best, arrays * double(bytes) / elapsed(begin_, end_));
        }
      return best;
    };
    ceilings found;
    found.array_bytes = bytes;
    found.read = rate(1, [&](int m) { peers::ceiling_read(stream_, m, a.data(), c.data(), n); });
    found.write = rate(1, [&](int m) { peers::ceiling_write(stream_, m, c.data(), n); });
    found.copy = rate(2, [&](int m) { peers::ceiling_copy(stream_, m, a.data(), c.data(), n); });
    found.triad = rate(3, [&](int m) { peers::ceiling_triad(stream_, m, a.data(), b.data(), c.data(), n); });
    return found;
  }

 private:
  dolmen::device_properties properties_;
  typename B::stream stream_;
  typename B::event begin_, end_;
};

#if DOLMEN_HAS_CPU
template <>
std::optional<int> opened<dolmen::cpu::backend>::threads() const {
  return dolmen::cpu::workers();
}

template <>
index_t opened<dolmen::cpu::backend>::usable_bytes() const {
  return free_host_bytes() + dolmen::cpu::device().pool().held;
}

// The smallest difference that the steady clock shows.
template <>
double opened<dolmen::cpu::backend>::clock_resolution() const {
  double smallest = 1;
  for (int i = 0; i < 100; ++i) {
    auto const start = steady::now();
    double step = 0;
    while (step <= 0) step = seconds_since(start);
    smallest = std::min(smallest, step);
  }
  return smallest;
}
#endif

#if DOLMEN_HAS_CUDA
template <>
std::optional<int> opened<dolmen::cuda::backend>::threads() const {
  return std::nullopt;
}

template <>
index_t opened<dolmen::cuda::backend>::usable_bytes() const {
  return std::min(peers::free_device_bytes(stream_) + dolmen::cuda::device().pool().held, properties_.memory_bytes);
}

// CUDA's Runtime API, cudaEventElapsedTime: "a resolution of around 0.5 microseconds".
template <>
double opened<dolmen::cuda::backend>::clock_resolution() const {
  return 0.5e-6;
}
#endif

template <class B>
std::unique_ptr<session> open() {
  return std::make_unique<opened<B>>();
}

template <class B>
std::vector<dolmen::device_properties> devices() {
  std::vector<dolmen::device_properties> all;
  for (int i = 0; i < B::device::count(); ++i) all.push_back(typename B::device(i).properties());
  if (all.empty()) typename B::device();  // says why
  return all;
}

}  // namespace

std::vector<backend_entry> const& built_backends() {
  static std::vector<backend_entry> const list {
#if DOLMEN_HAS_CPU
    {"cpu", open<dolmen::cpu::backend>, devices<dolmen::cpu::backend>},
#endif
#if DOLMEN_HAS_CUDA
        {"cuda", open<dolmen::cuda::backend>, devices<dolmen::cuda::backend>},
#endif
  };
  return list;
}

}  // namespace study
