// SPDX-License-Identifier: BSD-3-Clause
// Writes the fate of each event to the event log.
#pragma once
#include "sw/monitors/event_log.hpp"
#include "sw/monitors/fates.hpp"

namespace hypermon {

class LoggedFates final : public FateSink {
public:
  LoggedFates(const Catalogue& catalogue, const std::filesystem::path& folder) : log_(catalogue, folder) {}

  void delivered(const Emitted& event, Time stamp, Time there) override {
    log_.delivered(event.node, event.event.type, event.start, stamp, there);
  }
  void lost(const Emitted& event, std::size_t) override { log_.lost(event.node, event.event.type, event.start); }
  void spurious(NodeId node, EventType type, Time stamp, Time there) override {
    log_.delivered(node, type, stamp, stamp, there); // the analyst cannot know that it is spurious
  }
  void close() { log_.close(); }

private:
  EventLog log_;
};

} // namespace hypermon
