// SPDX-License-Identifier: BSD-3-Clause
// What became of the nodes' events, of monitors that carry some; written on request (hypermon run --activity).
#pragma once
#include "base/npy_file.hpp"
#include "sw/instrumentation/catalogue.hpp"

#include <cstdint>
#include <filesystem>

namespace hypermon {

/// A row of events.npy. Of a lost event: monitor's time and arrival are -1; the arrival of what stays in the node until
/// the program has ended is, too.
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
  /// events.npy in `folder`, and events.json, which says what the types are.
  EventLog(const Catalogue& catalogue, const std::filesystem::path& folder);

  /// An event that began to leave its node at `taken` is the analyst's at `arrival`, stamped so by the monitor. Calls
  /// for one node come in the order of its events.
  void delivered(NodeId node, EventType type, Time taken, Time stamped, Time arrival) {
    file_.append({taken.ps(), stamped.ps(), arrival == Time::never() ? missing : arrival.ps(), index(node),
                  static_cast<std::uint32_t>(type)});
  }
  void lost(NodeId node, EventType type, Time taken) {
    file_.append({taken.ps(), missing, missing, index(node), static_cast<std::uint32_t>(type)});
  }
  /// The files are complete.
  void close() { file_.close(); }

private:
  static constexpr std::int64_t missing = -1;

  NpyFile<EventRowOfLog> file_;
};

} // namespace hypermon
