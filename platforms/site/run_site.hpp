// SPDX-License-Identifier: BSD-3-Clause
// Components of a run's site.
#pragma once
#include "base/results.hpp"
#include "hw/machine/networks.hpp"
#include "hw/machine/servers.hpp"
#include "hw/nfs/nfs_io.hpp"
#include "platforms/site/network_counters.hpp"
#include "platforms/site/process_counters.hpp"
#include "platforms/site/simulated_site.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/sample_log.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/message_counters.hpp"
#include "sw/mpi/program_counters.hpp"
#include "sw/os/memory_counters.hpp"
#include "sw/os/node_counters.hpp"

#include <memory>
#include <string>

namespace hypermon {

class RunSite {
public:
  /// `folder`: the run directory. From now on the program's functions of hypermon.h are counted.
  RunSite(const Spec& spec, Machine& machine, OperatingSystem& os, MpiLayer& mpi, const std::string& folder);
  RunSite(const RunSite&) = delete;
  RunSite& operator=(const RunSite&) = delete;
  ~RunSite();

  Site& site() { return site_; }
  SampleLog& samples() { return samples_; }
  /// Makes the shared file system, if there is one, available to the program (MpiLayer::file_system).
  void offer_files();
  /// After the run: completes the file of samples. Adds `sampling` to the result if the monitor has taken samples,
  /// `footprint` if it has used resources of the machine, and `nfs` if there is a shared file system.
  void report(Results& results);

private:
  void report_footprint(Results& results) const;

  OperatingSystem& os_;
  MpiLayer& mpi_;
  Networks networks_;
  Servers servers_;
  std::unique_ptr<NfsFiles> shared_files_; // null: nfs.place = off
  std::unique_ptr<NfsIo> shared_io_;       // null: the program does not use it
  Counters counters_;
  KernelCounters kernels_;
  MessageCounters messages_;
  MemoryCounters memory_;
  ProgramCounters program_;
  NetworkCounters interfaces_;
  ProcessCounters processes_;
  SampleLog samples_;
  Footprint footprint_;
  SimulatedSite site_;
};

} // namespace hypermon
