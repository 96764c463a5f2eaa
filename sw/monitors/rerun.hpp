// SPDX-License-Identifier: BSD-3-Clause
// Replays a recorded run: the data that the nodes wrote pass through hardware that may have other parameters, without
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
  /// Sets when the recorded program ended (Monitor::finish()). Call before any row that begins later, and before
  /// finish().
  virtual void program_ends(Time at) = 0;
  /// Adds the next row of the recording. Throws std::invalid_argument if the row does not fit this machine.
  virtual void add(NodeId node, Time first, std::span<const std::uint8_t> data, std::uint64_t message,
                   MessageSide side) = 0;
  /// The complete result, based on that of the recorded run, which was measured from `begin` to `end`.
  ///
  /// Throws std::logic_error if program_ends() was not called.
  virtual Json finish(const Json& recorded, const std::string& scenario, Time begin, Time end) = 0;
  /// Stages and causes of all possible losses of an event.
  virtual std::vector<std::pair<std::string, std::string>> places() const = 0;
};

/// The recorded run's result keys that precede the monitor's own, with this specification, and the keys that follow.
Json result_before(const Json& recorded, const std::string& scenario, const Spec& spec);
void add_rest(Json& result, const Json& recorded);

/// Makes a replay for a monitor. `directory`: for files besides the result. `fates`, if not null, is told the fate of
/// every event of the program.
using MakeRerun = std::unique_ptr<Rerun> (*)(const Spec& spec, const std::string& directory, FateSink* fates,
                                             const Cut& cut);

} // namespace hypermon
