// SPDX-License-Identifier: BSD-3-Clause
// Who writes into the monholes of a run, seen from Supermon: what became of what it wrote.
#pragma once
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hypermon::supermon {

/// What a process of a node hands to its mon, over a socket within the node.
struct MonholeWrite {
  std::string source;          ///< each has a buffer of its own
  Text text;                   ///< an s-expression
  std::function<void()> taken; ///< mon begins to take it
  std::function<void()> lost;  ///< mon has died, and the socket with it
};

class Writer {
public:
  virtual ~Writer() = default;
  /// The node's mon has put what it took last into its buffer, as entry `number`; or the buffer has refused it.
  virtual void put(NodeId node, std::uint64_t number, bool is_kept) = 0;
  virtual void arrive(NodeId node, const Entry& entry, const Sexpr& text, std::uint32_t sink, Time now) = 0;
  /// A sink read it, but it did not arrive there. It may be read again.
  virtual void miss(NodeId node, const Entry& entry, const char* cause) = 0;
  /// It was in the buffer of a mon that has died.
  virtual void die(NodeId node, const Entry& entry) = 0;
  /// It is still in the buffer, and the run has ended.
  virtual void stay(NodeId node, const Entry& entry) = 0;
  /// A client has sent the node's processes an expression.
  virtual void command(NodeId node, std::string_view expression, Time now) = 0;
  /// As Surroundings has them.
  virtual std::string command_of(std::uint32_t sink, Time now) = 0;
  virtual std::vector<Row> rows_of(const Sexpr& text) = 0;
};

} // namespace hypermon::supermon
