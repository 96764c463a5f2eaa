// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/operator.hpp"
#include "sw/monitors/scms/plugins/result_keys.hpp"

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

ResultRecords report_of(const std::vector<Change>& changes) {
  const auto& keys = scms_plugin_keys.plugin_changes;
  ResultRecords all(keys.list);
  for (const Change& change : changes)
    all.add({keys.change(change.text), keys.took_s(change.took), keys.done(change.done), keys.refused(change.refused),
             keys.missing(change.missing)});
  return all;
}

} // namespace hypermon::scms
