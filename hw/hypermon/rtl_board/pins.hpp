// SPDX-License-Identifier: BSD-3-Clause
// Pins of a model that Verilator made. A pin is an integer of at most 64 bits or an array of 32-bit words.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hypermon::rtl {

template <class Pins> constexpr bool is_narrow = std::is_integral_v<std::remove_cvref_t<Pins>>;

template <class Pins> void clear(Pins& pins) {
  if constexpr (is_narrow<Pins>)
    pins = 0;
  else
    for (std::size_t word = 0; word < sizeof pins / sizeof(std::uint32_t); ++word) pins[word] = 0;
}
/// Sets the field that begins at `bit`. The field must be 0 and must not cross a boundary of 32-bit words.
template <class Pins> void set(Pins& pins, std::size_t bit, std::uint32_t value) {
  if constexpr (is_narrow<Pins>)
    pins = static_cast<std::remove_cvref_t<Pins>>(pins | std::uint64_t{value} << bit);
  else
    pins[bit / 32] |= value << bit % 32;
}
/// Returns the lowest 64 bits.
template <class Pins> std::uint64_t low_bits(const Pins& pins) {
  if constexpr (is_narrow<Pins>)
    return static_cast<std::uint64_t>(pins);
  else
    return pins[0] | std::uint64_t{pins[1]} << 32;
}

} // namespace hypermon::rtl
