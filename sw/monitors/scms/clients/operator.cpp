// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/operator.hpp"

namespace hypermon::scms {

void carry_out(std::vector<Change>& changes, Rmi& rmi, const Plugins& plugins) {
  for (Change& change : changes) {
    rmi.daemon().sleep_until(change.date);
    const PluginId plugin = plugins.id(change.plugin, "scms_plugins.schedule");
    const Answer answer = change.is_load ? rmi.load(change.nodes, plugin) : rmi.unload(change.nodes, plugin);
    change.took = answer.answered - answer.asked;
    for (const Value& value : answer.rows.values) {
      if (value.state == State::ok)
        ++change.done;
      else if (value.state == State::failed)
        ++change.refused;
      else
        ++change.missing;
    }
  }
}

Json report_of(const std::vector<Change>& changes) {
  auto all = Json::array();
  for (const Change& change : changes)
    all.push_back({{"change", change.text},
                   {"took_s", change.took ? Json(change.took->seconds()) : Json()},
                   {"done", change.done},
                   {"refused", change.refused},
                   {"missing", change.missing}});
  return all;
}

} // namespace hypermon::scms
