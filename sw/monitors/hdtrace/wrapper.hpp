// SPDX-License-Identifier: BSD-3-Clause
// The MPI wrapper (HDTrace sec. 2.1): records every MPI call of the program as a state in its process's trace.
#pragma once
#include "sw/monitors/hdtrace/processes.hpp"
#include "sw/monitors/hdtrace/project_text.hpp"
#include "sw/mpi/message_pairs.hpp"

#include <map>
#include <set>

namespace hypermon::hdtrace {

class Wrapper final : public MpiObserver {
public:
  Wrapper(Recording& recording, Processes& processes, bool nic_by_calls)
      : recording_(recording), processes_(processes), nic_by_calls_(nic_by_calls) {}

  void enter(const RankState& rank, const MpiCall& call) override;
  void leave(const RankState& rank, const MpiCall& call) override;

  /// Objects that the traces name, by rank, and files by name.
  std::map<int, Known> known() const;
  const std::map<std::string, std::int64_t>& files() const { return files_; }

private:
  struct OfRank {
    std::map<MPI_Comm, std::int64_t> communicators;
    std::map<std::int64_t, std::int64_t> types; // by size
    std::map<std::string, std::int64_t> files;
    std::map<MPI_Request, std::int64_t> requests;
    std::set<std::int64_t> free_requests; // request numbers that can be reused
    Known described;
  };
  Attributes describe(Process& process, OfRank& known, const MpiCall& call);
  std::int64_t communicator(Process& process, OfRank& known, MPI_Comm comm) const;
  std::int64_t type(Process& process, OfRank& known, std::int64_t bytes) const;
  void describe_file(Process& process, OfRank& known, const MpiCall& call, Attributes& attributes);
  /// The requests that the call has completed. Their numbers become free.
  std::vector<std::string> completed(OfRank& known, const MpiCall& call) const;
  std::string nested(Process& process, Time now) const;
  void finalize(RankState& rank, Process& process);

  Recording& recording_;
  Processes& processes_;
  bool nic_by_calls_; ///< the activity of interfaces is not reported
  std::map<int, OfRank> known_;
  MessagePairs messages_;
  std::map<std::string, std::int64_t> files_;
};

} // namespace hypermon::hdtrace
