// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/system_calls.hpp"

namespace hypermon::tau {

void SystemCalls::add_to(Json& list) const {
  for (const auto& [call, times] : calls_)
    list.push_back({{"call", call},
                    {"calls", times.calls},
                    {"time_s", times.sum.seconds()},
                    {"longest_ms", times.longest.seconds() * 1e3}});
}

} // namespace hypermon::tau
