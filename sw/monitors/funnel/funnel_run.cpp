// SPDX-License-Identifier: BSD-3-Clause
// The trace funnel as a monitor of a run: each event is stored to its node's trace port, becomes a message there, and
// reaches the analyst through its chip's funnels, formatter and sink (docs/design/funnel.md).
//
// The chips use no simulation kernel. They affect only nodes whose sources are full, and a SimGrid timer serves those.
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/emission_recorder.hpp"
#include "sw/monitors/funnel/chip_traces.hpp"
#include "sw/monitors/funnel/chips.hpp"
#include "sw/monitors/funnel/stimulus_port.hpp"
#include "sw/monitors/logged_fates.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <optional>

namespace hypermon {
namespace {

class FunnelMonitor final : public Monitor {
public:
  explicit FunnelMonitor(const MonitorSetting& setting)
      : catalogue_(read_catalogue(setting.spec.get<InstrumentationParams>().catalogue)),
        store_bytes_(static_cast<std::size_t>(setting.spec.get<StimulusParams>().store_bytes)),
        ports_(stimulus_ports(setting.spec, node_clocks(setting.spec))), traces_(setting.spec),
        discard_(setting.options.discard_at_port) {
    for (std::uint32_t node = 0; node < setting.spec.nodes; ++node) holds_.push_back(holds(setting.spec, NodeId{node}));
    if (setting.options.events) traces_.set_fates(&fates_.emplace(catalogue_, setting.directory));
    if (setting.options.record) recorder_.emplace(setting.directory + "/recording");
  }
  ~FunnelMonitor() override {
    if (timer_ != nullptr) timer_->remove();
  }

  std::optional<Time> emit(const Emission& e) override {
    const StoredEvent stored(e.event, catalogue_, store_bytes_);
    const StimulusPort& port = ports_[index(e.node)];
    const Time first = port.first(e.start);
    const Time written = port.last(e.start, stored.stores());
    if (!discard_) {
      if (recorder_) recorder_->add(e.node, first, port.store, stored.data(), e.message, e.side);
      traces_.write({e.node, e.event, e.start, first, e.message, e.side}, written, stored.data());
      if (holds_[index(e.node)]) {
        held_.push_back(e.node);
        arm();
        return std::nullopt;
      }
    }
    return written - e.start;
  }
  void advance(Time now) override {
    if (recorder_) recorder_->advance(now);
    advance_chips(now);
  }
  void finish(Time program_end) override {
    if (recorder_) recorder_->close();
    traces_.finish(program_end_ = program_end);
  }
  void report(Results& results, Time, Time) const override { traces_.report(results); }
  void close(Time begin, Time end) override {
    if (recorder_) recorder_->measured(begin, end, program_end_);
    if (fates_) fates_->close();
  }

private:
  /// The chips may be ahead of `horizon`, because the end of a stalled emission was queried.
  void advance_chips(Time horizon) { traces_.advance(horizon_ = std::max(horizon_, horizon)); }

  /// Sets a timer that stops SimGrid at the time at which a stalled node may continue.
  void arm() {
    Time next = Time::never();
    for (const NodeId node : held_) next = std::min(next, traces_.earliest_resume(node));
    if (timer_ != nullptr && armed_ == next) return;
    if (timer_ != nullptr) timer_->remove();
    timer_ = nullptr;
    if (next == Time::never()) return;
    armed_ = next;
    timer_ = set_timer(next, [this] {
      timer_ = nullptr;
      look(std::max(armed_, simgrid_now()));
    });
  }
  // Runs in maestro. All data that nodes store until `date` are known, because the first store of an event is complete
  // only after the event has begun. So the clock edge at `date` is known, and nothing else is stored before the next
  // picosecond.
  void look(Time date) {
    advance_chips(date + 1_ps);
    std::vector<std::pair<NodeId, Time>> gone;
    std::erase_if(held_, [&](NodeId node) {
      const auto at = traces_.resumed_at(node);
      if (at) gone.emplace_back(node, *at);
      return at.has_value();
    });
    for (const auto& [node, at] : gone) emission_done(node, at); // the node may emit its next event within this call
    arm();
  }

  Catalogue catalogue_;
  std::size_t store_bytes_;
  std::vector<StimulusPort> ports_; // by node
  ChipTraces traces_;
  bool discard_;
  std::vector<bool> holds_;  // by node
  std::vector<NodeId> held_; // nodes whose last event is still being written
  Time horizon_;
  std::optional<EmissionRecorder> recorder_;
  std::optional<LoggedFates> fates_;
  Time program_end_;
  simgrid::kernel::timer::Timer* timer_ = nullptr;
  Time armed_;
};

} // namespace

MonitorKind funnel_monitor();
MonitorKind funnel_monitor() {
  return {.name = "funnel", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            return std::make_unique<FunnelMonitor>(setting);
          }};
}

} // namespace hypermon
