// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/second_master.hpp"

namespace hypermon {

bool is_hypermon(const Spec& spec) { return spec.monitor == "hypermon"; }

std::vector<NodeId> io_nodes(const Spec& spec) {
  std::vector<NodeId> first;
  if (!is_hypermon(spec)) return first;
  for (std::int64_t node = 0; node < spec.nodes; node += spec.get<EcbSection>().inputs)
    first.push_back(NodeId{static_cast<std::uint32_t>(node)});
  return first;
}

bool stalls(const Spec& spec) {
  for (std::size_t b = 0; b < boards_of(spec); ++b)
    if (ecb_of(spec, b).node_fifo_full == WhenFull::stall) return true;
  return false;
}

bool boards_follow_systemc(const Spec& spec) {
  return is_hypermon(spec) && spec.get<EcbSection>().level != DetailLevel::functional;
}

bool by_strobes(const Spec& spec) {
  return is_hypermon(spec) && spec.get<BackplaneParams>().level != DetailLevel::functional;
}

bool by_words(const Spec& spec) { return is_hypermon(spec) && spec.get<PbxParams>().level != DetailLevel::functional; }

const char* parameter_of_own_boards(const Spec& spec) {
  if (!is_hypermon(spec)) return nullptr;
  const auto& ecb = spec.get<EcbSection>();
  return !ecb.rtl.empty() ? "ecb.rtl" : !ecb.module.empty() ? "ecb.module" : nullptr;
}

bool own_boards(const Spec& spec) { return parameter_of_own_boards(spec) != nullptr; }

bool contends(const Spec& spec) {
  return by_words(spec) && (spec.get<SecondMasterParams>().words > 0 || !spec.get<PbxParams>().module.empty());
}

bool applies_back_pressure(const Spec& spec) {
  return is_hypermon(spec) && (stalls(spec) || spec.get<DrainParams>().destination == Destination::host);
}

} // namespace hypermon
