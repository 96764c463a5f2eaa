// SPDX-License-Identifier: BSD-3-Clause
// Changes of plug-ins during the run from the front end, as scheduled in scms_plugins.schedule.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"
#include "sw/monitors/scms/plugins/params.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon::scms {

/// A change of the schedule and its result.
struct Change {
  std::string text;
  Time date;
  bool is_load;
  std::string plugin;
  NodeSet nodes;
  std::optional<Time> took{};
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
  std::uint64_t missing = 0;
};

/// Returns the changes in the order of their times. Throws UserError if the text is not a schedule.
std::vector<Change> schedule_of(const ScmsPluginParams& params, std::int64_t nodes);
} // namespace hypermon::scms
