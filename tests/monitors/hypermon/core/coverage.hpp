// SPDX-License-Identifier: BSD-3-Clause
// What random cases have exercised: situations of the oracle, and which outcomes were met under which setting.
#pragma once
#include "tests/monitors/hypermon/core/oracle.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <iomanip>
#include <ostream>
#include <string>

namespace hypermon::testing {

using oracle::Sighting;

class Coverage {
public:
  static constexpr std::array outcomes{"aliasing", "node overrun", "discarded", "frame lost", "delivered"};

  void add(const Hardware& h, const oracle::Result& result) {
    ++cases_;
    seen_ += result.seen;
    strobes_ += result.counts.strobes;
    const Counts& c = result.counts;
    const std::array<std::uint64_t, outcomes.size()> met{c.aliasing, c.node_overruns, c.discarded, c.frames_lost,
                                                         c.drained};
    for_each_setting(h, [&](const std::string& name, bool is_set) {
      Row& row = row_of(name);
      if (!is_set) return;
      ++row.cases;
      for (std::size_t i = 0; i < met.size(); ++i) row.met[i] += met[i];
    });
  }

  std::uint64_t strobes() const { return strobes_; }
  std::uint64_t seen(Sighting what) const { return seen_[what]; }

  /// Settings under which an outcome was not met that some case could have met.
  std::vector<std::pair<std::string, std::string>> never_met() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Row& row : rows_)
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const bool impossible = (row.setting == "node_fifo_full = stall" && i == 1) ||
                                (row.setting == "frame_fifo_full = stall" && i == 3) || rows_.front().met[i] == 0;
        if (row.cases > 0 && row.met[i] == 0 && !impossible) pairs.emplace_back(row.setting, outcomes[i]);
      }
    return pairs;
  }

  friend std::ostream& operator<<(std::ostream& to, const Coverage& c) {
    to << c.strobes_ << " strobes in " << c.cases_ << " cases: the oracle and three runs of the board are equal\n";
    for (const Row& row : c.rows_) {
      if (row.cases == 0) continue;
      to << "  " << std::left << std::setw(31) << row.setting << std::right << std::setw(6) << row.cases << " cases";
      for (std::size_t i = 0; i < outcomes.size(); ++i) to << ", " << row.met[i] << ' ' << outcomes[i];
      to << '\n';
    }
    for (std::size_t i = 0; i < oracle::sighting_names.size(); ++i)
      if (const auto n = c.seen_[static_cast<Sighting>(i)]; n > 0)
        to << "  " << oracle::sighting_names[i] << ": " << n << '\n';
    return to;
  }

private:
  struct Row {
    std::string setting;
    std::uint64_t cases = 0;
    std::array<std::uint64_t, outcomes.size()> met{};
  };

  template <class F> static void for_each_setting(const Hardware& h, F&& f) {
    f("any", true);
    for (const std::int64_t w : {4, 8, 16, 32}) f("width_bits = " + std::to_string(w), h.port.width_bits == w);
    f("accumulate_bits = 32", h.ecb.accumulate_bits == 32 && h.port.width_bits < 32);
    const auto each = [&](const char* name, auto value, auto... choice) {
      (f(std::string(name) + " = " + std::string(word(choice)), value == choice), ...);
    };
    each("timestamp_policy", h.ecb.timestamp_policy, TimestampPolicy::every, TimestampPolicy::on_request);
    f("timestamp_bits < 32", h.ecb.timestamp_bits < 32);
    f("timestamp_bits > 32", h.ecb.timestamp_bits > 32);
    f("wrap_frames", h.ecb.wrap_frames);
    using enum WhenFull;
    each("node_fifo_full", h.ecb.node_fifo_full, drop_newest, stall);
    each("vector_fifo_full", h.ecb.vector_fifo_full, drop_newest, drop_oldest);
    each("frame_fifo_full", h.ecb.frame_fifo_full, drop_newest, drop_oldest, stall);
    each("reader", h.reader.kind, ReaderKind::ideal, ReaderKind::group);
  }

  Row& row_of(const std::string& setting) {
    for (Row& row : rows_)
      if (row.setting == setting) return row;
    return rows_.emplace_back(Row{setting});
  }

  std::uint64_t cases_ = 0;
  std::uint64_t strobes_ = 0;
  oracle::Sightings seen_;
  std::vector<Row> rows_;
};

} // namespace hypermon::testing
