// SPDX-License-Identifier: BSD-3-Clause
// Time of a program's MPI calls from the view of a kernel that carries messages over sockets: the time of each call is
// divided among writev, read and select. No time is added.
#pragma once
#include "sw/monitors/tau/ktau_params.hpp"
#include "sw/monitors/tau/system_calls.hpp"
#include "sw/mpi/observer.hpp"

#include <vector>

namespace hypermon::tau {

class SocketCalls final : public MpiObserver {
public:
  SocketCalls(const KtauParams& params, std::size_t ranks) : params_(params), entered_(ranks) {}

  void enter(const RankState& rank, const MpiCall& call) override;
  void leave(const RankState& rank, const MpiCall& call) override;
  const SystemCalls& calls() const { return calls_; }

private:
  KtauParams params_;
  std::vector<Time> entered_; // by rank
  SystemCalls calls_;
};

} // namespace hypermon::tau
