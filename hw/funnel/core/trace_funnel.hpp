// SPDX-License-Identifier: BSD-3-Clause
// A trace funnel: sources whose messages share links, a formatter and a sink (docs/design/funnel.md has the contract).
//
//   messages -> source FIFOs -> ports -> links -> funnels (a tree) -> formatter -> buffer -> bursts -> analyst
//
// Edge by edge where something happens: work grows with words and bursts, never with idle cycles, and every result is
// that of the cycle-by-cycle contract.
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

  // Before anything is written.
  /// Called once for each message that is lost, in the order of the edges and writes at which that is known.
  void on_loss(std::function<void(const LostTrace&)> sink);
  /// Called with the bytes of each burst, in order, as it reaches the analyst; `gap`: bytes are missing before them.
  /// Without it the funnel keeps no bytes, only their number.
  using Stream = std::function<void(std::span<const std::uint8_t> bytes, bool gap, Time delivered)>;
  void on_stream(Stream sink);
  /// Tells it of everything from the last horizon on; null: nobody.
  void attach(TraceProbe* probe);

  /// A source is given a message of 1 to longest_payload() bytes, which it copies; neither before the last horizon nor
  /// before the source's last message. Throws std::invalid_argument if it is longer.
  void write(std::uint32_t source, Time at, std::span<const std::uint8_t> payload);
  /// The longest message that fits into the source's FIFO and keeps to the encoding's own limit.
  std::size_t longest_payload(std::uint32_t source) const;

  /// The trace is stopped: from the first edge at or after `at` on the links are flushed, and then the buffer is read,
  /// until nothing is left inside. Not before the last horizon; nothing is written at `at` or later.
  void stop(Time at);
  /// Every write and every edge before `horizon` is done. Horizons do not decrease.
  void advance(Time horizon);
  /// Until nothing is left inside. If nobody has said when the trace is stopped, it is at the edge after the first one
  /// at which nothing happens and nothing is to come.
  void finish() { advance(Time::never()); }

  /// Messages that reached the analyst since the last clear, in order, all before the horizon.
  std::span<const DeliveredTrace> delivered() const;
  void clear_delivered();

  /// As of the last horizon.
  TraceFunnelCounts counts() const;
  TraceSourceCounts counts(std::uint32_t source) const;
  Time horizon() const;
  /// Before this nothing happens, if nothing is written; never() if nothing is to come.
  Time next_event() const;

  /// When the source went on after its last message: when that was written, or, if its FIFO was full and it stalls,
  /// the edge at which it entered. Nothing if that is still to come, as of the last horizon.
  std::optional<Time> went_on(std::uint32_t source) const;
  /// Not before this does it, whatever is written; never() if nothing lets it (a full buffer that nobody reads).
  Time earliest_going_on(std::uint32_t source) const;

  const TraceFunnelDesign& design() const;
  std::size_t sources() const;
  /// A period of the clock.
  Time clock() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace hypermon
