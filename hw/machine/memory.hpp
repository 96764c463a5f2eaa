// SPDX-License-Identifier: BSD-3-Clause
// The memory of one node: the working sets of its processes, and the parts of them that are not resident
// (docs/design/memory.md). No simulation kernel: the caller passes the time.
//
// Every page of all working sets is equally likely to be resident: with W bytes requested and M available, touching a
// page misses with probability 1 - M / W. A computing process sweeps its working set at a fixed rate, page by page. A
// miss reads a page from disk while the process waits.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

struct MemoryDesign {
  std::int64_t bytes = 0; ///< memory of the node
  std::int64_t page = 4096;
  double sweep_bytes_per_s = 0; ///< bytes of its working set that a process touches in a second of CPU time
};

class NodeMemory {
public:
  /// A process that exists from `begin` to `end` and only occupies memory.
  struct Bystander {
    std::string name;
    std::int64_t bytes = 0;
    Time begin{};
    Time end = Time::never();
  };
  NodeMemory(const MemoryDesign& design, std::vector<Bystander> bystanders, std::size_t processes)
      : design_(design), bystanders_(std::move(bystanders)), processes_(processes) {}

  void add(Bystander bystander) { bystanders_.push_back(std::move(bystander)); }
  /// Sets the size of the process's working set. Returns the number of pages that it touches for the first time, beyond
  /// the largest size so far; these are faults.
  std::int64_t resize(std::size_t process, std::int64_t bytes);
  /// The process has computed for `work` until `now`. Returns the number of needed pages that had to be read. A
  /// fraction of a page is carried over to the next call.
  std::int64_t misses(std::size_t process, Time work, Time now);

  /// Bytes of all working sets.
  std::int64_t wanted(Time now) const;
  /// Bytes of the process's working set that are resident.
  std::int64_t resident(std::size_t process, Time now) const { return part(processes_[process].bytes, now); }
  /// Bytes of the working sets of all bystanders of that name that are resident.
  std::int64_t resident(const std::string& bystander, Time now) const;
  std::int64_t available(Time now) const { return std::max<std::int64_t>(design_.bytes - wanted(now), 0); }
  /// Faults: pages that were touched for the first time or read. Reads: pages that were read.
  std::int64_t faults(std::size_t process) const { return processes_[process].faults; }
  std::int64_t reads(std::size_t process) const { return processes_[process].reads; }

private:
  struct Process {
    std::int64_t bytes = 0;
    std::int64_t touched = 0; // largest size of its working set so far
    double owed = 0;          // fraction of a page carried over
    std::int64_t faults = 0;
    std::int64_t reads = 0;
  };
  /// Resident part of `bytes` bytes of working sets.
  std::int64_t part(std::int64_t bytes, Time now) const;

  MemoryDesign design_;
  std::vector<Bystander> bystanders_;
  std::vector<Process> processes_;
};

} // namespace hypermon
