// SPDX-License-Identifier: BSD-3-Clause
// The points at which the instrumented system can emit an event, and the data known there. The catalogue selects the
// points that emit, their events and the data of the events (catalogue.hpp).
#pragma once
#include "sw/instrumentation/mpi_functions.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// The paper's three classes of system events (HYPERMON sec. 5.2), MPI calls, and events of the program itself.
enum class EventClass : std::uint8_t { message, process_state, system_call, mpi, application };

/// Points of NX/2 (nx2.<name>), hypermon_event() (user), hypermon_emit() (user.0 to user.15), and two points for each
/// MPI function.
enum class Point : std::uint16_t {
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
  user,
  user_0,
  mpi_0 = user_0 + 16,
  end = mpi_0 + 2 * mpi_function_names.size()
};
constexpr std::size_t index(Point point) { return static_cast<std::size_t>(point); }
inline constexpr std::size_t points = index(Point::end);
inline constexpr unsigned user_kinds = index(Point::mpi_0) - index(Point::user_0);

/// True for steps of NX/2's messages and system calls, which do not occur with machine.messages = smpi.
constexpr bool needs_nx2_messages(Point point) { return point > Point::tick && point < Point::user; }

/// `kind`: less than user_kinds.
constexpr Point user_point(unsigned kind) { return static_cast<Point>(index(Point::user_0) + kind); }
constexpr Point enter_point(MpiFunction f) { return static_cast<Point>(index(Point::mpi_0) + 2 * index(f)); }
constexpr Point leave_point(MpiFunction f) { return static_cast<Point>(index(Point::mpi_0) + 2 * index(f) + 1); }

/// Data at a point. Members that the point does not have are 0. Negative numbers are stored in two's complement.
struct PointData {
  std::uint32_t peer = 0;
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;
  std::uint32_t peer_and_length = 0; ///< RankTable::describe()
  std::uint32_t process = 0;
  std::uint32_t program = 0;
  std::uint32_t nodes = 0;
  std::uint32_t status = 0;
  std::uint32_t left = 0;
  std::uint32_t entered = 0;
  std::uint32_t call = 0;
  std::uint32_t function = 0;
  std::uint32_t rank = 0;
  std::uint32_t root = 0;
  std::uint32_t count = 0;
  std::uint32_t value = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
};

/// A datum that a catalogue can select: a member of PointData.
enum class Item : std::uint8_t {
  peer,
  bytes,
  tag,
  peer_and_length,
  process,
  program,
  nodes,
  status,
  left,
  entered,
  call,
  function,
  rank,
  root,
  count,
  value,
  a,
  b,
  c
};
inline constexpr std::size_t items = 19;
constexpr std::size_t index(Item item) { return static_cast<std::size_t>(item); }

struct ItemInfo {
  std::string_view name;
  std::uint32_t PointData::*member;
  std::string_view meaning;
};
inline constexpr std::array<ItemInfo, items> item_table{{
    {"peer", &PointData::peer, "rank at the other end of the message: destination of a send, source of a receive"},
    {"bytes", &PointData::bytes, "size of the message's data in bytes"},
    {"tag", &PointData::tag, "tag of the message (NX/2's message type)"},
    {"peer_and_length", &PointData::peer_and_length,
     "peer in bits 31 to 24, bytes in bits 23 to 0. With more than 256 ranks each has 16 bits, and 65535 stands for "
     "65535 bytes or more"},
    {"process", &PointData::process, "number of the process: the rank at its start, otherwise the node"},
    {"program", &PointData::program, "number of the program"},
    {"nodes", &PointData::nodes, "number of nodes"},
    {"status", &PointData::status, "exit status of the program"},
    {"left", &PointData::left, "number of the tick, in place of the process that leaves the CPU"},
    {"entered", &PointData::entered, "number of the node, in place of the process that gets the CPU"},
    {"call", &PointData::call, "number of the system call"},
    {"function", &PointData::function, "number of the MPI function in the list below"},
    {"rank", &PointData::rank, "rank that makes the MPI call"},
    {"root", &PointData::root, "root rank of the collective call"},
    {"count", &PointData::count, "number of requests or elements"},
    {"value", &PointData::value, "number that the program gives to hypermon_event()"},
    {"a", &PointData::a, "first number that the program gives to hypermon_emit()"},
    {"b", &PointData::b, "second number that the program gives to hypermon_emit()"},
    {"c", &PointData::c, "third number that the program gives to hypermon_emit()"},
}};

inline std::uint32_t value_of(const PointData& data, Item item) { return data.*item_table[index(item)].member; }

struct PointInfo {
  std::string name;
  EventClass event_class;
  std::string emitted; ///< where the event is emitted
  std::string source;
  std::vector<Item> items; ///< data known at the point
};
PointInfo info_of(Point point);
std::optional<Point> point_named(std::string_view name);
std::optional<Item> item_named(std::string_view name);

constexpr std::string_view name(EventClass event_class) {
  constexpr std::array<std::string_view, 5> names{"message", "process_state", "system_call", "mpi", "application"};
  return names[static_cast<std::size_t>(event_class)];
}

} // namespace hypermon
