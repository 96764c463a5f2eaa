// SPDX-License-Identifier: BSD-3-Clause
// The places where data can get lost (loss_places.hpp), with the numbers of a TraceChecker or BurstJudge.
#pragma once
#include "sw/monitors/hypermon/loss_places.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"

#include <array>

namespace hypermon {

struct Causes {
  /// `Judge`: TraceChecker or BurstJudge.
  template <class Judge>
  explicit Causes(Judge& judge)
      : losses(numbered(judge, loss_places)), faults(numbered(judge, fault_places)),
        incomplete_word(judge.add_cause(incomplete_word_place.stage, incomplete_word_place.cause)),
        lost_in_board(judge.add_cause(lost_in_board_place.stage, lost_in_board_place.cause)) {}

  CauseId id(const Loss& loss) const { return losses[static_cast<std::size_t>(loss.cause)]; }
  CauseId id(const Fault& fault) const { return faults[static_cast<std::size_t>(fault.kind)]; }

  std::array<CauseId, loss_causes> losses; // by LossCause
  std::array<CauseId, fault_kinds> faults; // by FaultKind
  CauseId incomplete_word;
  CauseId lost_in_board;

private:
  template <class Judge, std::size_t n>
  static std::array<CauseId, n> numbered(Judge& judge, const std::array<LossPlace, n>& places) {
    std::array<CauseId, n> ids{};
    for (std::size_t i = 0; i < n; ++i) ids[i] = judge.add_cause(places[i].stage, places[i].cause);
    return ids;
  }
};

} // namespace hypermon
