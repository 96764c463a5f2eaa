// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in faults.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "hw/hypermon/core/faults.hpp"

namespace hypermon {

constexpr auto fields_of(const FaultParams*) {
  using P = FaultParams;
  constexpr auto source = "spec sec. 5";
  constexpr auto chosen = "chosen";
  return fields(
      Field{"seed", &P::seed, range(0, 2147483647), "", "Seeds all faults.", chosen},
      Field{"skew_ns", &P::skew_ns, range(0, 1125),
            "The data lines lag the strobe by this. Data are set up one I/O write (375 ns) before their strobe: a "
            "node with more skew is read as its previous datum. Data may be 750 ns apart, so more than 1125 is not "
            "modelled.",
            source},
      Field{"skew_first_node", &P::skew_first_node, range(0, 4095), "", "First node with skew.", chosen},
      Field{"skew_nodes", &P::skew_nodes, range(0, 4096), "nodes", "Nodes with skew, from the first on.", chosen},
      Field{"stuck_at_ms", &P::stuck_at_ms, range(0, 1e9), "Strobe lines stick from this time on.", source},
      Field{"stuck_for_ms", &P::stuck_for_ms, range(0, 1e9), "They stick for so long; 0 is never.", source},
      Field{"stuck_first_node", &P::stuck_first_node, range(0, 4095), "", "First node that sticks.", chosen},
      Field{"stuck_nodes", &P::stuck_nodes, range(0, 4096), "nodes", "Nodes that stick, from the first on.", chosen},
      Field{"drop_probability", &P::drop_probability, range(0, 1), "", "Of each strobe to be dropped.", source},
      Field{"drop_first_node", &P::drop_first_node, range(0, 4095), "", "First node that drops strobes.", chosen},
      Field{"drop_nodes", &P::drop_nodes, range(0, 4096), "nodes", "Nodes that do, from the first on.", chosen},
      Field{"bit_error_probability", &P::bit_error_probability, range(0, 1), "", "Of each data bit to be inverted.",
            "spec sec. 5: faults to inject"},
      Field{"bit_error_first_node", &P::bit_error_first_node, range(0, 4095), "", "First node with bit errors.",
            chosen},
      Field{"bit_error_nodes", &P::bit_error_nodes, range(0, 4096), "nodes", "Nodes with them, from the first on.",
            chosen},
      Field{"pbx_error_probability", &P::pbx_error_probability, range(0, 1), "",
            "Of each word read from the frame FIFO to be answered by a bus error; its frame is given up.", chosen},
      Field{"reader_stops_at_ms", &P::reader_stops_at_ms, range(0, 1e9),
            "The drain program starts no frame from this time on.", chosen},
      Field{"reader_stops_for_ms", &P::reader_stops_for_ms, range(0, 1e9), "For so long; 0 is not at all.", chosen},
      Field{"garbage_frames", &P::garbage_frames, range(0, 1 << 24), "frames",
            "Random frames in the frame FIFO at power-on, at most as many as it holds.", chosen},
      Field{"reset_at_us", &P::reset_at_us, range(0, 1e9),
            "The I/O node's program resets the board then; 0: it does not.", chosen});
}
static_assert(all_members_described<FaultParams>());

} // namespace hypermon
