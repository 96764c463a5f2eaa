// The capture boards of a machine, one for every ecb.inputs nodes.
#pragma once
#include "hw/core/per_board.hpp"
#include "hw/core/time.hpp"
#include "hw/hypermon/core/params.hpp"
#include "sw/model/spec.hpp"

namespace hypermon {

using EcbSection = PerBoard<EcbParams>;

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
/// Does the hardware act back on the machine: by holding writes, or by messages to the host that share the program's
/// links (drain.destination = host)?
bool acts_back(const Spec& spec);

} // namespace hypermon
