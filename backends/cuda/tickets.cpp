#include "tickets.hpp"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../../core/host_memory.hpp"
#include "../../core/pool/ordering.hpp"
#include "runtime.hpp"

namespace dolmen::cuda::impl {
namespace {

using dolmen::detail::stream_order;

/// The words of all streams of the process. They are never given back to CUDA. Those of a stream that has ended, after its
/// work, serve another; a stream that was only wrapped may still be at work when its last handle goes, so its words are kept
/// for it alone.
class registry {
 public:
  unsigned* words_of(stream const& s, source_location where) {
    std::lock_guard lock(mutex_);
    auto const known = by_order_.find(s.order().get());
    if (known != by_order_.end() && !known->second.order.expired()) return known->second.words;
    sweep();
    auto& fresh = by_order_[s.order().get()];  // before words are taken: it may throw
    auto* const words = s.owned() ? take_spare(s, where) : of_wrapped(s, where);
    fresh = {s.order(), words, s.device_index(), s.owned()};
    return words;
  }

 private:
  struct entry {
    std::weak_ptr<stream_order> order;
    unsigned* words;
    int device;
    bool own;
  };
  struct unused {
    int device;
    unsigned* words;
  };

  void sweep() {
    std::erase_if(by_order_, [&](auto const& item) {
      auto const& e = item.second;
      if (!e.order.expired()) return false;
      if (e.own) spare_.push_back({e.device, e.words});
      return true;
    });
  }
  unsigned* take_spare(stream const& s, source_location where) {
    for (auto& candidate : spare_)
      if (candidate.device == s.device_index()) {
        auto* const words = candidate.words;
        candidate = spare_.back();
        spare_.pop_back();
        return words;
      }
    return make(s, where);
  }
  // CUDA's ids of streams are never used twice.
  unsigned* of_wrapped(stream const& s, source_location where) {
    unsigned long long id = 0;
    check(cudaStreamGetId(s.native(), &id), "cudaStreamGetId", where);
    auto& words = by_id_[id];
    if (!words) words = make(s, where);
    return words;
  }
  // Apart from the pool, whose statistics tell of users' memory.
  static unsigned* make(stream const& s, source_location where) {
    constexpr std::size_t bytes = tickets::most * sizeof(unsigned);
    auto const memory = backend::allocate(s, bytes, dolmen::memory::direct, where);
    cudaError_t const status = cudaMemsetAsync(memory.data, 0, bytes, s.native());
    if (status != cudaSuccess) {
      backend::release(memory, s);
      fail(status, "cudaMemsetAsync", where);
    }
    return static_cast<unsigned*>(memory.data);
  }

  std::mutex mutex_;
  std::unordered_map<stream_order const*, entry> by_order_;
  std::unordered_map<unsigned long long, unsigned*> by_id_;
  std::vector<unused> spare_;
};

}  // namespace

tickets::tickets(stream const& s, int count, source_location where) : stream_(s) {
  if (!capturing(s)) {
    words_ = dolmen::detail::with_host_memory("launch", where, [&] {
      static registry& all = *new registry;  // never destroyed: streams may be used until the end
      return all.words_of(s, where);
    });
    return;
  }
  std::size_t const bytes = std::size_t(count) * sizeof(unsigned);
  memory_ = backend::allocate(s, bytes, dolmen::memory::pooled, where);
  words_ = static_cast<unsigned*>(memory_.data);
  cudaError_t const status = cudaMemsetAsync(words_, 0, bytes, s.native());
  if (status == cudaSuccess) return;
  backend::release(memory_, s);
  fail(status, "cudaMemsetAsync", where);
}

tickets::~tickets() {
  if (memory_.data) backend::release(memory_, stream_);
}

}  // namespace dolmen::cuda::impl
