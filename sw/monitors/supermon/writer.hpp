// SPDX-License-Identifier: BSD-3-Clause
// Interface for the programs that write into the monholes of a run: Supermon reports the fate of their data.
#pragma once
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hypermon::supermon {

/// Data that a process of a node passes to its mon over a local socket.
struct MonholeWrite {
  std::string source;          ///< each source has its own buffer
  Text text;                   ///< an s-expression
  std::function<void()> taken; ///< called when mon begins to read it
  std::function<void()> lost;  ///< called when mon, and so the socket, has died
};

class Writer {
public:
  virtual ~Writer() = default;
  /// The node's mon has stored the data that it read last as entry `number`, or the buffer has refused them.
  virtual void put(NodeId node, std::uint64_t number, bool is_kept) = 0;
  virtual void arrive(NodeId node, const Entry& entry, const Sexpr& text, std::uint32_t sink, Time now) = 0;
  /// A sink read the entry, but it did not arrive there. It may be read again.
  virtual void miss(NodeId node, const Entry& entry, const char* cause) = 0;
  /// The entry was in the buffer of a mon that has died.
  virtual void die(NodeId node, const Entry& entry) = 0;
  /// The entry is still in the buffer at the end of the run.
  virtual void stay(NodeId node, const Entry& entry) = 0;
  /// A client has sent the node's processes an expression.
  virtual void command(NodeId node, std::string_view expression, Time now) = 0;
  /// See Surroundings.
  virtual std::string command_of(std::uint32_t sink, Time now) = 0;
  virtual std::vector<Row> rows_of(const Sexpr& text) = 0;
};

} // namespace hypermon::supermon
