// SPDX-License-Identifier: BSD-3-Clause
// Records of one event, as the node writes them to its performance port (hardware) or to its trace buffer (software).
//
// Hardware record (chosen within the sizes of the facts): type code, low byte of the delta, high byte of the delta,
// arguments (least significant byte first, as the 80386 stores them), zero padding to whole 32-bit words. Each word
// leaves the port with its least significant nibble first, because of the port's shift-and-mask loop (HYPERMON sec.
// 3.1).
//
// Delta: microseconds of the node's local clock between the *starts of the emissions* of the node's previous event and
// of this one, modulo 2^16; the clock is read when the record is made. The 50 ms tick keeps it below 2^16. The decoder
// relies on this definition: the distance of first strobes is the distance of the starts of emissions.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace hypermon {

/// Delta of a node's first event (chosen). With a tick every 50 ms no other event has this delta, and a stream shifted
/// by up to three nibbles does not contain it, so that the decoder recognizes the true beginning of a stream.
inline constexpr std::uint16_t no_previous_event = 0xFEDC;

/// Nibbles in the order in which they leave the port, one in each byte.
struct HardwareRecord {
  std::array<std::uint8_t, max_hardware_nibbles> nibbles;
  std::uint32_t count;
  std::span<const std::uint8_t> data() const { return {nibbles.data(), count}; }
};

static_assert(std::endian::native == std::endian::little, "spread/gather treat eight nibble bytes as one number");

/// The eight nibbles of a word, least significant first, one in each byte.
inline void spread_nibbles(std::uint32_t word, std::uint8_t* nibbles) {
  std::uint64_t x = word;
  x = (x | x << 16) & 0x0000FFFF0000FFFFU;
  x = (x | x << 8) & 0x00FF00FF00FF00FFU;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0FU;
  std::memcpy(nibbles, &x, sizeof x);
}

inline std::uint32_t gather_nibbles(std::uint64_t x) {
  x = (x | x >> 4) & 0x00FF00FF00FF00FFU;
  x = (x | x >> 8) & 0x0000FFFF0000FFFFU;
  return static_cast<std::uint32_t>(x | x >> 16);
}
/// Inverse of spread_nibbles; every byte must be below 16.
inline std::uint32_t gather_nibbles(const std::uint8_t* nibbles) {
  std::uint64_t x = 0;
  std::memcpy(&x, nibbles, sizeof x);
  return gather_nibbles(x);
}

/// The arguments must fit the catalogue's sizes (Catalogue::event()).
inline HardwareRecord encode_hardware(const Event& event, std::uint16_t delta_us,
                                      const Catalogue& catalogue = Catalogue::nx2()) {
  const std::uint8_t code = catalogue.code(event.type);
  const std::uint32_t header = code | std::uint32_t{delta_us} << 8;
  const auto& args = event.args;
  HardwareRecord record;
  record.count = catalogue.nibbles(event.type);
  if (catalogue.is_irregular(event.type)) [[unlikely]] {
    Catalogue::Words words;
    catalogue.pack(event, words);
    words[0] |= header;
    for (std::uint32_t i = 0; i < record.count / 8; ++i)
      spread_nibbles(words[i], record.nibbles.data() + std::size_t{8} * i);
    return record;
  }
  spread_nibbles(header | args[0] << 24, record.nibbles.data());
  if (record.count > 8) spread_nibbles(args[0] >> 8 | args[1] << 24, record.nibbles.data() + 8);
  if (record.count > 16) spread_nibbles(args[1] >> 8 | args[2] << 24, record.nibbles.data() + 16);
  if (record.count > 24) spread_nibbles(args[2] >> 8, record.nibbles.data() + 24);
  return record;
}

/// A decoded event with its delta.
struct DecodedRecord {
  Event event;
  std::uint16_t delta_us = 0;
};

/// Decodes the event in `count` nibbles (Catalogue::nibbles_by_first()), eight in each of word_at(0), word_at(1), ...
/// Returns false if the code is unknown or the padding is not zero.
template <class WordAt>
[[gnu::always_inline]] inline bool decode_words(const Catalogue& catalogue, WordAt&& word_at, std::uint32_t count,
                                                DecodedRecord& record) {
  const std::uint32_t header = word_at(0);
  const std::uint16_t entry = catalogue.entry(header & 0xFF); // one test for both: this code runs for every event
  record.delta_us = static_cast<std::uint16_t>(header >> 8);
  if (entry >= Catalogue::irregular) [[unlikely]] {
    if (entry == Catalogue::no_code) return false;
    Catalogue::Words words{};
    for (std::uint32_t i = 0; i < count / 8; ++i) words[i] = word_at(i);
    record.event.type = static_cast<EventType>(entry & 0xFF);
    return catalogue.unpack(words, record.event);
  }
  record.event = {static_cast<EventType>(entry), {header >> 24, 0, 0}};
  auto& args = record.event.args;
  if (count == 8) return true; // one argument of one byte, no padding
  std::uint32_t word = word_at(1);
  args[0] |= word << 8;
  if (count > 16) {
    args[1] = word >> 24;
    word = word_at(2);
    args[1] |= word << 8;
  }
  if (count > 24) {
    args[2] = word >> 24;
    word = word_at(3);
    args[2] |= word << 8;
  }
  return word >> 24 == 0;
}

/// Decodes the event in `nibbles`, one in each byte. The first nibble determines their number.
inline bool decode_hardware(const std::uint8_t* nibbles, DecodedRecord& record,
                            const Catalogue& catalogue = Catalogue::nx2()) {
  return decode_words(
      catalogue, [nibbles](std::size_t i) { return gather_nibbles(nibbles + 8 * i); },
      catalogue.nibbles_by_first(nibbles[0]), record);
}

/// Decodes the data of a burst (hw/hypermon/core/burst.hpp) from ports of 4 or 8 bits. Returns false also if the burst
/// has another length than its first nibble requires.
inline bool decode_burst(std::span<const std::uint8_t> data, std::int64_t width_bits, DecodedRecord& record,
                         const Catalogue& catalogue = Catalogue::nx2()) {
  if (data.empty() || data.size() > max_hardware_nibbles / (width_bits == 4 ? 1 : 2)) return false;
  std::array<std::uint8_t, max_hardware_nibbles> nibbles{};
  std::size_t count = data.size();
  if (width_bits == 4) {
    std::copy(data.begin(), data.end(), nibbles.begin());
  } else {
    count *= 2;
    for (std::size_t i = 0; i < data.size(); ++i) {
      nibbles[2 * i] = data[i] & 0xF;
      nibbles[2 * i + 1] = data[i] >> 4;
    }
  }
  return nibbles[0] <= 0xF && catalogue.nibbles_by_first(nibbles[0]) == count &&
         decode_hardware(nibbles.data(), record, catalogue);
}

} // namespace hypermon
