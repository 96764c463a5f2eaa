// Event frames (spec sec. 2, HYPERMON sec. 3.2.1): four 32-bit words.
#pragma once
#include "hw/core/time.hpp"
#include <array>

namespace hypermon {

/// Word 0: nibbles of inputs 15 to 8, word 1: 7 to 0 (highest input in the highest bits), word 2: strobe
/// vector, word 3: timestamp. Nibbles of inputs that are not in the vector are 0.
struct EventFrame {
  std::array<std::uint32_t, 4> words{};

  /// Where an input's nibble is in words 0 and 1, taken as one number with word 0 in its low half.
  static constexpr std::uint32_t shift(std::uint32_t input) { return (4 * input + 32) % 64; }
  /// `data`: that number.
  static EventFrame pack(std::uint64_t data, std::uint32_t vector, std::uint32_t timestamp) {
    return {{static_cast<std::uint32_t>(data), static_cast<std::uint32_t>(data >> 32), vector, timestamp}};
  }

  std::uint32_t vector() const { return words[2]; }
  std::uint32_t timestamp() const { return words[3]; }
  bool has(std::uint32_t input) const { return (words[2] >> input & 1u) != 0; }
  std::uint8_t datum(std::uint32_t input) const {
    return static_cast<std::uint8_t>((words[0] | std::uint64_t{words[1]} << 32) >> shift(input) & 0xF);
  }
  bool operator==(const EventFrame&) const = default;
};

/// A frame and the time at which its last word had been read; the frame left the frame FIFO then.
struct DeliveredFrame {
  EventFrame frame;
  Time read_end;
  bool operator==(const DeliveredFrame&) const = default;
};

} // namespace hypermon
