// SPDX-License-Identifier: BSD-3-Clause
// mon, the daemon on every node: answers queries with the node's data, in the order of their arrival, and accepts data
// that processes of the node write into the monhole.
#pragma once
#include "sw/monitors/supermon/core/process.hpp"

namespace hypermon::supermon {

class Mon final : public Process {
public:
  /// References must outlive this object.
  Mon(const Design& design, NodeId node, Surroundings& around) : design_(design), node_(node), around_(around) {}

  Time work(std::size_t bytes) const override { return design_.costs.receiving(bytes); }
  void receive(Peer from, const Text& message, Time now, Outbox& out) override;
  void gone(Peer, Time, Outbox&) override {} // keeps no state about its peers
  Time due() const override { return Time::never(); }
  void act(Time, Outbox&) override {}
  void die(Time now) override { around_.mon_died(node_, now); }

  /// CPU time to accept `bytes` bytes that a process has written.
  Time work_of_write(std::size_t bytes) const {
    return design_.costs.monhole + Costs::each(bytes, design_.costs.parse_ns);
  }
  /// Throws SexprError if the text is not an expression.
  void write(const std::string& source, Text text, Time now);

private:
  const Design& design_;
  NodeId node_;
  Surroundings& around_;
};

} // namespace hypermon::supermon
