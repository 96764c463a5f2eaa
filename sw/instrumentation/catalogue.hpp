// SPDX-License-Identifier: BSD-3-Clause
// Event catalogues: which points of the system emit, as what event, with which of their data, and how that is encoded.
// NX/2's is built in, others come from YAML files (catalogue_json.hpp).
//
// Encoding (shared facts, "NX/2 instrumentation"): an event is one type byte and its arguments (NX/2: 2, 5, 9 or 13
// data bytes); the software record adds a 16-bit time delta; the hardware record is the software record padded with
// zero to 32-bit words.
//
// Type codes. Nibbles get lost, they are rarely falsified, so a decoder must notice that it reads at the wrong place.
// - The low nibble, which leaves the node first, alone tells the length; the high nibble checks it.
// - No code has two equal nibbles: 00 and FF, of which small arguments are full, are never read as an event.
// - NX/2's (chosen): the codes of the 16 system events are a coset of the extended Hamming [8,4,4] code, see
//   coset_code(). A random byte is a code with probability 17/256. System events differ in both nibbles and at least 4
//   bits, from the user event in at least 2: one falsified bit (a stuck data line: up to 3 among system events) never
//   turns one into another. docs/design/catalogues.md says what other catalogues keep of this.
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

/// Number of a row in the run's catalogue. The names are those of NX/2's.
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

/// An event as the instrumentation hands it over. Arguments that the type does not have must be 0.
struct Event {
  EventType type = EventType::tick;
  std::array<std::uint32_t, max_arguments> args{};
  friend bool operator==(const Event& a, const Event& b) {
    return a.type == b.type && a.args[0] == b.args[0] && a.args[1] == b.args[1] && a.args[2] == b.args[2];
  }
};

struct Argument {
  Item item{};
  std::uint8_t bytes = 4; ///< 1, 2 or 4: as many low bytes of the datum
  bool operator==(const Argument&) const = default;
};

/// One row of a catalogue.
struct EventRow {
  std::string name;
  Point point{};
  EventClass event_class{};
  std::uint8_t code = 0;
  std::vector<Argument> arguments; ///< 0 to 3
  double cost_us = 0;              ///< CPU time of an event besides the monitor's

  std::uint32_t data_bytes() const {
    std::uint32_t bytes = 1;
    for (const Argument& a : arguments) bytes += a.bytes;
    return bytes;
  }
  std::uint32_t software_bytes() const { return data_bytes() + 2; }
  /// Padded to 32-bit words, two nibbles a byte.
  std::uint32_t hardware_nibbles() const { return (software_bytes() + 3) / 4 * 8; }
  /// Zero bytes at the end of the hardware record.
  std::uint32_t padding_bytes() const { return hardware_nibbles() / 2 - software_bytes(); }
  bool operator==(const EventRow&) const = default;
};

/// Code number `high` (below 16) of a coset of the extended Hamming [8,4,4] code: high nibble as given, low nibble
/// high ^ 0xC, inverted if `high` has odd parity. Any two differ in both nibbles and in at least 4 bits.
std::uint8_t coset_code(unsigned high);

/// A catalogue, ready for encoding and decoding. Immutable; one for each run.
class Catalogue {
public:
  /// Rows that keep the rules above (check_rows(), catalogue_json.hpp).
  Catalogue(std::string name, std::vector<EventRow> rows);
  /// The built-in one.
  static const Catalogue& nx2();

  const std::string& name() const { return name_; }
  const std::vector<EventRow>& rows() const { return rows_; }
  std::size_t size() const { return rows_.size(); }
  const EventRow& row(EventType type) const { return rows_[hypermon::index(type)]; }

  std::optional<EventType> type_named(std::string_view name) const;
  /// The event that a point emits, if it does.
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
  /// CPU time of an event besides the monitor's.
  Time cost(EventType type) const { return encodings_[hypermon::index(type)].cost; }
  std::uint32_t data_bytes(EventType type) const { return encodings_[hypermon::index(type)].data_bytes; }
  std::uint32_t software_bytes(EventType type) const { return data_bytes(type) + 2; }

  // --- for record.hpp and the decoders -------------------------------------------------------------------------------
  static constexpr std::uint16_t no_code = 0xFFFF;
  static constexpr std::uint16_t irregular = 0x100;
  /// Of a byte: the type with that code; plus `irregular`, if its arguments are others than up to three of four bytes
  /// or one of one byte; no_code for most bytes.
  std::uint16_t entry(std::uint8_t code) const { return entry_by_code_[code]; }
  bool has_code(std::uint8_t code) const { return entry(code) != no_code; }
  std::uint8_t code(EventType type) const { return code_by_type_[hypermon::index(type)]; }
  bool is_irregular(EventType type) const { return entry(code(type)) >= irregular; }
  std::uint32_t nibbles(EventType type) const { return nibbles_by_type_[hypermon::index(type)]; }
  /// Length of an event's hardware record by its first nibble, the low one of its code. Of a nibble that no code has:
  /// of one word, which the code's check refuses.
  std::uint32_t nibbles_by_first(std::uint8_t nibble) const { return nibbles_by_first_[nibble & 0xFU]; }

  using Words = std::array<std::uint32_t, max_hardware_nibbles / 8>;
  /// The data bytes of an irregular event behind code and delta, as words of the record; and back: false if the padding
  /// is not zero.
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
