// SPDX-License-Identifier: BSD-3-Clause
// A trace funnel: sources whose messages share links, a formatter and a sink (docs/design/funnel.md has the contract).
//
//   messages -> source FIFOs -> ports -> links -> funnels (a tree) -> formatter -> buffer -> bursts -> analyst
//
// The funnel is simulated only at edges where something happens: work grows with words and bursts, not with idle
// cycles. Every result equals that of the cycle-by-cycle contract.
#pragma once
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/probe.hpp"
#include "hw/funnel/core/trace_counts.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hypermon {

class TraceFunnel {
public:
  /// Throws std::invalid_argument if there is a problem_of() the design.
  explicit TraceFunnel(const TraceFunnelDesign& design);
  ~TraceFunnel();
  TraceFunnel(TraceFunnel&&) noexcept;

  // Configuration, to be called before the first write().
  /// Called once for each lost message, in the order of the edges and writes at which the loss is known.
  void on_loss(std::function<void(const LostTrace&)> sink);
  /// Called with the bytes of each burst, in order, when it reaches the analyst; `gap`: bytes are missing before them.
  /// Without it the funnel keeps only the number of bytes.
  using Stream = std::function<void(std::span<const std::uint8_t> bytes, bool gap, Time delivered)>;
  void on_stream(Stream sink);
  /// `probe` observes every change from the last horizon on; null: no probe.
  void attach(TraceProbe* probe);

  /// Gives a source a message of 1 to longest_payload() bytes, which it copies. `at` must not lie before the last
  /// horizon or the source's last message. Throws std::invalid_argument if the message is longer.
  void write(std::uint32_t source, Time at, std::span<const std::uint8_t> payload);
  /// The longest message that fits into the source's FIFO and keeps to the encoding's own limit.
  std::size_t longest_payload(std::uint32_t source) const;

  /// Stops the trace: from the first edge at or after `at`, the links are flushed, and then the buffer is read until it
  /// is empty. `at` must not be before the last horizon, and no message may be written at `at` or later.
  void stop(Time at);
  /// Simulates every write and every edge before `horizon`. Horizons must not decrease.
  void advance(Time horizon);
  /// Runs until all data have left. Without a call of stop(), the trace is stopped at the edge after the first one at
  /// which nothing happens and nothing is pending.
  void finish() { advance(Time::never()); }

  /// Messages that reached the analyst since the last clear, in order, all before the horizon.
  std::span<const DeliveredTrace> delivered() const;
  void clear_delivered();

  /// Counts up to the last horizon.
  TraceFunnelCounts counts() const;
  TraceSourceCounts counts(std::uint32_t source) const;
  Time horizon() const;
  /// Nothing happens before this time if nothing is written; never() if nothing is pending.
  Time next_event() const;

  /// Time at which the source continued after its last message: when the message was written or, if the FIFO was full
  /// and stalls, the edge at which it entered. Empty if that is after the last horizon.
  std::optional<Time> resumed_at(std::uint32_t source) const;
  /// Lower bound of that time, whatever is written; never() if nothing can cause it (a full buffer that is not read).
  Time earliest_resume(std::uint32_t source) const;

  const TraceFunnelDesign& design() const;
  std::size_t sources() const;
  /// Period of the clock.
  Time clock() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace hypermon
