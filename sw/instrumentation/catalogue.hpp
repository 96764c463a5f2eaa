// SPDX-License-Identifier: BSD-3-Clause
// Event catalogues: the points of the system that emit an event, the data of each event, and its encoding. NX/2's
// catalogue is built in, others come from YAML files (catalogue_json.hpp).
//
// Encoding (docs/reference/facts.md, "NX/2 instrumentation"): an event has one type byte and its arguments (NX/2: 2, 5,
// 9 or 13 data bytes). The software record adds a 16-bit time delta. The hardware record is the software record padded
// with zeros to 32-bit words.
//
// Type codes: nibbles get lost but are rarely falsified, so a decoder must notice that it reads at the wrong place. The
// low nibble, which leaves the node first, determines the length on its own; the high nibble checks it. No code has two
// equal nibbles, so that 00 and FF, which are frequent in small arguments, are never read as an event.
//
// NX/2's codes (chosen): the codes of the 16 system events are a coset of the extended Hamming [8,4,4] code, see
// coset_code(). A random byte is a code with probability 17/256. Any two system events differ in both nibbles and in at
// least 4 bits, and each differs from the user event in at least 2 bits. So one falsified bit never turns one event
// into another; among system events this holds for up to 3 bits, as with a stuck data line. docs/design/catalogues.md
// says which of these properties other catalogues keep.
#pragma once
#include "base/time.hpp"
#include "sw/instrumentation/points.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// Number of a row in the run's catalogue. The names are those of NX/2's catalogue.
enum class EventType : std::uint8_t {
  process_start,
  process_end,
  tick,
  syscall_entry,
  syscall_exit,
  send_start,
  request_sent,
  switch_out,
  switch_in,
  grant_received,
  dma_done,
  receive_posted,
  message_arrived,
  request_arrived,
  grant_sent,
  data_done,
  user
};
constexpr std::size_t index(EventType type) { return static_cast<std::size_t>(type); }

inline constexpr std::size_t max_arguments = 3;
inline constexpr std::size_t max_hardware_nibbles = 32;

/// An event as the instrumentation emits it. Arguments that the type does not have must be 0.
struct Event {
  EventType type = EventType::tick;
  std::array<std::uint32_t, max_arguments> args{};
  friend bool operator==(const Event& a, const Event& b) {
    return a.type == b.type && a.args[0] == b.args[0] && a.args[1] == b.args[1] && a.args[2] == b.args[2];
  }
};

struct Argument {
  Item item{};
  std::uint8_t bytes = 4; ///< 1, 2 or 4: number of low bytes of the datum
  bool operator==(const Argument&) const = default;
};

/// One row of a catalogue.
struct EventRow {
  std::string name;
  Point point{};
  EventClass event_class{};
  std::uint8_t code = 0;
  std::vector<Argument> arguments; ///< 0 to 3
  double cost_us = 0;              ///< CPU time of an event, in addition to the monitor's

  std::uint32_t data_bytes() const {
    std::uint32_t bytes = 1;
    for (const Argument& a : arguments) bytes += a.bytes;
    return bytes;
  }
  std::uint32_t software_bytes() const { return data_bytes() + 2; }
  /// Nibbles of the hardware record, which is padded to 32-bit words.
  std::uint32_t hardware_nibbles() const { return (software_bytes() + 3) / 4 * 8; }
  /// Zero bytes at the end of the hardware record.
  std::uint32_t padding_bytes() const { return hardware_nibbles() / 2 - software_bytes(); }
  bool operator==(const EventRow&) const = default;
};

/// Code number `high` (below 16) of a coset of the extended Hamming [8,4,4] code: high nibble as given, low nibble
/// high ^ 0xC, inverted if `high` has odd parity. Any two differ in both nibbles and in at least 4 bits.
std::uint8_t coset_code(unsigned high);

/// A catalogue, ready for encoding and decoding. It is immutable; each run has one.
class Catalogue {
public:
  /// The rows must satisfy the rules above (check_rows(), catalogue_json.hpp).
  Catalogue(std::string name, std::vector<EventRow> rows);
  /// The built-in catalogue of NX/2.
  static const Catalogue& nx2();

  const std::string& name() const { return name_; }
  const std::vector<EventRow>& rows() const { return rows_; }
  std::size_t size() const { return rows_.size(); }
  const EventRow& row(EventType type) const { return rows_[hypermon::index(type)]; }

  std::optional<EventType> type_named(std::string_view name) const;
  /// The event that a point emits; none if it emits no event.
  std::optional<EventType> type_of(Point point) const {
    const std::uint8_t type = type_by_point_[hypermon::index(point)];
    if (type == no_type) return std::nullopt;
    return static_cast<EventType>(type);
  }
  Event event(EventType type, const PointData& data) const {
    Event event{type, {}};
    const Row& row = encodings_[hypermon::index(type)];
    for (std::size_t i = 0; i < row.arguments; ++i) event.args[i] = value_of(data, row.items[i]) & row.masks[i];
    return event;
  }
  /// CPU time of an event, in addition to the monitor's.
  Time cost(EventType type) const { return encodings_[hypermon::index(type)].cost; }
  std::uint32_t data_bytes(EventType type) const { return encodings_[hypermon::index(type)].data_bytes; }
  std::uint32_t software_bytes(EventType type) const { return data_bytes(type) + 2; }

  // --- for record.hpp and the decoders -------------------------------------------------------------------------------
  static constexpr std::uint16_t no_code = 0xFFFF;
  static constexpr std::uint16_t irregular = 0x100;
  /// Entry of a code byte: its type, plus `irregular` for arguments other than up to three of four bytes or one of one
  /// byte. Most bytes are no code: no_code.
  std::uint16_t entry(std::uint8_t code) const { return entry_by_code_[code]; }
  bool has_code(std::uint8_t code) const { return entry(code) != no_code; }
  std::uint8_t code(EventType type) const { return code_by_type_[hypermon::index(type)]; }
  bool is_irregular(EventType type) const { return entry(code(type)) >= irregular; }
  std::uint32_t nibbles(EventType type) const { return nibbles_by_type_[hypermon::index(type)]; }
  /// Length of an event's hardware record, by its first nibble, which is the low nibble of its code. A nibble that no
  /// code has gives one word, which the check of the code then refuses.
  std::uint32_t nibbles_by_first(std::uint8_t nibble) const { return nibbles_by_first_[nibble & 0xFU]; }

  using Words = std::array<std::uint32_t, max_hardware_nibbles / 8>;
  /// Converts the data bytes of an irregular event, after code and delta, to words of the record and back. unpack()
  /// returns false if the padding is not zero.
  void pack(const Event& event, Words& words) const;
  bool unpack(const Words& words, Event& event) const;

private:
  static constexpr std::uint8_t no_type = 0xFF;
  struct Row {
    std::uint8_t arguments = 0;
    std::uint8_t data_bytes = 0;
    std::array<Item, max_arguments> items{};
    std::array<std::uint8_t, max_arguments> bytes{};
    std::array<std::uint32_t, max_arguments> masks{};
    Time cost;
  };

  std::array<std::uint16_t, 256> entry_by_code_{};
  std::array<std::uint8_t, 16> nibbles_by_first_{};
  std::array<std::uint8_t, 256> nibbles_by_type_{};
  std::array<std::uint8_t, 256> code_by_type_{};
  std::array<std::uint8_t, points> type_by_point_{};
  std::vector<Row> encodings_; // by type
  std::vector<EventRow> rows_;
  std::string name_;
};

} // namespace hypermon
