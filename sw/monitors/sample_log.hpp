// SPDX-License-Identifier: BSD-3-Clause
// Samples: values of counters that a monitor takes on the nodes and that come, later, to an analyst. The log knows of
// each sample what became of it, and writes those that arrived to a file of the run's folder.
#pragma once
#include "base/counters.hpp"
#include "base/histogram.hpp"
#include "base/npy_file.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/report.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// A counter's value, as the monitor carries it.
struct Sample {
  std::uint64_t number = 0; ///< among all that were taken
  NodeId node{};
  CounterId counter{};
  CounterInstance of;
  std::int64_t value = 0;
  Time taken;   ///< true time
  Time stamped; ///< what the monitor says of it
};

/// A row of samples.npy.
struct SampleRow {
  std::int64_t true_ps;
  std::int64_t stamped_ps;
  std::int64_t arrival_ps;
  std::int64_t value;
  std::uint32_t node;
  std::uint32_t counter;
  std::uint32_t part;
  std::uint32_t item;
};
template <>
inline constexpr const char* npy_type<SampleRow> =
    "[('true_ps', '<i8'), ('stamped_ps', '<i8'), ('arrival_ps', '<i8'), ('value', '<i8'), ('node', '<u4'), "
    "('counter', '<u4'), ('part', '<u4'), ('item', '<u4')]";

/// Which of the numbers 0, 1, 2, ... that were given out are still out: remembered from the oldest of these on.
class Outstanding {
public:
  std::uint64_t give() {
    out_.push_back(true);
    ++count_;
    return first_ + out_.size() - 1;
  }
  /// False if it is not out.
  bool settle(std::uint64_t number) {
    if (number < first_ || number - first_ >= out_.size() || !out_[number - first_]) return false;
    out_[number - first_] = false;
    --count_;
    for (; !out_.empty() && !out_.front(); ++first_) out_.pop_front();
    return true;
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t given() const { return first_ + out_.size(); }

private:
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::deque<bool> out_;
};

class SampleLog {
public:
  /// Writes samples.npy and samples.json into `folder`, once there is a sample; none: keeps counts alone.
  SampleLog(const Counters& counters, std::string folder) : counters_(counters), folder_(std::move(folder)) {}

  /// Reads a counter at `now`, SimGrid's date, under the timestamp that the monitor gives the sample.
  Sample take(NodeId node, CounterInstance of, CounterId counter, Time now, Time stamp);
  /// The sample is where it was to go: an analyst can see it from `now` on, not before the sample that arrived last.
  void arrive(const Sample& sample, Time now);
  /// It never will be.
  void lose(const Sample& sample, const std::string& stage, const std::string& cause);
  /// Whoever reads the files while the run goes on finds what has arrived so far: so many whole rows in samples.npy as
  /// samples.json says. Changes nothing of what they are in the end.
  void publish();
  /// No sample arrives any more: the files are complete.
  void close();

  bool used() const { return in_flight_.given() > 0; }
  /// generated: taken; what is neither here nor lost is in flight. Its unit is samples; none of them is an event.
  Ledger ledger() const;
  /// The keys `samples.*` of a result.
  void report(Results& results) const;

private:
  void settle(const Sample& sample);
  void describe() const;

  const Counters& counters_;
  std::string folder_;
  std::unique_ptr<NpyFile<SampleRow>> file_;
  std::uint64_t delivered_ = 0;
  std::vector<Ledger::Loss> lost_;
  Outstanding in_flight_;
  std::vector<bool> counters_seen_; // by CounterId
  TimeHistogram age_;
  TimestampError timestamp_error_;
};

} // namespace hypermon
