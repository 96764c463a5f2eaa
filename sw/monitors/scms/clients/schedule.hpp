// SPDX-License-Identifier: BSD-3-Clause
// What somebody at the front end does to plug-ins while the run goes on, as scms_plugins.schedule says it beforehand.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"
#include "sw/monitors/scms/plugins/params.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon::scms {

/// One of the schedule, and what became of it.
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

/// By date. Throws UserError if the text is none of a schedule.
std::vector<Change> schedule_of(const ScmsPluginParams& params, std::int64_t nodes);
} // namespace hypermon::scms
