// SPDX-License-Identifier: BSD-3-Clause
// The reverse channel: a client of Supermon that holds an overhead says how processes measure, and what has come of
// that to each node. docs/design/supermon.md.
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
  /// `on_news` is called when something new has come to a node.
  MonholeControl(const TauControlParams& params, std::function<void()> on_news);

  /// Does anybody hold anything?
  bool is_on() const { return params_.overhead_percent > 0; }

  // --- at the client -------------------------------------------------------------------------------------------------
  void see(std::uint32_t sink, int rank, std::string_view profile, Time now);
  /// What its next query carries; empty: nothing.
  std::string command_of(std::uint32_t sink) const;

  // --- on the nodes --------------------------------------------------------------------------------------------------
  void command(NodeId node, std::string_view expression);
  /// The newest that has come there; null: nothing has.
  const Control* of(NodeId node) const;

  /// The result's monitor.control.
  ResultValues report() const;

private:
  TauControlParams params_;
  OverheadControl control_;
  std::function<void()> on_news_;
  std::map<NodeId, Control> come_;
};

} // namespace hypermon::tau
