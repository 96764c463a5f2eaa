// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/schedule.hpp"
#include "base/user_error.hpp"
#include "hw/machine/index_list.hpp"

#include <algorithm>
#include <sstream>

namespace hypermon::scms {

std::vector<Change> schedule_of(const ScmsPluginParams& params, std::int64_t nodes) {
  std::vector<Change> changes;
  std::istringstream parts(params.schedule);
  for (std::string part; std::getline(parts, part, ';');) {
    std::istringstream words(part);
    double date = 0;
    std::string verb;
    std::string plugin;
    std::string on = "all";
    std::string more;
    words >> date >> verb >> plugin;
    const bool is_whole = !words.fail();
    words >> on >> more;
    if (!is_whole || !more.empty() || (verb != "load" && verb != "unload") || !(date >= 0 && date <= 1e6))
      throw UserError(
          "scms_plugins.schedule = " + part +
          ": must be like 30 load mpi 0-3: when in s, load or unload, the plug-in, and on which nodes if not "
          "on all; several with ; between");
    std::vector<NodeId> found;
    for (const std::uint32_t node : all_or_index_list("scms_plugins.schedule", on, nodes, "numbers of nodes"))
      found.push_back(NodeId{node});
    std::sort(found.begin(), found.end());
    changes.push_back({part, Time::from_seconds_rounded(date), verb == "load", plugin, node_set(std::move(found))});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.date < b.date; });
  return changes;
}

} // namespace hypermon::scms
