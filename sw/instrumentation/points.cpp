// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/points.hpp"
#include <algorithm>
#include <span>

namespace hypermon {

namespace {

/// A point of NX/2 or of the program.
struct Row {
  std::string_view name;
  EventClass event_class;
  std::string_view emitted;
  std::string_view source;
  std::array<Item, 5> items;
  std::size_t n_items;
};

constexpr std::string_view hypothesis = "hypothesis (facts: emission points)";
constexpr std::array<Item, 5> message_items{Item::peer_and_length, Item::peer, Item::bytes, Item::tag};
constexpr std::array<Item, 5> call_items{Item::call};
constexpr std::array<Item, 5> process_items{Item::process};

constexpr std::array<Row, index(Point::user_0)> rows{{
    {"nx2.process_start",
     EventClass::process_state,
     "The program is loaded and starts (MPI_Init).",
     "13-byte maximum stated in HYPERMON sec. 3.1; use chosen",
     {Item::process, Item::program, Item::nodes},
     3},
    {"nx2.process_end",
     EventClass::process_state,
     "The program ends (MPI_Finalize).",
     "2-byte minimum stated in HYPERMON sec. 3.1; use chosen",
     {Item::status},
     1},
    {"nx2.tick",
     EventClass::process_state,
     "The scheduler tick switches the context, every node.tick_ms on every node, busy or idle.",
     "derived from the 221.07 B/s per node of Table 2 (MatMul); tick from Dunigan's clock study",
     {Item::left, Item::entered},
     2},
    {"nx2.syscall_entry", EventClass::system_call, "A system call begins.", hypothesis, call_items, 1},
    {"nx2.syscall_exit", EventClass::system_call, "A system call returns.", hypothesis, call_items, 1},
    {"nx2.send_start", EventClass::message, "The program hands a message to the system (csend, isend).", hypothesis,
     message_items, 4},
    {"nx2.request_sent", EventClass::message, "The request to send a long message has left the sender (csend, isend).",
     hypothesis, message_items, 4},
    {"nx2.switch_out", EventClass::process_state, "A system call blocks, and its process leaves the CPU.", hypothesis,
     process_items, 1},
    {"nx2.switch_in", EventClass::process_state, "A blocked process continues.", hypothesis, process_items, 1},
    {"nx2.grant_received", EventClass::message, "The sender of a long message has received the grant for the data.",
     hypothesis, message_items, 4},
    {"nx2.dma_done", EventClass::message, "The last byte of a long message has left the sender.", hypothesis,
     message_items, 4},
    {"nx2.receive_posted",
     EventClass::message,
     "The program posts a receive (crecv, irecv).",
     hypothesis,
     {Item::peer, Item::tag},
     2},
    {"nx2.message_arrived", EventClass::message, "A short message has arrived in the receiver's system buffer.",
     hypothesis, message_items, 4},
    {"nx2.request_arrived", EventClass::message, "The request to send a long message has arrived at the receiver.",
     hypothesis, message_items, 4},
    {"nx2.grant_sent", EventClass::message,
     "The receiver of a long message sends the grant: the receive is posted and the request has arrived.", hypothesis,
     message_items, 4},
    {"nx2.data_done", EventClass::message, "The last byte of a long message is in the receiver's user buffer.",
     hypothesis, message_items, 4},
    {"user",
     EventClass::application,
     "The program calls hypermon_event().",
     "2-byte minimum stated in HYPERMON sec. 3.1; use chosen",
     {Item::value},
     1},
}};

} // namespace

PointInfo info_of(Point point) {
  const std::size_t i = index(point);
  if (i < rows.size()) {
    const Row& row = rows[i];
    return {std::string(row.name),
            row.event_class,
            std::string(row.emitted),
            std::string(row.source),
            {row.items.begin(), row.items.begin() + row.n_items}};
  }
  if (point < Point::mpi_0) {
    const std::string kind = std::to_string(i - index(Point::user_0));
    return {"user." + kind,
            EventClass::application,
            "The program calls hypermon_emit(" + kind + ", ...).",
            "chosen",
            {Item::a, Item::b, Item::c}};
  }
  const auto function = static_cast<MpiFunction>((i - index(Point::mpi_0)) / 2);
  const bool leaves = point == leave_point(function);
  const std::string called(name(function));
  return {
      "mpi." + called + (leaves ? ".leave" : ".enter"),
      EventClass::mpi,
      called + (leaves ? " returns." : " is called."),
      "the MPI standard's profiling interface",
      {Item::function, Item::rank, Item::peer, Item::bytes, Item::peer_and_length, Item::tag, Item::root, Item::count}};
}

std::optional<Point> point_named(std::string_view name) {
  for (std::size_t i = 0; i < points; ++i)
    if (const auto point = static_cast<Point>(i); info_of(point).name == name) return point;
  return std::nullopt;
}

std::optional<Item> item_named(std::string_view name) {
  const auto* const found =
      std::find_if(item_table.begin(), item_table.end(), [&](const ItemInfo& item) { return item.name == name; });
  if (found == item_table.end()) return std::nullopt;
  return static_cast<Item>(found - item_table.begin());
}

} // namespace hypermon
