// SPDX-License-Identifier: BSD-3-Clause
// The waves of one capture board and the stages behind it, with changes at exactly the clock edges that the contract
// prescribes (spec secs. 1 to 3). Names and hierarchy are those of the SystemC design
// (hw/hypermon/wiring/tlm_chain.cpp).
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "sw/monitors/hypermon/waves/signal_values.hpp"
#include <functional>
#include <queue>

namespace hypermon {

/// The properties of a board that its waves need.
struct BoardShape {
  std::string name;    ///< name of its scope
  std::size_t inputs;  ///< with a node
  std::uint32_t width; ///< width of a datum
  EcbParams ecb;
  PbxParams pbx;
  bool is_bus_apart = false; ///< the signals of the bus come from elsewhere
};

/// Numbers of a board's signals in the order of board_signals().
class BoardSignals {
public:
  explicit BoardSignals(const BoardShape& shape);
  const std::vector<Signal>& all() const { return all_; }

  struct Line { // signals of one input
    std::uint32_t strobe, data;
    std::uint32_t aliasing, node_overrun, lost, held, fifo;
  };
  std::vector<Line> lines;
  std::uint32_t timestamp, vector;
  std::uint32_t vectors, vector_lost;
  std::uint32_t builder, builder_vector, builder_timestamp;
  std::uint32_t frames, frame_built, frame_lost, oldest_lost;
  std::uint32_t status, reset;
  std::array<std::uint32_t, loss_causes> losses;
  std::uint32_t data_lost;
  std::array<std::uint32_t, fault_kinds> faults;
  std::uint32_t bus_register, bus_word, bus_word_end, control_written, status_read, count_read;
  std::uint32_t reader, reader_word, reader_group, reader_look;

private:
  std::uint32_t add(std::string path, Signal::Kind kind, unsigned bits = 1, std::vector<std::string> names = {});
  std::string scope_;
  std::vector<Signal> all_;
};

/// Derives every change from the state of the board before and after each step.
class BoardWaves : public BoardProbe {
public:
  /// Waves of the `wanted` signals, from `from` on and before `to`.
  BoardWaves(const BoardShape& shape, const std::vector<bool>& wanted, Time from, Time to);

  const BoardSignals& signals() const { return signals_; }
  /// Begins at the board's horizon, which must not be after `from`.
  void begin(const CaptureBoard& board);
  void strobe(std::uint32_t input, Time time, std::uint32_t datum) override;
  void changed(Time time, const BoardState& state) override;
  /// A datum was lost (CaptureBoard::on_loss()).
  void lost(const Loss& loss);
  /// A datum was lost or falsified on its way to the board (CaptureChain::Observers), at the ERB's input.
  void fault(const Fault& fault);
  /// Everything before `horizon` has been reported.
  void advance(Time horizon);
  /// All definite changes since the last call to clear(), in order.
  std::vector<Change>& changes() { return values_.changes(); }

private:
  void go_to(Time time);
  void timestamp_changes(Time time);
  void show(Time time, const BoardState& state);
  void show_reader(const BoardState& state);
  void start_reading(const EventFrame& frame, Time end);
  void read_word();

  BoardSignals signals_;
  SignalValues values_;
  Time from_;
  Time to_;
  FrameFormat format_;
  Time window_;
  Time word_;
  std::uint64_t timestamp_mask_;
  bool oldest_goes_;
  bool is_bus_apart_;

  BoardState before_;
  std::uint64_t data_lost_ = 0;
  Time next_timestamp_ = Time::never();
  Time reader_free_ = Time::never(); // time at which the reader becomes idle without another event
  std::array<std::uint32_t, FrameFormat::max_words> words_{}; // words of the frame that is being read
  std::size_t word_count_ = 0;
  std::size_t words_read_ = 0;
  Time read_begin_;
  Time next_word_end_ = Time::never();
  using AtTime = std::pair<Time, std::uint32_t>; // time at which a signal's event happens
  std::priority_queue<AtTime, std::vector<AtTime>, std::greater<>> faults_;
};

} // namespace hypermon
