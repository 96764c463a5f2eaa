// SPDX-License-Identifier: BSD-3-Clause
// A node's strobe and data lines through the event regeneration board (spec sec. 5).
#pragma once
#include "base/time.hpp"
#include "hw/hypermon/core/params.hpp"
#include <array>
#include <cstdint>

namespace hypermon {

/// Time of one I/O write to the port, 6 cycles of 62.5 ns. The first write of a datum puts it on the data lines and the
/// strobe low, the second one raises the strobe. So this is also the width of the strobe's pulse at the port, and the
/// setup time of the data there.
inline constexpr Time io_write = 62'500_ps * 6;

/// Delays of the lines and the regenerator's effect on their signals. They do not change during a run.
class ErbLine {
public:
  ErbLine(const ErbParams& erb, std::uint64_t node, std::size_t width_bits);

  /// True if the ERB only delays strobes, equally on all lines.
  static bool is_ideal(const ErbParams& erb) {
    return erb.skew_ns == 0 && erb.setup_ns == 0 && erb.min_pulse_ns == 0 && erb.narrowing_ns == 0 && erb.pulse_ns == 0;
  }
  /// True if the board can receive anything other than the port's data with delayed strobes.
  static bool can_harm(const ErbParams& erb);

  /// Time that a strobe takes from the node's port to the board.
  Time strobe_delay() const { return propagation_ + strobe_skew_; }
  /// The strobe's pulse is too short, so that no strobe is regenerated.
  bool swallows_pulses() const { return pulse_ < min_pulse_; }
  /// Bits that the ERB samples before they have settled. `late`: further delay of all data lines.
  std::uint32_t unsettled(Time late) const;

private:
  Time propagation_;
  Time strobe_skew_;
  Time setup_;
  Time min_pulse_;
  Time pulse_; // width at the regenerator
  std::size_t width_bits_;
  std::array<Time, 32> data_skew_{}; // by bit
};

} // namespace hypermon
