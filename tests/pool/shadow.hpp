// What a pool has to keep in mind, written the slow and obvious way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace testing {

/// For every stretch that was freed, by which stream and when; for every stream, up to when it runs after each other.
class shadow {
 public:
  using times = std::vector<int>;
  explicit shadow(int streams) : seen_(std::size_t(streams), times(std::size_t(streams), 0)) {}

  void handed_out(char* data, std::size_t bytes, int stream) {
    auto const touches = [&](char* start, std::size_t size) { return data < start + size && start < data + bytes; };
    for (auto const& [start, size] : live_) overlaps = overlaps || touches(start, size);
    for (auto const& f : freed_)
      if (f.stream != stream && touches(f.data, f.bytes)) unordered = unordered || known(stream)[std::size_t(f.stream)] < f.time;
    live_[data] = bytes;
  }
  void given_back(char* data, int stream) {
    // History stays: every later use of these bytes must run after this.
    freed_.push_back({data, live_.at(data), stream, ++clock_});
    known(stream)[std::size_t(stream)] = clock_;
    live_.erase(data);
  }
  times record(int stream) { return known(stream); }
  void wait(int stream, times const& event) {
    for (std::size_t i = 0; i < event.size(); ++i) known(stream)[i] = std::max(known(stream)[i], event[i]);
  }
  void host_waited(times const& event) {
    for (std::size_t s = 0; s < seen_.size(); ++s) wait(int(s), event);
  }
  void device_is_idle() {
    for (auto& s : seen_) s.assign(s.size(), clock_);
  }

  bool overlaps = false, unordered = false;

 private:
  struct freed {
    char* data;
    std::size_t bytes;
    int stream, time;
  };
  times& known(int stream) { return seen_[std::size_t(stream)]; }

  int clock_ = 0;
  std::vector<times> seen_;
  std::map<char*, std::size_t> live_;
  std::vector<freed> freed_;
};

}  // namespace testing
