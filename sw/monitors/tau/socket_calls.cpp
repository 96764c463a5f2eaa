// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/socket_calls.hpp"
#include "sw/os/execution.hpp"

#include <algorithm>

namespace hypermon::tau {
namespace {

struct Messages {
  std::uint64_t number = 0;
  std::int64_t bytes = 0;
};

bool is_somebody(const MpiPart& part) { return part.peer && *part.peer != MPI_PROC_NULL; }

/// A collective call counts as one message in each direction *(chosen)*.
Messages sent_by(const MpiCall& call) {
  const MpiPart& sent = call.sent();
  if (sent.peer ? is_somebody(sent) : sent.bytes > 0) return {1, sent.bytes};
  return {};
}

Messages received_by(const MpiCall& call) {
  Messages all;
  for (const MpiCall::Completed& one : call.completed())
    if (one.status.MPI_SOURCE >= 0 && one.status.count > 0) {
      ++all.number;
      all.bytes += one.status.count;
    }
  if (all.number == 0 && !call.received().peer && call.received().bytes > 0) return {1, call.received().bytes};
  return all;
}

} // namespace

void SocketCalls::enter(const RankState& rank, const MpiCall&) {
  entered_[static_cast<std::size_t>(rank.rank)] = Execution::date(rank);
}

void SocketCalls::leave(const RankState& rank, const MpiCall& call) {
  if (call.failed()) return;
  Time left = simgrid_now() - entered_[static_cast<std::size_t>(rank.rank)];
  const auto take = [&](const char* name, const Messages& messages, Time each) {
    if (messages.number == 0) return;
    const double copy_ps = static_cast<double>(messages.bytes) / params_.copy_mb_per_s * 1e6;
    const Time own =
        std::min(left, each * static_cast<std::int64_t>(messages.number) + Time::from_ps(nearest(copy_ps)));
    calls_.add(name, own, messages.number);
    left -= own;
  };
  take("writev", sent_by(call), params_.writev_us);
  take("read", received_by(call), params_.read_us);
  if (left > Time{}) calls_.add("select", left);
}

} // namespace hypermon::tau
