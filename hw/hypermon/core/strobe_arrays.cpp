// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/strobe_arrays.hpp"
#include "hw/hypermon/core/burst.hpp"
#include <algorithm>
#include <string>

namespace hypermon {
namespace {

[[noreturn]] void refuse(const char* array, std::size_t i, std::int64_t value, const std::string& allowed) {
  throw BadStrobe(i,
                  std::string(array) + "[" + std::to_string(i) + "] = " + std::to_string(value) + ": must " + allowed);
}

} // namespace

StrobeLimits::StrobeLimits(const PortParams& port, const EcbParams& ecb)
    : last_input_(static_cast<std::uint8_t>(ecb.inputs - 1)), datum_mask_(mask_of_datum(port.width_bits)),
      width_bits_(port.width_bits) {}

// First whether any is wrong, in loops that the compiler turns into a few vector instructions; which one only then.
void StrobeLimits::check(const StrobeArrays& strobes, std::size_t from, std::size_t n) const {
  if (n == 0) return;
  const std::int64_t* time = strobes.time_ns.data() + from;
  const std::uint8_t* node = strobes.node.data() + from;
  const std::uint32_t* datum = strobes.datum.data() + from;
  const std::int64_t before = from > 0 ? time[-1] : 0;
  std::int64_t descends = time[0] < before ? -1 : 0; // negative if any does; unsigned, as differences may overflow
  for (std::size_t i = 1; i < n; ++i)
    descends |= time[i] | static_cast<std::int64_t>(static_cast<std::uint64_t>(time[i]) -
                                                    static_cast<std::uint64_t>(time[i - 1]));
  std::uint8_t last_input = 0;
  for (std::size_t i = 0; i < n; ++i) last_input = std::max(last_input, node[i]);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < n; ++i) bits |= datum[i];
  if (descends >= 0 && time[n - 1] <= StrobeArrays::latest_ns && last_input <= last_input_ &&
      (bits & ~datum_mask_) == 0)
    return;

  for (std::size_t i = from; i < from + n; ++i) {
    const std::int64_t t = strobes.time_ns[i];
    if (t < 0 || t > StrobeArrays::latest_ns)
      refuse("time_ns", i, t, "be 0 to " + std::to_string(StrobeArrays::latest_ns));
    if (i > 0 && t < strobes.time_ns[i - 1])
      refuse("time_ns", i, t,
             "not be before time_ns[" + std::to_string(i - 1) + "] = " + std::to_string(strobes.time_ns[i - 1]));
    if (strobes.node[i] > last_input_)
      refuse("node", i, strobes.node[i],
             "be 0 to " + std::to_string(last_input_) +
                 ", the board has ecb.inputs = " + std::to_string(last_input_ + 1));
    if ((strobes.datum[i] & ~datum_mask_) != 0)
      refuse("datum", i, strobes.datum[i],
             "be 0 to " + std::to_string(datum_mask_) + ", data have port.width_bits = " + std::to_string(width_bits_));
  }
}

} // namespace hypermon
