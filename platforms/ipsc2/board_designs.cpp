#include "platforms/ipsc2/board_designs.hpp"
#include "platforms/ipsc2/capture_chain.hpp"

#include <algorithm>

namespace hypermon {

std::vector<BoardDesign> board_designs(const Spec& spec) {
  const std::vector<Time> skews = reset_skews(spec);
  std::vector<BoardDesign> designs;
  for (std::size_t b = 0; b < spec.boards(); ++b) {
    const EcbParams ecb = spec.ecb_of(b);
    const auto inputs = static_cast<std::uint32_t>(ecb.inputs);
    const BoardLines lines{static_cast<std::uint32_t>(b) * inputs, inputs, Time::from_ns(spec.erb.propagation_ns)};
    designs.push_back({spec.port, ecb, spec.pbx, spec.reader, lines, skews[b]});
  }
  return designs;
}

bool counts_apart(const Spec& spec) {
  const FaultParams& f = spec.faults;
  const bool faults = StrobeFaults::any(f) || PbxFaults::any(f) || f.reader_stops_for_ms > 0 || f.garbage_frames > 0 ||
                      f.reset_at_us > 0;
  if (faults || !DrainProgram::idle(spec.drain)) return false;
  return std::ranges::all_of(board_designs(spec), [](const BoardDesign& d) { return d.drains_apart(); });
}

} // namespace hypermon
