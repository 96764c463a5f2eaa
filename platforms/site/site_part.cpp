// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "platforms/site/counter_list.hpp"
#include "sw/monitors/site_keys.hpp"

namespace hypermon {

Part site_part() {
  return {.counters = {counter_list::of_networks, counter_list::of_processes}, .results = keys_of(site_keys)};
}

} // namespace hypermon
