// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/board_designs.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"

#include <algorithm>

namespace hypermon {

std::vector<BoardDesign> board_designs(const Spec& spec) {
  const std::vector<Time> skews = reset_skews(spec);
  std::vector<BoardDesign> designs;
  for (std::size_t b = 0; b < boards_of(spec); ++b) {
    const EcbParams ecb = ecb_of(spec, b);
    const auto inputs = static_cast<std::uint32_t>(ecb.inputs);
    const BoardLines lines{static_cast<std::uint32_t>(b) * inputs, inputs, spec.get<ErbParams>().propagation_ns};
    designs.push_back({spec.get<PortParams>(), ecb, spec.get<PbxParams>(), spec.get<ReaderParams>(), lines, skews[b]});
  }
  return designs;
}

bool counts_apart(const Spec& spec) {
  const auto& f = spec.get<FaultParams>();
  const auto& erb = spec.get<ErbParams>();
  if (erb.skew_ns > 0) return false; // bursts may reach a board in another order than they were written in
  const bool faults = StrobeFaults::any(f, erb) || PbxFaults::any(f) || f.reader_stops_for_ms > 0 ||
                      f.garbage_frames > 0 || f.reset_at_us > 0;
  if (faults || contends(spec) || own_boards(spec) || !DrainProgram::idle(spec.get<DrainParams>())) return false;
  return std::ranges::all_of(board_designs(spec), [](const BoardDesign& d) { return d.drains_apart(); });
}

} // namespace hypermon
