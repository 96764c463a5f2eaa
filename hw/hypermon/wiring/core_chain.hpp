// SPDX-License-Identifier: BSD-3-Clause
// The chain without a simulation kernel: bursts go straight to the boards. It serves replays of recordings, where the
// hardware applies no back-pressure to the machine.
#pragma once
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/board_chain.hpp"
#include "hw/hypermon/wiring/boards.hpp"

namespace hypermon {

class CoreChain : public BoardChain {
public:
  CoreChain(const Spec& spec, std::size_t event_types);

  void deliver_to(std::size_t board, FrameSink* sink) override { boards_[board]->board.deliver_to(sink); }
  void write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) override;

private:
  struct Board {
    Board(const Spec& spec, std::size_t number)
        : board(spec.get<PortParams>(), ecb_of(spec, number), spec.get<PbxParams>(), spec.get<ReaderParams>()) {}
    CaptureBoard board;
    std::unique_ptr<StrobeFaults> faults; // faults of the ERB; null if there are none
  };
  void drain_board(std::size_t board, Time horizon) override { boards_[board]->board.advance(horizon); }

  std::vector<std::unique_ptr<Board>> boards_;
};

} // namespace hypermon
