// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/core_chain.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"

namespace hypermon {

CoreChain::CoreChain(const Spec& spec, std::size_t event_types) : BoardChain(spec, event_types) {
  for (std::size_t b = 0; b < boards_of(spec); ++b) {
    Board& own = *boards_.emplace_back(std::make_unique<Board>(spec, b));
    if (StrobeFaults::any(spec.get<FaultParams>(), spec.get<ErbParams>()))
      own.faults = std::make_unique<StrobeFaults>(spec.get<FaultParams>(), index(first_node(b)), nodes_of(b),
                                                  spec.get<PortParams>().width_bits, spec.get<ErbParams>());
    equip(spec, own.board, own.faults.get());
  }
}

void CoreChain::write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) {
  Board& to = *boards_[line.board];
  const Burst burst{line.input, first, spacing, data, flag_first};
  const auto pass = [&](Burst regenerated) {
    regenerated.first += line.delay;
    to.board.write(regenerated);
  };
  if (!to.faults) return pass(burst);
  for (const Burst& piece : to.faults->pass(burst)) pass(piece);
}

} // namespace hypermon
