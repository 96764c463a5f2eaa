// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/replay.hpp"

namespace hypermon {

Replay replay(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
              std::span<const Burst> bursts, Time program_end) {
  Replay result;
  CaptureBoard board(port, ecb, pbx, reader);
  board.on_loss([&](const Loss& loss) { result.losses.push_back(loss); });
  for (const Burst& burst : bursts) board.write(burst);
  board.program_ends(program_end);
  board.finish();
  result.frames.assign(board.delivered().begin(), board.delivered().end());
  result.counts = board.counts();
  return result;
}

} // namespace hypermon
