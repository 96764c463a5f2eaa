// SPDX-License-Identifier: BSD-3-Clause
// Periodic statistics of events instead of the events: the reduction that HYPERMON sec. 6 asks for.
#pragma once
#include "sw/instrumentation/text_file.hpp"
#include "sw/model/csv_text.hpp"
#include "sw/monitors/hypermon/node_decoder.hpp"

#include <filesystem>
#include <map>
#include <tuple>

namespace hypermon {

/// Count and sum of first arguments of each node's events of each type, period by period. What is given up: the times
/// within a period, the order, and all arguments but for their sum.
class EventStatistics {
public:
  EventStatistics(Time period, const Catalogue& catalogue) : period_(period), catalogue_(catalogue) {}

  /// `at`: the event's timestamp.
  void add(const DecodedEvent& event, Time at) {
    Cell& cell = cells_[{at / period_, index(event.node), event.event.type}];
    ++cell.count;
    cell.sum += event.event.args[0];
  }

  /// Rows of period, node and type, as CSV.
  void write(const std::filesystem::path& path) const {
    write_text(path, [&](std::ostream& out) {
      out << "period_begin_s,node,type,count,rate_per_s,sum_of_first_arguments\n";
      for (const auto& [key, cell] : cells_) {
        const auto& [period, node, type] = key;
        out << (period_ * period).seconds() << ',' << node << ',' << csv_text(catalogue_.row(type).name) << ','
            << cell.count << ',' << static_cast<double>(cell.count) / period_.seconds() << ',' << cell.sum << '\n';
      }
    });
  }

private:
  struct Cell {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  Time period_;
  const Catalogue& catalogue_;
  std::map<std::tuple<std::int64_t, std::uint32_t, EventType>, Cell> cells_;
};

} // namespace hypermon
