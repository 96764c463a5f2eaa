// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/monhole_control.hpp"
#include "sw/monitors/tau/monhole_result_keys.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::tau {

using supermon::Sexpr;

std::string write_control(const Control& control) {
  supermon::SexprWriter out;
  out.open("control").number(control.number).open("every").integer(control.every).close().open("off");
  for (const std::string& routine : control.off) out.atom(routine);
  return out.close().close().take();
}

Control read_control(const Sexpr& expression) {
  if (!expression.is_named("control")) throw supermon::SexprError(expression.at(), "must be a control");
  Control control{expression[1].number(), expression.named("every")[1].integer(), {}};
  if (control.every < 1) throw supermon::SexprError(expression.named("every").at(), "must be 1 or more");
  bool is_name = true;
  for (const Sexpr routine : expression.named("off"))
    if (!std::exchange(is_name, false)) control.off.push_back(routine.atom());
  return control;
}

MonholeControl::MonholeControl(const TauControlParams& params, std::function<void()> on_news)
    : params_(params), control_({.share = params.overhead_percent / 100,
                                 .interval = params.interval_s,
                                 .most_every = params.most_every,
                                 .may_switch_off = params.routines}),
      on_news_(std::move(on_news)) {}

void MonholeControl::see(std::uint32_t sink, int rank, std::string_view profile, Time now) {
  if (is_on() && sink == static_cast<std::uint32_t>(params_.client)) control_.see(rank, profile, now);
}

std::string MonholeControl::command_of(std::uint32_t sink) const {
  const bool is_his = is_on() && sink == static_cast<std::uint32_t>(params_.client);
  return is_his && !control_.is_obeyed() ? write_control(control_.control()) : std::string();
}

void MonholeControl::command(NodeId node, std::string_view expression) {
  const supermon::Document document{std::string(expression)};
  Control control = read_control(document.root());
  Control& last = come_[node];
  if (control.number <= last.number) return; // this command has arrived before
  last = std::move(control);
  on_news_();
}

const Control* MonholeControl::latest_command(NodeId node) const {
  const auto found = come_.find(node);
  return found == come_.end() ? nullptr : &found->second;
}

ResultValues MonholeControl::report() const {
  const auto& keys = tau_supermon_keys.control;
  ResultRecords intervals(keys.intervals.list);
  for (const OverheadControl::Judged& one : control_.judged())
    intervals.add({keys.intervals.at_s(one.at), keys.intervals.overhead_percent(100 * one.overhead)});
  ResultRecords off(keys.off.list);
  for (const std::string& routine : control_.control().off) off.add({keys.off.routine(routine)});
  const auto above = std::ranges::count_if(
      control_.judged(), [&](const OverheadControl::Judged& one) { return one.overhead > control_.target(); });
  return {keys.commands(control_.control().number),
          keys.every(control_.control().every),
          std::move(off),
          keys.is_obeyed(control_.is_obeyed()),
          keys.out_of_reach(control_.is_out_of_reach()),
          keys.intervals_above(above),
          std::move(intervals)};
}

} // namespace hypermon::tau
