// SPDX-License-Identifier: BSD-3-Clause
// The environment of Supermon's processes: a node's kernel and monhole, and observers of the run.
#pragma once
#include "sw/monitors/supermon/core/query.hpp"
#include "sw/monitors/supermon/core/tree.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hypermon::supermon {

/// Reason why a sample never reaches the client of its query.
enum class Loss : std::uint8_t {
  late,     ///< its query was answered without it
  died,     ///< it was in a daemon that died, or the daemon that requested it has died
  combined, ///< it was combined with others, whose fate it shares
};

class Surroundings {
public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // --- of a node's mon -----------------------------------------------------------------------------------------------
  /// Writes (sample NODE SERIAL ...) with the node's current data for the query. Serial numbers are unique and never 0.
  virtual void sample(NodeId node, const Query& query, Time now, SexprWriter& out) = 0;
  /// A process of the node has written an expression into the monhole.
  virtual void put(NodeId node, const std::string& source, Text text, Time now) = 0;
  /// A client has sent the node's processes an expression.
  virtual void command(NodeId /*node*/, std::string_view /*expression*/, Time /*now*/) {}
  /// A client's command to these processes, for its next query; empty: none.
  virtual std::string command_of(std::uint32_t /*sink*/, Time /*now*/) { return {}; }
  /// Rows of a text that a process wrote, for combining with others; empty: it cannot be combined.
  virtual std::vector<Row> rows_of(const Sexpr& /*text*/) { return {}; }
  /// The node's mon has died, and its data are lost.
  virtual void mon_died(NodeId node, Time now) = 0;

  // --- samples: each has exactly one fate ---------------------------------------------------------------------------
  /// The sample has reached the client, as (sample NODE SERIAL ...).
  virtual void arrive(std::uint32_t sink, const Sexpr& sample, Time now) = 0;
  virtual void lose(std::uint64_t serial, Loss why) = 0;
  /// The client got this in place of the samples that were combined for its query.
  virtual void arrive_combined(const Query& /*query*/, const Sexpr& /*combined*/, Time /*now*/) {}

  // --- for observers ------------------------------------------------------------------------------------------------
  /// A supermon takes a daemon for dead, or has heard it again.
  virtual void buried(Peer /*by*/, Peer /*daemon*/, Time /*now*/) {}
  virtual void found(Peer /*by*/, Peer /*daemon*/, Time /*now*/) {}
  /// A supermon has reduced `before` bytes to `after` bytes.
  virtual void combined(std::size_t /*before*/, std::size_t /*after*/) {}
  /// A client has received this complete answer to its query.
  virtual void received(std::uint32_t /*sink*/, const std::string& /*answer*/, Time /*now*/) {}
  /// A client's query has ended: `missing` are those of its nodes without an answer.
  virtual void answered(std::uint32_t /*sink*/, const NodeRuns& /*asked*/, const NodeRuns& /*missing*/, Time /*now*/) {}
};

} // namespace hypermon::supermon
