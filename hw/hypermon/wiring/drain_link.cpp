// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/machine.hpp"

#include <simgrid/s4u/Actor.hpp>

namespace hypermon {

void DrainLink::send(std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent) {
  simgrid::s4u::Actor::init("drain" + std::to_string(board), machine_.io_node(board))
      ->start([&machine = machine_, board, bytes, when_sent = std::move(when_sent)] {
        machine.drain_to_host(board, bytes);
        when_sent(simgrid_now());
      });
}

} // namespace hypermon
