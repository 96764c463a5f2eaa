// SPDX-License-Identifier: BSD-3-Clause
// A node's trace port: its program stores an event there word by word, timed by the node's own crystal.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/node_clock.hpp"
#include "sw/instrumentation/event_bytes.hpp"
#include "sw/monitors/funnel/params.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace hypermon {

struct StimulusPort {
  Time store;
  /// Completion times of the first and the last store of an event that begins at `start`.
  Time first(Time start) const { return start + store; }
  Time last(Time start, std::size_t stores) const { return start + store * static_cast<std::int64_t>(stores); }
};

/// Ports by node.
inline std::vector<StimulusPort> stimulus_ports(const Spec& spec, const std::vector<NodeClock>& clocks) {
  std::vector<StimulusPort> ports;
  ports.reserve(clocks.size());
  for (const NodeClock& clock : clocks) ports.push_back({clock.stretch(spec.get<StimulusParams>().store_ns)});
  return ports;
}

/// An event as it is stored: whole stores, the last one filled up with zeros.
class StoredEvent {
public:
  StoredEvent(const Event& event, const Catalogue& catalogue, std::size_t store_bytes) {
    const EventBytes bytes = encode_bytes(event, catalogue);
    std::ranges::copy(bytes.data(), bytes_.begin());
    stores_ = (bytes.count + store_bytes - 1) / store_bytes;
    count_ = stores_ * store_bytes;
  }
  std::size_t stores() const { return stores_; }
  std::span<const std::uint8_t> data() const { return {bytes_.data(), count_}; }

private:
  static constexpr std::size_t most_store_bytes = 8; // params.hpp
  std::array<std::uint8_t, max_event_bytes + most_store_bytes> bytes_{};
  std::size_t stores_;
  std::size_t count_;
};

} // namespace hypermon
