// SPDX-License-Identifier: BSD-3-Clause
// Fate of all written data, and the error of their timestamps.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/report.hpp"

#include <vector>

namespace hypermon::hdtrace {

/// Cause of a loss.
enum class Lost : std::uint8_t { buffer_full, disk_full };

class TraceLedger {
public:
  explicit TraceLedger(std::vector<NodeClock> clocks, Time resolution)
      : clocks_(std::move(clocks)), resolution_(resolution), shifts_(clocks_.size()), errors_(clocks_.size()) {}

  void generate(std::uint64_t bytes, std::uint64_t events) { add(generated_, bytes, events); }
  void deliver(std::uint64_t bytes, std::uint64_t events) { add(delivered_, bytes, events); }
  void lose(Lost why, std::uint64_t bytes, std::uint64_t events) {
    add(why == Lost::buffer_full ? buffer_full_ : disk_full_, bytes, events);
  }
  bool loses() const { return buffer_full_.units + disk_full_.units > 0; }

  /// The computer's clock at `now`, rounded down to the resolution of the files. Its error is recorded. Servers, which
  /// are not nodes, have exact clocks (chosen).
  Time read(std::size_t computer, Time now);
  /// The clock at the begin of the run, which is a lower bound of all its times. Its error is not recorded.
  Time begin(std::size_t computer) const { return local(computer, {}); }
  /// Correction that is later added to the node's timestamps.
  void shift(NodeId node, Time by) { shifts_[index(node)] = by; }
  Time shift(std::size_t computer) const { return computer < shifts_.size() ? shifts_[computer] : Time{}; }

  /// Records that `receiver` took at its local time `taken` something that `sender` had sent at its local time `left`.
  void pair(std::size_t sender, Time left, std::size_t receiver, Time taken) {
    if (sender != receiver) pairs_.push_back({taken - left, sender, receiver});
  }

  Ledger ledger() const;
  TimestampError error() const;
  /// Causality violations of the pairs, with corrected timestamps.
  std::uint64_t violations() const;
  std::uint64_t violations_as_written() const;
  std::uint64_t pairs() const { return pairs_.size(); }

private:
  Time local(std::size_t computer, Time now) const;
  struct Pair {
    Time difference;
    std::size_t sender;
    std::size_t receiver;
  };
  static void add(Ledger::Amount& amount, std::uint64_t bytes, std::uint64_t events) {
    amount.units += bytes;
    amount.events += events;
  }

  std::vector<NodeClock> clocks_;
  Time resolution_;
  std::vector<Time> shifts_;
  std::vector<TimestampError> errors_; // errors of the written timestamps, by node
  TimestampError of_servers_;
  std::vector<Pair> pairs_;
  Ledger::Amount generated_;
  Ledger::Amount delivered_;
  Ledger::Amount buffer_full_;
  Ledger::Amount disk_full_;
};

} // namespace hypermon::hdtrace
