// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/rerun.hpp"
#include "base/json.hpp"
#include "base/run_keys.hpp"
#include "hw/machine/memory_result_keys.hpp"

namespace hypermon {

Json result_before(const Json& recorded, const std::string& scenario, const Spec& spec) {
  Json result;
  for (const ResultInfo& key : keys_of(run_keys, memory_keys)) { // in the order of a co-simulation's result
    const std::string_view name = key.path.substr(0, key.path.find_first_of(".["));
    if (recorded.contains(name) && !result.contains(name)) result[name] = recorded[name];
  }
  result[run_keys.scenario.path] = scenario;
  result[run_keys.spec.path] = to_json(spec);
  return result;
}

// The keys after the monitor's describe the program and the machine, which do not depend on the replayed hardware.
void add_rest(Json& result, const Json& recorded) {
  for (const auto& [key, value] : recorded.items())
    if (!result.contains(key)) result[key] = value;
}

} // namespace hypermon
