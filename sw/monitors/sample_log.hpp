// SPDX-License-Identifier: BSD-3-Clause
// Samples: counter values that a monitor reads on the nodes and that reach an analyst later. The log keeps the fate of
// each sample and writes the samples that arrived to a file in the run's folder.
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

/// A counter's value as the monitor carries it.
struct Sample {
  std::uint64_t number = 0; ///< consecutive number of all samples taken
  NodeId node{};
  CounterId counter{};
  CounterInstance instance;
  std::int64_t value = 0;
  Time taken;   ///< true time
  Time stamped; ///< the monitor's timestamp
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

/// Tracks which of the numbers 0, 1, 2, ... that were given out are not settled. Memory grows from the oldest of these.
class Outstanding {
public:
  std::uint64_t give() {
    out_.push_back(true);
    ++count_;
    return first_ + out_.size() - 1;
  }
  /// Returns false if the number is not out.
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
  /// Writes samples.npy and samples.json into `folder` once there is a sample. Without a folder only the counts are
  /// kept.
  SampleLog(const Counters& counters, std::string folder) : counters_(counters), folder_(std::move(folder)) {}

  /// Reads a counter at the simulated time `now`. `stamp`: the monitor's timestamp of the sample.
  Sample take(NodeId node, CounterInstance instance, CounterId counter, Time now, Time stamp);
  /// The sample has reached its destination: an analyst can see it from `now` on. Calls are in the order of arrival.
  void arrive(const Sample& sample, Time now);
  /// The sample is lost.
  void lose(const Sample& sample, const std::string& stage, const std::string& cause);
  /// Makes the samples that have arrived so far visible in the files during the run: samples.json gives the number of
  /// complete rows in samples.npy. The final files do not depend on this.
  void publish();
  /// No more samples arrive: completes the files.
  void close();

  bool used() const { return in_flight_.given() > 0; }
  /// Samples taken count as generated; samples that neither arrived nor were lost are in flight. The unit is samples,
  /// and the number of events is 0.
  Ledger ledger() const;
  /// Sets the keys `samples.*` of a result.
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
