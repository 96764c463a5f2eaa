// SPDX-License-Identifier: BSD-3-Clause
// A design of the board's RTL, built by Verilator, behind one interface for all designs.
#pragma once
#include "hw/hypermon/core/burst.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame.hpp"
#include "hw/hypermon/core/params.hpp"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hypermon {
class OwnBoard;
struct BoardPlace;
} // namespace hypermon

namespace hypermon::testing {

struct RtlRun {
  std::vector<DeliveredFrame> frames;
  Counts counts;
  std::uint64_t cycles_clocked = 0; ///< cycles that were not skipped
};

struct RtlDesign {
  std::string name;
  PortParams port;
  EcbParams ecb;
  /// Clocks a new board until it is empty. Strobes of one input are at least a clock period apart. `skips_idle_cycles`:
  /// the window counter is loaded whenever the board reports that it is idle.
  RtlRun (*run)(const PbxParams& pbx, const ReaderParams& reader, std::span<const Burst> bursts,
                bool skips_idle_cycles);
  /// The board as a module of a run (hw/hypermon/rtl_board/).
  OwnBoard* (*make)(const BoardPlace& place);
  /// The same RTL without the optional pins but `hold`: every clock cycle is simulated.
  OwnBoard* (*make_with_required_pins)(const BoardPlace& place);
};

/// All designs of CMakeLists.txt.
std::vector<RtlDesign> rtl_designs();

} // namespace hypermon::testing
