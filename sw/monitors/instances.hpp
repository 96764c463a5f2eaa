// SPDX-License-Identifier: BSD-3-Clause
// All that a node has of a counter: of each of its processors, processes or interfaces, each item that is counted
// apart.
#pragma once
#include "base/counters.hpp"

#include <cstdint>

namespace hypermon {

/// Calls act(instance) for each that there is now, in order.
template <class Act> void each_instance(const Counters& counters, CounterId counter, NodeId node, Act&& act) {
  const bool is_whole = counters.info(counter).by == CounterBy::whole;
  const std::uint32_t items = is_whole ? 1 : static_cast<std::uint32_t>(counters.items(counter).size());
  for (std::uint32_t part = 0, parts = counters.parts(counter, node); part < parts; ++part)
    for (std::uint32_t item = 0; item < items; ++item) act(CounterInstance{part, item});
}

} // namespace hypermon
