// Where data can get lost between a node's port and the I/O node, as whoever judges what arrives names it.
#pragma once
#include "hw/core/losses.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"

#include <array>

namespace hypermon {

struct Causes {
  /// `Judge`: TraceChecker or BurstJudge.
  template <class Judge>
  explicit Causes(Judge& judge)
      : losses{judge.add_cause("strobe_input", "aliasing"),
               judge.add_cause("node_fifo", "overrun"),
               judge.add_cause("strobe_vector_fifo", "window_lost"),
               judge.add_cause("frame_fifo", "overrun"),
               judge.add_cause("board", "reset"),
               judge.add_cause("pbx", "bus_error"),
               judge.add_cause("io_node", "memory_full"),
               judge.add_cause("frame_fifo", "reader_stopped")},
        faults{judge.add_cause("erb", "dropped_strobe"), judge.add_cause("erb", "stuck_strobe"),
               judge.add_cause("erb", "skew"), judge.add_cause("erb", "bit_error")},
        incomplete_word(judge.add_cause("accumulator", "incomplete_word")) {}

  CauseId of(const Loss& loss) const { return losses[static_cast<std::size_t>(loss.cause)]; }
  CauseId of(const Fault& fault) const { return faults[static_cast<std::size_t>(fault.kind)]; }

  std::array<CauseId, loss_causes> losses; // by LossCause
  std::array<CauseId, 4> faults;           // by FaultKind
  CauseId incomplete_word;
};

} // namespace hypermon
