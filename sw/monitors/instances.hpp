// SPDX-License-Identifier: BSD-3-Clause
// All instances of a counter on a node: each processor, process or interface, with each of its items.
#pragma once
#include "base/counters.hpp"

#include <cstdint>

namespace hypermon {

/// Calls act(instance) for each current instance, in order.
template <class Act> void each_instance(const Counters& counters, CounterId counter, NodeId node, Act&& act) {
  const bool is_whole = counters.info(counter).by == CounterBy::whole;
  const std::uint32_t items = is_whole ? 1 : static_cast<std::uint32_t>(counters.items(counter).size());
  for (std::uint32_t part = 0, parts = counters.parts(counter, node); part < parts; ++part)
    for (std::uint32_t item = 0; item < items; ++item) act(CounterInstance{part, item});
}

} // namespace hypermon
