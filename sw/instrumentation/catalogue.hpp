// The NX/2 event catalogue: every event that the instrumentation knows, in one table.
//
// Encoding (shared facts, "NX/2 instrumentation"): an event is one type byte and its arguments (2, 5, 9 or 13 data
// bytes); the software record adds a 16-bit time delta; the hardware record is the software record padded with zero
// to 32-bit words.
//
// Type codes (chosen). Nibbles get lost, they are rarely falsified, so a decoder must notice that it reads at the
// wrong place. The codes of the 16 system events are a coset of the extended Hamming [8,4,4] code: high nibble h =
// index of the type, low nibble h ^ 0xC, inverted if h has odd parity. The user event shares a low nibble with an
// event of the same length.
// - The low nibble, which leaves the node first, alone tells the length; the high nibble checks it. A random byte is a
//   code with probability 17/256.
// - No code has two equal nibbles: 00 and FF, of which small arguments are full, are never read as an event.
// - System events differ in both nibbles and at least 4 bits, from the user event in at least 2: one falsified bit
//   (a stuck data line: up to 3 among system events) never turns one into another.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hypermon {

/// The paper's three classes of system events (HYPERMON sec. 5.2), and what the program itself marks.
enum class EventClass : std::uint8_t { message, process_state, system_call, application };

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
inline constexpr std::size_t event_types = 17;
inline constexpr std::size_t max_hardware_nibbles = 32;

constexpr std::size_t index(EventType type) { return static_cast<std::size_t>(type); }

namespace detail {
inline constexpr auto code_by_type = [] {
  std::array<std::uint8_t, event_types> codes{};
  for (unsigned high = 0; high < 16; ++high) {
    const unsigned low = high ^ 0xCU ^ ((std::popcount(high) & 1) != 0 ? 0xFU : 0U);
    codes[high] = static_cast<std::uint8_t>(high << 4 | low);
  }
  codes[index(EventType::user)] = 0x42;
  return codes;
}();
} // namespace detail

constexpr std::uint8_t type_code(EventType type) { return detail::code_by_type[index(type)]; }

/// One row of the catalogue.
struct EventInfo {
  EventType type;
  std::string_view name;
  EventClass event_class;
  std::uint8_t arguments;      ///< 0 to 3
  std::uint8_t argument_bytes; ///< size of each: 4, or 1 in the short form
  std::string_view emitted;    ///< where the system emits it
  std::string_view meaning;    ///< of the arguments
  std::string_view source;

  constexpr std::uint32_t data_bytes() const { return 1U + arguments * argument_bytes; }
  constexpr std::uint32_t software_bytes() const { return data_bytes() + 2; }
  /// Padded to 32-bit words, two nibbles a byte.
  constexpr std::uint32_t hardware_nibbles() const { return (software_bytes() + 3) / 4 * 8; }
  /// Zero bytes at the end of the hardware record.
  constexpr std::uint32_t padding_bytes() const { return hardware_nibbles() / 2 - software_bytes(); }
};

inline constexpr std::array<EventInfo, event_types> event_catalogue{{
    {EventType::process_start, "process_start", EventClass::process_state, 3, 4,
     "the program is loaded and starts (MPI_Init)", "process, program, node count",
     "13-byte maximum stated in HYPERMON sec. 3.1; use chosen"},
    {EventType::process_end, "process_end", EventClass::process_state, 1, 1, "the program ends (MPI_Finalize)",
     "exit status", "2-byte minimum stated in HYPERMON sec. 3.1; use chosen"},
    {EventType::tick, "tick", EventClass::process_state, 2, 4,
     "context switch of the scheduler tick, every 50 ms on every node, busy or idle", "process left, process entered",
     "derived from the 221.07 B/s per node of Table 2 (MatMul); tick from Dunigan's clock study"},
    {EventType::syscall_entry, "syscall_entry", EventClass::system_call, 1, 4, "entry of every system call",
     "call number", "hypothesis (facts: emission points)"},
    {EventType::syscall_exit, "syscall_exit", EventClass::system_call, 1, 4, "return of every system call",
     "call number", "hypothesis (facts: emission points)"},
    {EventType::send_start, "send_start", EventClass::message, 1, 4, "csend/isend: the message is handed to the system",
     "destination and length", "hypothesis (facts: emission points)"},
    {EventType::request_sent, "request_sent", EventClass::message, 1, 4,
     "csend/isend of a long message: the request to send has left", "destination",
     "hypothesis (facts: emission points)"},
    {EventType::switch_out, "switch_out", EventClass::process_state, 1, 4, "a system call blocks: the process leaves",
     "process", "hypothesis (facts: emission points)"},
    {EventType::switch_in, "switch_in", EventClass::process_state, 1, 4, "what it waited for is there: it continues",
     "process", "hypothesis (facts: emission points)"},
    {EventType::grant_received, "grant_received", EventClass::message, 1, 4,
     "long message, sender: the receiver lets the data come", "source of the grant",
     "hypothesis (facts: emission points)"},
    {EventType::dma_done, "dma_done", EventClass::message, 1, 4, "long message, sender: the last byte has left",
     "destination", "hypothesis (facts: emission points)"},
    {EventType::receive_posted, "receive_posted", EventClass::message, 1, 4, "crecv/irecv: the buffer is known",
     "message type", "hypothesis (facts: emission points)"},
    {EventType::message_arrived, "message_arrived", EventClass::message, 1, 4,
     "short message, receiver: it is in the system buffer", "source and length", "hypothesis (facts: emission points)"},
    {EventType::request_arrived, "request_arrived", EventClass::message, 1, 4,
     "long message, receiver: the request to send is there", "source", "hypothesis (facts: emission points)"},
    {EventType::grant_sent, "grant_sent", EventClass::message, 1, 4,
     "long message, receiver: posted and requested, the grant leaves", "source", "hypothesis (facts: emission points)"},
    {EventType::data_done, "data_done", EventClass::message, 1, 4,
     "long message, receiver: the last byte is in the user's buffer", "source and length",
     "hypothesis (facts: emission points)"},
    {EventType::user, "user", EventClass::application, 1, 1, "the program asks for it", "the program's value",
     "2-byte minimum stated in HYPERMON sec. 3.1; use chosen"},
}};

constexpr const EventInfo& info(EventType type) { return event_catalogue[index(type)]; }

namespace detail {
constexpr bool catalogue_in_order() {
  for (std::size_t i = 0; i < event_types; ++i)
    if (index(event_catalogue[i].type) != i || event_catalogue[i].hardware_nibbles() > max_hardware_nibbles)
      return false;
  return true;
}
static_assert(catalogue_in_order());

inline constexpr std::uint8_t no_type = 0xFF;
inline constexpr auto type_by_code = [] {
  std::array<std::uint8_t, 256> types{};
  types.fill(no_type);
  for (const EventInfo& row : event_catalogue) types[type_code(row.type)] = static_cast<std::uint8_t>(row.type);
  return types;
}();

inline constexpr auto nibbles_by_low_nibble = [] {
  std::array<std::uint8_t, 16> nibbles{};
  for (const EventInfo& row : event_catalogue) {
    auto& n = nibbles[type_code(row.type) & 0xFU];
    if (n != 0 && n != row.hardware_nibbles()) throw "types with the same low nibble must have the same length";
    n = static_cast<std::uint8_t>(row.hardware_nibbles());
  }
  return nibbles;
}();
} // namespace detail

/// The type with this code, none for most bytes.
constexpr std::optional<EventType> type_of_code(std::uint8_t code) {
  const std::uint8_t type = detail::type_by_code[code];
  if (type == detail::no_type) return std::nullopt;
  return static_cast<EventType>(type);
}

/// The type of that name.
constexpr std::optional<EventType> type_of_name(std::string_view name) {
  for (const EventInfo& row : event_catalogue)
    if (row.name == name) return row.type;
  return std::nullopt;
}

/// Length of an event's hardware record by its first nibble, the low one of its code.
constexpr std::uint32_t hardware_nibbles_by_first(std::uint8_t nibble) {
  return detail::nibbles_by_low_nibble[nibble & 0xFU];
}

constexpr std::string_view name(EventClass event_class) {
  switch (event_class) {
  case EventClass::message:
    return "message";
  case EventClass::process_state:
    return "process_state";
  case EventClass::system_call:
    return "system_call";
  case EventClass::application:
    break;
  }
  return "application";
}

} // namespace hypermon
