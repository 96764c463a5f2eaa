// SPDX-License-Identifier: BSD-3-Clause
// How the hardware of a run affects the machine.
#pragma once
#include "hw/cosim/bridge.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace hypermon {

struct ClosedLoop {
  Bridge& bridge;
  /// drain.destination = host: sends a message now and calls when_sent(date) when it has arrived.
  std::function<void(std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent)> send_to_host;
  /// Time at which the program ended; never() while it runs.
  std::function<Time()> program_end;
};

} // namespace hypermon
