// SPDX-License-Identifier: BSD-3-Clause
// Resources of the machine that a monitor uses: CPU time of its daemons, memory for its data, bytes written to files.
// The site counts everything that goes through it; a monitor reports the rest here.
#pragma once
#include "base/results.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <map>

namespace hypermon {

class Footprint {
public:
  /// CPU time of a daemon at that place.
  void work(const Place& at, Time nominal);
  /// Memory at that place that the monitor reserved, or the largest amount that it filled: a trace buffer, or a
  /// daemon's working set.
  void keep(const Place& at, std::int64_t bytes);
  /// Bytes written to a disk, a file server or the shared file system.
  void store(std::int64_t bytes) { stored_ += bytes; }

  /// True if nothing has been counted.
  bool is_empty() const { return cpu_.empty() && memory_.empty() && stored_ == 0; }
  /// Writes the result keys, separately for the nodes, whose resources the program loses, and for other computers.
  void report(Results& results) const;

private:
  std::map<Place, Time> cpu_;
  std::map<Place, std::int64_t> memory_;
  std::int64_t stored_ = 0;
};

} // namespace hypermon
