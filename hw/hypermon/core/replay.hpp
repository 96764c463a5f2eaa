// SPDX-License-Identifier: BSD-3-Clause
// Replay: the capture board is driven from a list of bursts, without a simulation kernel.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include <vector>

namespace hypermon {

struct Replay {
  std::vector<DeliveredFrame> frames;
  std::vector<Loss> losses;
  Counts counts;
};

/// Runs `bursts` (per input in the order of their times) through a new board until nothing is left inside.
/// `program_end`: CaptureBoard::program_ends().
Replay replay(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
              std::span<const Burst> bursts, Time program_end = {});

} // namespace hypermon
