// SPDX-License-Identifier: BSD-3-Clause
// A run again from its recording: what the nodes wrote then, through hardware that may have other parameters, without
// the program and its machine.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/cut.hpp"
#include "sw/monitors/fates.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

class Spec;

class Rerun {
public:
  virtual ~Rerun() = default;
  /// When the recorded program ended (Monitor::finish()). Before any row that begins later, and before finish().
  virtual void program_ends(Time at) = 0;
  /// The next row of the recording. Throws std::invalid_argument if it cannot be one of this machine.
  virtual void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                   MessageSide side) = 0;
  /// The whole result, from that of the run that was recorded, which was measured from `begin` to `end`.
  /// Throws std::logic_error if nobody has said when the program ended.
  virtual Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) = 0;
  /// Where an event can have been lost: stage and cause.
  virtual std::vector<std::pair<std::string, std::string>> places() const = 0;
};

/// The result's keys that come before a monitor's own, of the run that was recorded, but with this specification; and
/// those that follow.
Json result_before(const Json& recorded, const std::string& scenario, const Spec& spec);
void add_rest(Json& result, const Json& recorded);

/// Makes the runs of a monitor. `directory`: for what it leaves beside its result. `fates`, if given, is told what
/// becomes of every event, of a program's alone.
using MakeRerun = std::unique_ptr<Rerun> (*)(const Spec& spec, const std::string& directory, FateSink* fates,
                                             const Cut& cut);

} // namespace hypermon
