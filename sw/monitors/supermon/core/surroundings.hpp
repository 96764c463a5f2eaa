// SPDX-License-Identifier: BSD-3-Clause
// What Supermon's processes find on their computers: a node's kernel and monhole; and the books of a run.
#pragma once
#include "sw/monitors/supermon/core/query.hpp"
#include "sw/monitors/supermon/core/tree.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hypermon::supermon {

/// Why a sample never reaches the client that has asked for it.
enum class Loss : std::uint8_t {
  late,     ///< its query was answered without it
  died,     ///< a daemon that died had it, or who asked for it has died
  combined, ///< with others: what has become of them goes on instead
};

class Surroundings {
public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // --- of a node's mon -----------------------------------------------------------------------------------------------
  /// Writes (sample NODE SERIAL ...), what the node has for the query now. The serial number is never 0, nor used
  /// twice.
  virtual void sample(NodeId node, const Query& query, Time now, SexprWriter& out) = 0;
  /// A process of the node has written an expression into the monhole.
  virtual void put(NodeId node, const std::string& source, Text text, Time now) = 0;
  /// A client has sent the node's processes an expression.
  virtual void command(NodeId /*node*/, std::string_view /*expression*/, Time /*now*/) {}
  /// What a client has to say to them, with its next query; empty: nothing.
  virtual std::string command_of(std::uint32_t /*sink*/, Time /*now*/) { return {}; }
  /// What a process wrote, so that it can be combined with what others wrote; none: it cannot.
  virtual std::vector<Row> rows_of(const Sexpr& /*text*/) { return {}; }
  /// Its mon has died, and what it kept.
  virtual void mon_died(NodeId node, Time now) = 0;

  // --- samples: each comes to one end --------------------------------------------------------------------------------
  /// It is at the client, as (sample NODE SERIAL ...).
  virtual void arrive(std::uint32_t sink, const Sexpr& sample, Time now) = 0;
  virtual void lose(std::uint64_t serial, Loss why) = 0;
  /// What a client has instead of those that were combined for its query.
  virtual void arrive_combined(const Query& /*query*/, const Sexpr& /*combined*/, Time /*now*/) {}

  // --- for who watches ---------------------------------------------------------------------------------------------
  /// A supermon takes a daemon for dead; it has answered it again.
  virtual void buried(Peer /*by*/, Peer /*daemon*/, Time /*now*/) {}
  virtual void found(Peer /*by*/, Peer /*daemon*/, Time /*now*/) {}
  /// A supermon has made so many bytes of so many.
  virtual void combined(std::size_t /*before*/, std::size_t /*after*/) {}
  /// A client has this answer to its query, whole.
  virtual void received(std::uint32_t /*sink*/, const std::string& /*answer*/, Time /*now*/) {}
  /// A client's query has come to its end without these nodes, of those that it was for.
  virtual void answered(std::uint32_t /*sink*/, const NodeRuns& /*asked*/, const NodeRuns& /*missing*/, Time /*now*/) {}
};

} // namespace hypermon::supermon
