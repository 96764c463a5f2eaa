// How much event data the nodes make, and when: bytes of software records by the time at which they are emitted, in
// intervals of a millisecond (HYPERMON figure 14). Measured in the software monitor's format under every monitor, so
// that the same events count the same.
#pragma once
#include "hw/core/time.hpp"
#include "sw/instrumentation/text_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hypermon {

struct BurstsParams {
  bool keep_series = false;
};

/// Memory and time grow with the simulated milliseconds up to the last event: 4 bytes each.
class EventVolume {
public:
  static constexpr Time interval = 1_ms;   // HYPERMON figure 14
  static constexpr std::size_t burst = 20; // intervals of a burst (sec. 6)

  void add(Time at, std::uint32_t bytes) {
    const auto i = static_cast<std::size_t>(at.ps() / interval.ps());
    if (i >= bytes_.size()) bytes_.resize(i + 1);
    bytes_[i] += bytes;
  }
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t b : bytes_) sum += b;
    return sum;
  }
  /// The most in any `intervals` that follow each other.
  std::uint64_t most_in(std::size_t intervals) const {
    std::uint64_t most = 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      sum += bytes_[i];
      if (i >= intervals) sum -= bytes_[i - intervals];
      most = std::max(most, sum);
    }
    return most;
  }
  void write(const std::string& path) const {
    write_text(path, [&](std::ostream& file) {
      file << "interval_ms,bytes\n";
      for (std::size_t i = 0; i < bytes_.size(); ++i)
        if (bytes_[i] > 0) file << i << ',' << bytes_[i] << '\n';
    });
  }

private:
  std::vector<std::uint32_t> bytes_; // by interval since time 0
};

} // namespace hypermon
