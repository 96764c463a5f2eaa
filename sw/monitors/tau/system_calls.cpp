#include "sw/monitors/tau/system_calls.hpp"

#include <nlohmann/json.hpp>

namespace hypermon::tau {

nlohmann::ordered_json SystemCalls::to_json() const {
  nlohmann::ordered_json calls = nlohmann::ordered_json::array();
  for (const auto& [call, times] : calls_)
    calls.push_back({{"call", call},
                     {"calls", times.calls},
                     {"time_s", times.sum.seconds()},
                     {"longest_ms", times.longest.seconds() * 1e3}});
  return calls;
}

} // namespace hypermon::tau
