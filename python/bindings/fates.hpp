// SPDX-License-Identifier: BSD-3-Clause
// Log of the fate of every event in a replay, by node. It is read after the replay.
#pragma once
#include "base/deep_queue.hpp"
#include "base/packed_log.hpp"
#include "hw/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/columns.hpp"
#include "sw/monitors/fates.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

/// An event that a node emitted.
struct EventFate {
  EventType type{};
  std::array<std::uint32_t, max_arguments> args{};
  Time true_time; ///< time of its first strobe
  Time emitted;   ///< start of its emission
  Time emission;  ///< duration of its emission
  Time software;  ///< reading of the node's clock at `emitted`
  Time monitor;   ///< the monitor's timestamp; it and `delivered` (arrival at the monitor) are 0 for a lost event
  Time delivered;
  std::uint64_t message = 0;
  MessageSide side = MessageSide::none;
  std::int16_t lost = -1; ///< CauseId; -1: delivered

  template <class Coder> void code(Coder& c, EventFate& before) {
    c(type, before.type);
    for (std::size_t i = 0; i < args.size(); ++i) c(args[i], before.args[i]);
    c(true_time, before.true_time);
    c(emitted, before.emitted);
    c(emission, before.emission);
    c(software, before.software);
    c(monitor, before.monitor);
    c(delivered, before.delivered);
    c(message, before.message);
    c(side, before.side);
    c(lost, before.lost);
  }
};

/// An event that the monitor decoded and no node emitted.
struct SpuriousFate {
  EventType type{};
  Time monitor;
  Time delivered;
  std::uint64_t number = 0; ///< position among the spurious events of all nodes, in order of arrival

  template <class Coder> void code(Coder& c, SpuriousFate& before) {
    c(type, before.type);
    c(monitor, before.monitor);
    c(delivered, before.delivered);
    c(number, before.number);
  }
};

/// Memory does not grow with the number of events.
class FateLog final : public FateSink {
public:
  explicit FateLog(const Spec& spec);

  /// Sets how long the node takes to emit its next event. Call it before the event's fate is known.
  void emits(NodeId node, Time emission);

  void delivered(const Emitted& event, Time stamp, Time there) override { add(event, stamp, there, -1); }
  void lost(const Emitted& event, std::size_t place) override {
    add(event, Time{}, Time{}, static_cast<std::int16_t>(place));
  }
  void spurious(NodeId node, EventType type, Time stamp, Time there) override;

  const PackedLog<EventFate>& events(std::size_t node) const { return nodes_[node].events; }
  const PackedLog<SpuriousFate>& spurious(std::size_t node) const { return nodes_[node].spurious; }
  std::size_t nodes() const { return nodes_.size(); }

private:
  struct Emission {
    Time length;
    template <class Coder> void code(Coder& c, Emission& before) { c(length, before.length); }
  };
  struct Node {
    Node(const NodeClock& own, const std::shared_ptr<SpillFile>& file, std::size_t bytes);
    NodeClock clock;
    DeepQueue<Emission> emissions; // events whose fates are not known yet
    PackedLog<EventFate> events;
    PackedLog<SpuriousFate> spurious;
  };
  void add(const Emitted& event, Time stamp, Time there, std::int16_t lost);

  std::vector<Node> nodes_;
  std::uint64_t spurious_ = 0;
};

/// Reads a complete FateLog for Python: columns of the next event, or the next spurious event, of each given node.
class FateReader {
public:
  explicit FateReader(std::shared_ptr<const FateLog> log);
  pybind11::dict events(const Column<std::uint16_t>& nodes);
  pybind11::dict spurious(const Column<std::uint16_t>& nodes);

private:
  std::shared_ptr<const FateLog> log_;
  std::vector<PackedLog<EventFate>::Cursor> events_;
  std::vector<PackedLog<SpuriousFate>::Cursor> spurious_;
};

} // namespace hypermon
