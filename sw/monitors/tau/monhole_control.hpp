// SPDX-License-Identifier: BSD-3-Clause
// The reverse channel: a client of Supermon that controls the overhead sends the processes commands about their
// measurement, and this class keeps the commands that have reached each node. See docs/design/supermon.md.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"
#include "sw/monitors/tau/control_params.hpp"
#include "sw/monitors/tau/core/overhead_control.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hypermon::tau {

/// (control NUMBER (every N) (off ROUTINE...))
std::string write_control(const Control& control);
/// Throws SexprError.
Control read_control(const supermon::Sexpr& expression);

class MonholeControl {
public:
  /// `on_news` is called when a new command has reached a node.
  MonholeControl(const TauControlParams& params, std::function<void()> on_news);

  /// True if a target for the overhead is set.
  bool is_on() const { return params_.overhead_percent > 0; }

  // --- at the client -------------------------------------------------------------------------------------------------
  void see(std::uint32_t sink, int rank, std::string_view profile, Time now);
  /// The command for the client's next query; empty: none.
  std::string command_of(std::uint32_t sink) const;

  // --- on the nodes --------------------------------------------------------------------------------------------------
  void command(NodeId node, std::string_view expression);
  /// The most recent command that has reached the node; null: none.
  const Control* latest_command(NodeId node) const;

  /// The values of monitor.control in the result.
  ResultValues report() const;

private:
  TauControlParams params_;
  OverheadControl control_;
  std::function<void()> on_news_;
  std::map<NodeId, Control> come_;
};

} // namespace hypermon::tau
