// SPDX-License-Identifier: BSD-3-Clause
// Runs a function as the MPI program of a simulated iPSC/2, without the worker around it.
#pragma once
#include "base/user_error.hpp"
#include "hw/machine/params.hpp"
#include "hw/machine/processors.hpp"
#include "sw/monitors/none/none.hpp"
#include "sw/nx2/protocol.hpp"
#include "sw/os/operating_system.hpp"
#include "tests/machine/engine.hpp"

#include <simgrid/engine.h>
#include <simgrid/s4u/Actor.hpp>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

extern "C" void hypermon_compute(double operations, double ns_per_operation);

namespace hypermon::test {

inline double now() { return simgrid_get_clock(); }

/// Every event costs the same time and is kept.
class RecordingMonitor : public Monitor {
public:
  explicit RecordingMonitor(Time cost) : cost_(cost) {}
  std::optional<Time> emit(const Emission& e) override {
    events.push_back(e);
    return cost_;
  }
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results&, Time, Time) const override {}
  std::vector<Emission> events;

private:
  Time cost_;
};

/// Result of a rank.
struct RankResult {
  Time begin;
  Time end;
  Time compute_time;
  Time emission_time;
  std::uint64_t events;
  std::uint64_t fingerprint;
};

/// `program` is called on every rank, between MPI_Init and MPI_Finalize; `before` when everything is set up, and
/// `after` while it still is. `io_nodes`: those of a monitor on the machine's links.
inline std::vector<RankResult> run_program(
    const Spec& spec, Monitor& monitor, const std::function<void(int rank)>& program,
    const std::function<void(Machine&)>& before = [](Machine&) {}, const std::function<void()>& after = [] {},
    const std::vector<NodeId>& io_nodes = {}) {
  TestEngine engine(spec);
  Machine machine(spec, io_nodes);
  Processors processors(spec);
  OperatingSystem os(spec, machine, processors, monitor, false);
  MpiLayer mpi(os);
  std::optional<MessageProtocol> messages;
  if (os.models_messages) messages.emplace(os, machine, mpi);
  SMPI_init();
  os.start();
  if (messages) messages->start();
  SMPI_app_instance_register("program", nullptr, os.ranks.world_size());
  for (int r = 0; r < os.ranks.world_size(); ++r) {
    auto actor = simgrid::s4u::Actor::init("rank" + std::to_string(r), os.ranks.place_of(r));
    actor->set_property("instance_id", "program");
    actor->set_property("rank", std::to_string(r));
    actor->start([&os, &program, r] {
      os.execution.register_rank(r);
      MPI_Init(nullptr, nullptr);
      program(r);
      MPI_Finalize();
      os.program.rank_ended(os.ranks.self()); // a rank that has ended leaves its processor
    });
  }
  before(machine);
  engine.run();
  after();
  std::vector<RankResult> results;
  for (const RankState& r : os.ranks.all())
    results.push_back({r.section.begin, r.section.end, r.section.compute_time, r.section.emission_time,
                       r.kernel->events(), r.kernel->fingerprint()});
  SMPI_finalize();
  return results;
}

/// When the program ended.
inline Time end_of(const std::vector<RankResult>& ranks) {
  Time end;
  for (const RankResult& rank : ranks) end = std::max(end, rank.end);
  return end;
}

/// A machine without drift, phases and ticks (none in the first 1000 s), in which times can be derived by hand.
inline Spec plain_machine(std::int64_t nodes) {
  Spec spec;
  spec.nodes = nodes;
  spec.get<NodeParams>().clock_drift_ppm = 0;
  spec.get<NodeParams>().clock_offset_us = 0;
  spec.get<NodeParams>().start_spread_us = 0;
  spec.get<NodeParams>().tick_ms = 1e6;
  return spec;
}

} // namespace hypermon::test
