// SPDX-License-Identifier: BSD-3-Clause
// The software monitor: every node writes its events, with timestamps of its own drifting clock, into a buffer in its
// memory (HYPERMON sec. 5.2). Events that do not fit are lost; the others are available at the end of the run.
#pragma once
#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/event_log.hpp"
#include "sw/monitors/monitor.hpp"
#include "sw/monitors/software/params.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class SoftwareMonitor : public Monitor {
public:
  SoftwareMonitor(const SoftwareParams& params, std::vector<NodeClock> clocks, Catalogue catalogue = Catalogue::nx2());
  /// Also writes the events in the buffers, and the lost ones, into the folder.
  void keep_events(const std::string& folder) { log_ = std::make_unique<EventLog>(catalogue_, folder); }

  void start(Site& site) override;
  std::optional<Time> emit(const Emission& emission) override;
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results& results, Time begin, Time end) const override;
  void close(Time, Time) override {
    if (log_) log_->close();
  }

private:
  struct Buffer {
    std::int64_t bytes = 0;
    std::uint64_t events = 0;
  };

  Catalogue catalogue_;
  Time per_byte_;
  std::int64_t capacity_;
  std::vector<NodeClock> clocks_;
  std::vector<Buffer> buffers_;
  std::uint64_t lost_events_ = 0;
  std::uint64_t lost_bytes_ = 0;
  std::optional<Time> first_loss_;
  TimestampError timestamp_error_;
  CausalityChecker causality_;
  std::unique_ptr<EventLog> log_; // null: no log
};

} // namespace hypermon
