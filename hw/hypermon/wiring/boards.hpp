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
/// What board `board` has: its own parameters where they are set, else those of all.
inline const EcbParams& ecb_of(const Spec& spec, std::size_t board) { return spec.get<EcbSection>().of(board); }

/// Is it the monitor?
bool is_hypermon(const Spec& spec);

/// The nodes on whose links the boards' I/O nodes are: the first of each board; none with another monitor.
std::vector<NodeId> io_nodes(const Spec& spec);

/// Is there a board that may hold a node's write (ecb.node_fifo_full = stall)?
bool stalls(const Spec& spec);
/// Does the drain go over the PBX word by word (drain.level = words)?
bool by_words(const Spec& spec);
/// Is there anybody on the PBX who may delay the drain program's accesses: a second master, a module of a user's?
bool contends(const Spec& spec);
/// Does the hardware act back on the machine: by holding writes, or by messages to the host that share the program's
/// links (drain.destination = host)?
bool acts_back(const Spec& spec);

} // namespace hypermon
