// Samples: values of counters that a monitor takes on the nodes and that come, later, to an analyst. The log knows of
// each sample what became of it, and writes those that arrived to a file of the run's folder.
#pragma once
#include "sw/instrumentation/histogram.hpp"
#include "sw/instrumentation/npy_file.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/model/counters.hpp"
#include "sw/monitors/report.hpp"

#include <memory>
#include <string>
#include <unordered_set>
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
  /// No sample arrives any more: the file is complete.
  void close();

  bool used() const { return taken_ > 0; }
  /// generated: taken; what is neither here nor lost is in flight. Its unit is samples; none of them is an event.
  Ledger ledger() const;
  /// The keys `samples.*` of a result.
  nlohmann::ordered_json to_json() const;

private:
  void settle(const Sample& sample);

  const Counters& counters_;
  std::string folder_;
  std::unique_ptr<NpyFile<SampleRow>> file_;
  std::uint64_t taken_ = 0;
  std::uint64_t delivered_ = 0;
  std::vector<Ledger::Loss> lost_;
  std::unordered_set<std::uint64_t> in_flight_;
  std::vector<bool> counters_seen_; // by CounterId
  TimeHistogram age_;
  TimestampError timestamp_error_;
};

} // namespace hypermon
