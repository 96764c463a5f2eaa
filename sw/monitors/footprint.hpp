// SPDX-License-Identifier: BSD-3-Clause
// What a monitor takes of the machine: CPU time of its daemons, memory that it keeps data in, what it writes to files.
// The site counts what passes through it; a monitor says what does not.
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
  /// Memory at that place that the monitor has set aside, or had filled at most: a trace buffer, a daemon's working
  /// set.
  void keep(const Place& at, std::int64_t bytes);
  /// Written to a disk, a file server or the shared file system.
  void store(std::int64_t bytes) { stored_ += bytes; }

  /// Nobody has counted anything.
  bool is_empty() const { return cpu_.empty() && memory_.empty() && stored_ == 0; }
  /// Of nodes (what takes from the program) and of all other computers.
  void report(Results& results) const;

private:
  std::map<Place, Time> cpu_;
  std::map<Place, std::int64_t> memory_;
  std::int64_t stored_ = 0;
};

} // namespace hypermon
