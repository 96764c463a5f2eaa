// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/software/clock_comparison.hpp"
#include "sw/os/execution.hpp"

#include <smpi/smpi.h>

#include <algorithm>

namespace hypermon::software {
namespace {

constexpr std::uint32_t server_port = 3000; // (chosen)
constexpr std::uint32_t client_port = 3001;
constexpr const char* parameter = "software.clocks";
constexpr const char* waited_for = "the comparison of clocks";

std::optional<ClockLine::Compared> compared(const std::optional<ClockOffset>& found) {
  if (!found) return {};
  return ClockLine::Compared{found->at + found->offset, found->offset}; // by the process's own time
}

/// Waits as in an MPI call: other ranks wake this one, so it may be part of a deadlock.
void await(RankState& rank, simgrid::s4u::Semaphore& done) {
  const WaitsFor before = std::exchange(rank.waits_for, WaitsFor{waited_for});
  execution().in_mpi(rank, [&] {
    done.acquire();
    return MPI_SUCCESS;
  });
  rank.waits_for = before;
}

} // namespace

ClockComparison::ClockComparison(const SoftwareParams& params, Site& site, NetworkId network, std::vector<NodeId> nodes)
    : params_(params),
      site_(site), probe_{network, params.probe_bytes.number, server_port, client_port, Time(params.probe_us)},
      nodes_(std::move(nodes)) {
  for (Round& round : rounds_) round.found.resize(nodes_.size());
  std::vector<NodeId> places(nodes_.begin() + 1, nodes_.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const NodeId node : places)
    site.daemon(
        Place::node(node), "clock", [this, node](Daemon& self) { answer_probes(self, probe_, site_.clock(node)); },
        parameter);
  site.daemon(
      Place::node(nodes_.front()), "clocks", [this](Daemon& self) { work(self); }, parameter);
}

void ClockComparison::work(Daemon& self) {
  const NodeClock& own = site_.clock(nodes_.front());
  for (Round& round : rounds_) {
    asked_->acquire();
    const Time begin = self.now();
    for (std::size_t p = 1; p < nodes_.size(); ++p) {
      round.found[p] = probe_offset(self, probe_, own, Place::node(nodes_[p]), params_.probes);
      probe_offset(self, probe_, own, Place::node(nodes_[p]), 1); // tells the process the measured offset
    }
    round.took = self.now() - begin;
    answered_->release();
  }
}

void ClockComparison::compare(RankState& rank, When when) {
  Round& round = round_at(when);
  if (++round.came < nodes_.size()) return await(rank, *round.done);
  execution().in_system_call(rank, waited_for, [&] {
    asked_->release();
    answered_->acquire();
  });
  for (std::size_t p = 1; p < nodes_.size(); ++p) round.done->release();
}

ClockLine ClockComparison::line(std::size_t process) const {
  return {compared(found(When::begin, process)), compared(found(When::end, process))};
}

} // namespace hypermon::software
