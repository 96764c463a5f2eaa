// SPDX-License-Identifier: BSD-3-Clause
// The places between a node's port and the I/O node where data can get lost, with the names of the ledger.
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/faults.hpp"

#include <array>
#include <string_view>

namespace hypermon {

struct LossPlace {
  std::string_view stage;
  std::string_view cause;
};

/// All data of the event arrived, but the decoder could not synchronize to it.
inline constexpr LossPlace resync_place{"decoder", "resync"};
/// By LossCause.
inline constexpr std::array<LossPlace, loss_causes> loss_places{{{"strobe_input", "aliasing"},
                                                                 {"node_fifo", "overrun"},
                                                                 {"strobe_vector_fifo", "window_lost"},
                                                                 {"frame_fifo", "overrun"},
                                                                 {"board", "reset"},
                                                                 {"pbx", "bus_error"},
                                                                 {"io_node", "memory_full"},
                                                                 {"frame_fifo", "reader_stopped"}}};
/// By FaultKind.
inline constexpr std::array<LossPlace, fault_kinds> fault_places = [] {
  std::array<LossPlace, fault_kinds> places{};
  for (std::size_t kind = 0; kind < fault_kinds; ++kind) places[kind] = {"erb", fault_names[kind]};
  return places;
}();
/// A user's board (ecb.module) took the datum, but it is in no frame, and the board reported no loss.
inline constexpr LossPlace lost_in_board_place{"board", "unreported"};
/// Data of a word that was incomplete at the end.
inline constexpr LossPlace incomplete_word_place{"accumulator", "incomplete_word"};

} // namespace hypermon
