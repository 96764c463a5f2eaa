// A run again from its recording: the recorded bursts through hardware that may have other parameters.
#pragma once
#include "sw/monitors/hypermon/trace_checker.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace hypermon {

class Rerun {
public:
  virtual ~Rerun() = default;
  /// When the recorded program ended (Monitor::finish()). Before any burst that begins later, and before finish().
  virtual void program_ends(Time at) = 0;
  /// The next burst of the recording. Throws std::invalid_argument if it cannot be one of this machine.
  virtual void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                   MessageSide side) = 0;
  /// The whole result, from that of the run that was recorded, which was measured from `begin` to `end`.
  /// Throws std::logic_error if nobody has said when the program ended.
  virtual nlohmann::ordered_json finish(const nlohmann::ordered_json& recorded, const std::string& scenario, Time begin,
                                        Time end) = 0;
  /// Where an event can have been lost, by CauseId.
  virtual const std::vector<TraceLoss>& losses() const = 0;
};

} // namespace hypermon
