// SPDX-License-Identifier: BSD-3-Clause
// Captures waves during a run, around a trigger that has not happened yet, in bounded memory.
//
// The nodes' bursts go to replays of the hardware that run beside the run's own hardware. One replay finds the trigger;
// the other lags behind by the wanted time before it. Nothing is written until the trigger has happened, and nothing is
// kept that is older than `pre` and the step by which the run advances. The replays capture stretches of windows at
// once until they are watched.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include "sw/monitors/hypermon/burst_sink.hpp"
#include "sw/monitors/hypermon/waves/wave_replay.hpp"
#include <deque>

namespace hypermon {

struct WaveRequest {
  std::string path;                   ///< path of the VCD file
  std::vector<bool> wanted;           ///< by signal
  std::optional<WaveTrigger> trigger; ///< from `pre` before it until `post` after it; none: from `from` until `to`
  Time pre, post;
  Time from, to;
};

class WaveCapture : public BurstSink {
public:
  WaveCapture(const Spec& spec, const WaveRequest& request);

  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  void message_sent(std::size_t board, Time at) override;
  void advance(Time horizon) override;
  void close(Time program_end) override;

  /// The written window, after close(); none if the trigger never happened.
  struct Written {
    Time from, to;
    std::optional<TriggerSearch::Found> trigger;
    std::vector<std::uint64_t> transitions; ///< by signal
  };
  const std::optional<Written>& written() const { return written_; }

private:
  struct Row {
    Time first; // first strobe, or time at which the message was sent
    Time spacing;
    std::uint32_t node; // or the board
    std::uint8_t bytes; // 0: a message
    std::array<std::uint8_t, max_hardware_nibbles> data;
    bool operator<(const Row& other) const { return first != other.first ? first < other.first : node < other.node; }
  };
  /// A reader of the rows, and the number of rows that it has read.
  template <class Reader> struct At {
    template <class... Arguments> explicit At(const Arguments&... arguments) : reader(arguments...) {}
    Reader reader;
    std::uint64_t row = 0;
  };
  void sort_before(Time horizon);
  template <class Reader> void play(At<Reader>& at, Time horizon);
  void look(Time horizon);
  void forget();

  WaveRequest request_;
  std::vector<Row> pending_;
  std::deque<Row> rows_; // in order
  std::uint64_t forgotten_ = 0;
  At<WaveReplay> waves_;
  std::optional<At<TriggerSearch>> first_; // has read all rows
  std::optional<At<TriggerSearch>> exact_; // a step behind: finds the exact edge in the step that `first_` found
  std::optional<TriggerSearch::Found> trigger_;
  std::optional<Written> written_;
};

} // namespace hypermon
