// SPDX-License-Identifier: BSD-3-Clause
// The memory of one node: the working sets of the processes on it, and what of them it has not got
// (docs/design/memory.md). No simulation kernel: the caller says what time it is.
//
// Of all working sets together, each page is as likely to be in memory as any other: with W bytes wanted and M there, a
// touch of a page misses with probability 1 - M / W. A process that computes goes through its working set at a rate,
// page by page; a miss is a page that is read from disk, and the process waits for it.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

struct MemoryDesign {
  std::int64_t bytes = 0; ///< of the node
  std::int64_t page = 4096;
  double sweep_bytes_per_s = 0; ///< of its working set, by a process for a second of its CPU time
};

class NodeMemory {
public:
  /// A process that is there from `begin` to `end`, and only takes room.
  struct Bystander {
    std::string name;
    std::int64_t bytes = 0;
    Time begin{};
    Time end = Time::never();
  };
  NodeMemory(const MemoryDesign& design, std::vector<Bystander> bystanders, std::size_t processes)
      : design_(design), bystanders_(std::move(bystanders)), processes_(processes) {}

  void add(Bystander bystander) { bystanders_.push_back(std::move(bystander)); }
  /// The process works on so many bytes from now on. Returns how many pages it touches for the first time: what lies
  /// beyond the most that it has worked on. They are faults.
  std::int64_t resize(std::size_t process, std::int64_t bytes);
  /// The process has computed for `work` until `now`: how many of the pages that it needed had to be read. What is left
  /// of a page is the next time's.
  std::int64_t misses(std::size_t process, Time work, Time now);

  /// All working sets.
  std::int64_t wanted(Time now) const;
  /// What of the process's working set is in memory.
  std::int64_t resident(std::size_t process, Time now) const { return part(processes_[process].bytes, now); }
  /// The same of bystanders of that name.
  std::int64_t resident(const std::string& bystander, Time now) const;
  std::int64_t available(Time now) const { return std::max<std::int64_t>(design_.bytes - wanted(now), 0); }
  /// Pages that were touched first, or read.
  std::int64_t faults(std::size_t process) const { return processes_[process].faults; }
  std::int64_t reads(std::size_t process) const { return processes_[process].reads; }

private:
  struct Process {
    std::int64_t bytes = 0;
    std::int64_t touched = 0; // the most that it has worked on
    double owed = 0;          // of a page
    std::int64_t faults = 0;
    std::int64_t reads = 0;
  };
  /// Of so many bytes of working sets, what is in memory.
  std::int64_t part(std::int64_t bytes, Time now) const;

  MemoryDesign design_;
  std::vector<Bystander> bystanders_;
  std::vector<Process> processes_;
};

} // namespace hypermon
