// What scans have to give.
#pragma once

#include <optional>

#include "../support/data.hpp"

namespace testing {

/// One element after the other, over lines of `length`.
template <class Wide, class T, class Op>
std::vector<Wide> reference_scan(std::vector<T> const& in, index_t length, Op op, std::optional<Wide> initial = std::nullopt) {
  std::vector<Wide> out;
  Wide sum{};
  bool begun = false;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (index_t(i) % length == 0) {
      begun = initial.has_value();
      if (begun) sum = *initial;
    }
    Wide const before = sum, value = static_cast<Wide>(in[i]);
    sum = begun ? static_cast<Wide>(op(sum, value)) : value;
    begun = true;
    out.push_back(initial ? before : sum);
  }
  return out;
}

}  // namespace testing
