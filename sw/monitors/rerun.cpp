// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/rerun.hpp"
#include "base/json.hpp"

namespace hypermon {

Json result_before(const Json& recorded, const std::string& scenario, const Spec& spec) {
  Json result;
  for (const char* key :
       {"scenario", "spec", "versions", "fingerprint", "elapsed_s", "ranks", "neighbours", "events", "event_bytes",
        "warnings", "unmodelled_calls", "cpu", "memory"}) // in the order of a co-simulation's result, which has not all
    if (recorded.contains(key)) result[key] = recorded[key];
  result["scenario"] = scenario;
  result["spec"] = to_json(spec);
  return result;
}

// What follows the monitor's is of the program and the machine, whatever hardware the nodes wrote to.
void add_rest(Json& result, const Json& recorded) {
  for (const auto& [key, value] : recorded.items())
    if (!result.contains(key)) result[key] = value;
}

} // namespace hypermon
