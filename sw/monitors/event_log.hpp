// SPDX-License-Identifier: BSD-3-Clause
// Fate of the nodes' events, for monitors that carry events. Written on request (hypermon run --activity).
#pragma once
#include "base/npy_file.hpp"
#include "sw/instrumentation/catalogue.hpp"

#include <cstdint>
#include <filesystem>

namespace hypermon {

/// A row of events.npy. The monitor's time and the arrival of a lost event are -1. The arrival is also -1 for an event
/// that stays in the node until the program has ended.
struct EventRowOfLog {
  std::int64_t true_ps;
  std::int64_t stamped_ps;
  std::int64_t arrival_ps;
  std::uint32_t node;
  std::uint32_t type;
};
template <>
inline constexpr const char* npy_type<EventRowOfLog> =
    "[('true_ps', '<i8'), ('stamped_ps', '<i8'), ('arrival_ps', '<i8'), ('node', '<u4'), ('type', '<u4')]";

class EventLog {
public:
  /// Writes events.npy into `folder`, and events.json, which explains the types.
  EventLog(const Catalogue& catalogue, const std::filesystem::path& folder);

  /// An event that began to leave its node at `taken` reached the analyst at `arrival`, with the monitor's timestamp
  /// `stamped`. Calls for one node are in the order of its events.
  void delivered(NodeId node, EventType type, Time taken, Time stamped, Time arrival) {
    file_.append({taken.ps(), stamped.ps(), arrival == Time::never() ? missing : arrival.ps(), index(node),
                  static_cast<std::uint32_t>(type)});
  }
  void lost(NodeId node, EventType type, Time taken) {
    file_.append({taken.ps(), missing, missing, index(node), static_cast<std::uint32_t>(type)});
  }
  /// Completes the files.
  void close() { file_.close(); }

private:
  static constexpr std::int64_t missing = -1;

  NpyFile<EventRowOfLog> file_;
};

} // namespace hypermon
