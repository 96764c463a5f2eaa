// SPDX-License-Identifier: BSD-3-Clause
// The chips' funnels, and the fate of every message that the nodes wrote. This class uses no simulation kernel, so a
// run and a replay share it.
#pragma once
#include "base/histogram.hpp"
#include "base/queues.hpp"
#include "base/results.hpp"
#include "hw/funnel/core/trace_funnel.hpp"
#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/fates.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

class Spec;

class ChipTraces {
public:
  explicit ChipTraces(const Spec& spec);

  /// Stages and causes of all possible losses of a message.
  static std::vector<std::pair<std::string, std::string>> places();
  /// Also reports the fate of every event to `fates`, which must outlive this object.
  void set_fates(FateSink* fates) { fates_ = fates; }

  /// Call before anything is written: `probe` observes the chip's funnel, `lost` is called for each message that it
  /// loses. Both must outlive this object.
  void watch(std::size_t chip, TraceProbe* probe, std::function<void(const LostTrace&)> lost);

  /// The event's message is complete at `written`, which must not precede the last horizon or the node's last message.
  /// Throws std::invalid_argument if it is longer than its source allows.
  void write(const Emitted& event, Time written, std::span<const std::uint8_t> message);
  /// Advances every chip to `horizon`, which must not decrease.
  void advance(Time horizon);
  /// The program ended at `program_end`: flushes the links, reads the sinks and completes all messages.
  void finish(Time program_end);

  // Time at which the node continued after a stall of its emission by its source (see TraceFunnel).
  std::optional<Time> resumed_at(NodeId node) const;
  Time earliest_resume(NodeId node) const;

  void report(Results& results) const;

private:
  struct Pending {
    Emitted event;
    std::uint32_t bytes = 0;
    enum class Fate : std::uint8_t { open, delivered, lost } fate = Fate::open;
    std::uint8_t place = 0; ///< place of its loss
    Time stamp{};           ///< timestamp of a delivered message
    Time there{};
  };
  struct Node {
    SlidingVector<Pending> pending; ///< oldest first
    std::uint64_t first = 0;        ///< number of the oldest message
  };
  struct Chip {
    TraceFunnel funnel;
    std::uint32_t first_node;
    std::uint64_t counter = 0;                    ///< complete counter of the message that was last given a time
    std::function<void(const LostTrace&)> lost{}; ///< callback that also reports losses; may be empty
  };
  struct Arrived {
    NodeId node;
    DeliveredTrace message;
    Time stamp;
  };

  Chip& chip_of(NodeId node) { return *chips_[index(node) / sources_]; }
  const Chip& chip_of(NodeId node) const { return *chips_[index(node) / sources_]; }
  std::uint32_t source_of(NodeId node) const { return index(node) % static_cast<std::uint32_t>(sources_); }
  void lost(NodeId node, const LostTrace& loss);
  void settle_arrived(Chip& chip);
  void settle_all();
  Time dated(Chip& chip, std::uint64_t counter) const;
  Pending& pending(NodeId node, std::uint64_t sequence);
  void tell_settled(NodeId node);
  ResultRecords source_records() const;
  ResultValues stream_values(const TraceFunnelCounts& all) const;

  std::size_t sources_; // number of sources of a chip
  Time tick_;           // tick of the counter
  std::uint64_t mask_;
  std::vector<std::unique_ptr<Chip>> chips_;
  std::vector<Node> nodes_;
  std::vector<Arrived> arrived_; // since the last horizon
  FateSink* fates_ = nullptr;    // null: no observer
  Time last_written_;
  Time program_end_ = Time::never();
  TraceVolume generated_;
  TraceVolume delivered_;
  std::array<TraceVolume, trace_loss_causes> lost_{};
  std::uint64_t late_events_ = 0;
  std::optional<Time> first_loss_;
  TimeHistogram latency_;
  TimestampError timestamp_error_;
  CausalityChecker causality_;
};

} // namespace hypermon
