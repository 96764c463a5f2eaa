// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/system_calls.hpp"
#include "sw/monitors/tau/result_keys.hpp"

namespace hypermon::tau {

void SystemCalls::add_to(ResultRecords& list) const {
  const auto& keys = tau_keys.system_calls;
  for (const auto& [call, times] : calls_)
    list.add({keys.call(call), keys.calls(times.calls), keys.time_s(times.sum), keys.longest_ms(times.longest)});
}

} // namespace hypermon::tau
