// SPDX-License-Identifier: BSD-3-Clause
// The capture boards of a machine, one for every ecb.inputs nodes.
#pragma once
#include "base/several.hpp"
#include "base/spec.hpp"
#include "base/time.hpp"
#include "hw/hypermon/core/params.hpp"

namespace hypermon {

using EcbSection = Several<EcbParams>;

inline std::size_t boards_of(const Spec& spec) {
  const std::int64_t inputs = spec.get<EcbSection>().inputs;
  return static_cast<std::size_t>((spec.nodes + inputs - 1) / inputs);
}
/// Parameters of board `board`: its own if they are set, else the common ones.
inline const EcbParams& ecb_of(const Spec& spec, std::size_t board) { return spec.get<EcbSection>().instance(board); }

/// Whether the run's monitor is the HYPERMON monitor.
bool is_hypermon(const Spec& spec);

/// The nodes whose links the boards' I/O nodes share: the first node of each board. Empty with another monitor.
std::vector<NodeId> io_nodes(const Spec& spec);

/// Whether any board may hold a node's write (ecb.node_fifo_full = stall).
bool stalls(const Spec& spec);
/// Whether the boards follow SystemC's time from event to event (ecb.level = transactions or rtl).
bool boards_follow_systemc(const Spec& spec);
/// Whether each strobe is a transaction of its own (backplane.level = transactions).
bool by_strobes(const Spec& spec);
/// Whether the drain reads over the PBX word by word (pbx.level = transactions).
bool by_words(const Spec& spec);
/// Parameter with the user's boards, ecb.module or ecb.rtl; null if the boards are hypermon's.
const char* parameter_of_own_boards(const Spec& spec);
bool own_boards(const Spec& spec);
/// True if another module on the PBX may delay the drain program's accesses: a second master, or a user's module.
bool contends(const Spec& spec);
/// Whether the hardware applies back-pressure to the machine: by holding writes, or by messages to the host that share
/// the program's links (drain.destination = host).
bool applies_back_pressure(const Spec& spec);

} // namespace hypermon
