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

struct Seen {
  std::int64_t descends = 0; // negative if a time is negative or before its predecessor
  std::uint32_t bits = 0;    // bitwise or of all data
  std::uint8_t last_input = 0;
};
/// Inspects `n` strobes after the first one.
[[gnu::always_inline]] inline Seen look_at(const std::int64_t* time, const std::uint8_t* node,
                                           const std::uint32_t* datum, std::size_t n) {
  Seen seen;
  for (std::size_t i = 0; i < n; ++i) // unsigned, as differences may overflow
    seen.descends |= time[i] | static_cast<std::int64_t>(static_cast<std::uint64_t>(time[i]) -
                                                         static_cast<std::uint64_t>(time[i - 1]));
  for (std::size_t i = 0; i < n; ++i) seen.last_input = std::max(seen.last_input, node[i]);
  for (std::size_t i = 0; i < n; ++i) seen.bits |= datum[i];
  return seen;
}
Seen look(const std::int64_t* time, const std::uint8_t* node, const std::uint32_t* datum, std::size_t n) {
  return look_at(time, node, datum, n);
}
/// look() compiled for AVX2, whose vectors are twice as long.
[[gnu::target("avx2")]] Seen look_wide(const std::int64_t* time, const std::uint8_t* node, const std::uint32_t* datum,
                                       std::size_t n) {
  return look_at(time, node, datum, n);
}

} // namespace

StrobeLimits::StrobeLimits(const PortParams& port, const EcbParams& ecb)
    : last_input_(static_cast<std::uint8_t>(ecb.inputs - 1)), datum_mask_(mask_of_datum(port.width_bits)),
      width_bits_(port.width_bits) {}

// Most arrays are valid. So the first loops, which the compiler vectorises, only find whether any strobe is invalid,
// and a second pass finds which.
void StrobeLimits::check(const StrobeArrays& strobes, std::size_t from, std::size_t n, const Before& before) const {
  if (n == 0) return;
  const std::size_t first = from == 0 ? 1 : 0; // the very first strobe has no predecessor
  const std::int64_t* time = strobes.time_ns.data() + from;
  const std::uint8_t* node = strobes.node.data() + from;
  const std::uint32_t* datum = strobes.datum.data() + from;
  const bool wide = __builtin_cpu_supports("avx2") != 0;
  const Seen seen = (wide ? look_wide : look)(time + first, node + first, datum + first, n - first);
  if ((seen.descends | time[0]) >= 0 && (from > 0 || time[0] >= before.time_ns) &&
      time[n - 1] <= StrobeArrays::latest_ns && std::max(seen.last_input, node[0]) <= last_input_ &&
      ((seen.bits | datum[0]) & ~datum_mask_) == 0)
    return;

  for (std::size_t i = from; i < from + n; ++i) {
    const std::size_t number = before.count + i;
    const std::int64_t t = strobes.time_ns[i];
    const std::int64_t last = i > 0 ? strobes.time_ns[i - 1] : before.time_ns;
    if (t < 0 || t > StrobeArrays::latest_ns)
      refuse("time_ns", number, t, "be 0 to " + std::to_string(StrobeArrays::latest_ns));
    if (number > 0 && t < last)
      refuse("time_ns", number, t,
             "not be before time_ns[" + std::to_string(number - 1) + "] = " + std::to_string(last));
    if (strobes.node[i] > last_input_)
      refuse("node", number, strobes.node[i],
             "be 0 to " + std::to_string(last_input_) +
                 ", the board has ecb.inputs = " + std::to_string(last_input_ + 1));
    if ((strobes.datum[i] & ~datum_mask_) != 0)
      refuse("datum", number, strobes.datum[i],
             "be 0 to " + std::to_string(datum_mask_) + ", data have port.width_bits = " + std::to_string(width_bits_));
  }
}

} // namespace hypermon
