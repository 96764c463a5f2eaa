// SPDX-License-Identifier: BSD-3-Clause
// Periodic statistics instead of single events: the data reduction that HYPERMON sec. 6 requests.
#pragma once
#include "base/csv_text.hpp"
#include "base/packed_log.hpp"
#include "base/text_file.hpp"
#include "sw/monitors/hypermon/node_decoder.hpp"

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace hypermon {

/// Number of events and sum of their first arguments, for each period, node and type. The reduction loses the times
/// within a period, the order of events, and all other arguments.
///
/// Memory does not grow with the run: when there are many cells, they go to a file as sorted runs. write() merges the
/// runs and adds up the cells of each key.
class EventStatistics {
public:
  /// At most `most` cells are in memory.
  EventStatistics(Time period, const Catalogue& catalogue, std::size_t most = 1 << 15)
      : period_(period), catalogue_(catalogue), most_(most) {}

  /// `at`: the event's timestamp.
  void add(const DecodedEvent& event, Time at) {
    Cell& cell = cells_[{at / period_, index(event.node), event.event.type}];
    ++cell.count;
    cell.sum += event.event.args[0];
    if (cells_.size() > most_) [[unlikely]]
      store();
  }

  /// Writes rows of period, node and type as CSV.
  void write(const std::filesystem::path& path) {
    store();
    write_text(path, [&](std::ostream& out) {
      out << "period_begin_s,node,type,count,rate_per_s,sum_of_first_arguments\n";
      each_cell([&](const Key& key, const Cell& cell) {
        const auto& [period, node, type] = key;
        out << (period_ * period).seconds() << ',' << node << ',' << csv_text(catalogue_.row(type).name) << ','
            << cell.count << ',' << static_cast<double>(cell.count) / period_.seconds() << ',' << cell.sum << '\n';
      });
    });
  }

private:
  using Key = std::tuple<std::int64_t, std::uint32_t, EventType>; // period, node, type
  struct Cell {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };
  struct Row {
    std::int64_t period = 0;
    std::uint32_t node = 0;
    EventType type{};
    Cell cell;
    Key key() const { return {period, node, type}; }
    template <class Coder> void code(Coder& c, Row& before) {
      c(period, before.period);
      c(node, before.node);
      c(type, before.type);
      c(cell.count, before.cell.count);
      c(cell.sum, before.cell.sum);
    }
  };
  using Run = PackedLog<Row>;

  // Moves all cells to a new run, sorted by their keys.
  void store() {
    Run& run = runs_.emplace_back(file_, 1 << 12);
    for (const auto& [key, cell] : cells_) run.append({std::get<0>(key), std::get<1>(key), std::get<2>(key), cell});
    cells_.clear();
  }
  template <class F> void each_cell(F&& f) const {
    std::vector<Run::Cursor> cursors;
    std::multimap<Key, std::pair<std::size_t, Cell>> next; // next cell of each run, with its run
    std::vector<std::uint64_t> left;
    const auto go_on = [&](std::size_t run) {
      if (left[run]-- == 0) return;
      const Row& row = cursors[run].next();
      next.insert({row.key(), {run, row.cell}});
    };
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      cursors.emplace_back(runs_[run]);
      left.push_back(runs_[run].size());
      go_on(run);
    }
    while (!next.empty()) {
      const Key key = next.begin()->first;
      Cell sum;
      while (!next.empty() && next.begin()->first == key) {
        const auto [run, cell] = next.begin()->second;
        next.erase(next.begin());
        sum.count += cell.count;
        sum.sum += cell.sum;
        go_on(run);
      }
      f(key, sum);
    }
  }

  Time period_;
  const Catalogue& catalogue_;
  std::size_t most_;
  std::map<Key, Cell> cells_;
  std::shared_ptr<SpillFile> file_ = std::make_shared<SpillFile>();
  std::deque<Run> runs_;
};

} // namespace hypermon
