// SPDX-License-Identifier: BSD-3-Clause
// A client: queries the root at its own interval, one query at a time, and takes the answers. It begins at a true time,
// and then waits by the clock of its computer. It records gaps: for each node, the time from the first answer without
// it to the first answer with it again.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/supermon/core/process.hpp"
#include "sw/monitors/supermon/core/sampling.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::supermon {

struct SinkSetting {
  Time begin{};
  Time period{};
  Time end = Time::never(); ///< no query after that time, by the client's clock since its begin
  Query query{};            ///< id, sink and command are set here
  NodeSample sample{};      ///< selects nodes of the query
};

/// From the first answer without the node to the first with it again; never(): it is still missing.
struct Gap {
  NodeId node{};
  Time begin;
  Time end;
};

struct SinkCounts {
  std::uint64_t queries = 0;
  std::uint64_t answers = 0;
  std::uint64_t missed = 0;     ///< queries whose time passed while another was open
  std::uint64_t unanswered = 0; ///< no answer in time, or the connection broke
  std::uint64_t late = 0;       ///< answers to the unanswered queries
  std::uint64_t samples = 0;
  std::uint64_t combined = 0; ///< nodes in combined data
  std::uint64_t missing = 0;  ///< nodes missing in answers
  std::uint64_t bytes = 0;    ///< bytes of answers
  Time sum{};                 ///< time from a query's begin to its answer
  Time longest{};
  std::optional<Time> first{};
};

class Sink final : public Process {
public:
  /// `number`: among the clients. `clock`: of its computer. References must outlive this object.
  Sink(const Design& design, std::uint32_t number, SinkSetting setting, Surroundings& around, const NodeClock& clock);

  Time work(std::size_t bytes) const override {
    return design_.costs.receiving(bytes) + Costs::each(bytes, design_.costs.sink_byte_ns);
  }
  void receive(Peer from, const Text& message, Time now, Outbox& out) override;
  void gone(Peer peer, Time now, Outbox& out) override;
  Time due() const override;
  void act(Time now, Outbox& out) override;
  void die(Time) override {} // clients live as long as the run

  const SinkCounts& counts() const { return counts_; }
  /// First the gaps that are over, by their ends, then the others, by node.
  std::vector<Gap> gaps() const;
  std::size_t gaps_under_way() const { return missing_since_.size(); }

private:
  struct Open {
    Query query;
    Time asked;
    Time deadline;
  };
  void end_query(const NodeRuns& missing, Time now);
  Time date() const { return clock_.after(setting_.begin, next_ * setting_.period); }
  bool is_over() const { return setting_.begin + next_ * setting_.period > setting_.end; }

  const Design& design_;
  SinkSetting setting_;
  Surroundings& around_;
  NodeClock clock_;
  std::int64_t next_ = 0; // number of the next query, which determines its time
  std::uint64_t number_ = 0;
  std::optional<Open> open_;
  std::map<NodeId, Time> missing_since_;
  std::vector<Gap> over_;
  SinkCounts counts_;
};

} // namespace hypermon::supermon
