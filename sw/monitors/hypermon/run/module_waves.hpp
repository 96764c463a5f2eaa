// SPDX-License-Identifier: BSD-3-Clause
// Waves of a run's own modules, written while it runs: where the boards follow SystemC's time, or where the I/O node
// shares the bus (has_waves_of_modules()).
//
// The modules report changes at SystemC's time, some a little later (a loss at the clock edge after its strobe) or
// earlier (the end of a word on the bus). Each is put in order by its own time, and passed on when no earlier one can
// follow.
#pragma once
#include "hw/cosim/each_instant.hpp"
#include "hw/hypermon/wiring/board_chain.hpp"
#include "hw/hypermon/wiring/chain_watch.hpp"
#include "sw/instrumentation/catalogue.hpp"
#include "sw/monitors/hypermon/burst_sink.hpp"
#include "sw/monitors/hypermon/waves/module_signals.hpp"
#include "sw/monitors/hypermon/waves/node_waves.hpp"
#include "sw/monitors/hypermon/waves/run_waves.hpp"
#include "sw/monitors/hypermon/waves/window_writer.hpp"

#include <memory>
#include <queue>

namespace hypermon {

class ModuleWaves final : public BurstSink, public ChainWatch {
public:
  /// `request` is the one from Python. Throws UserError.
  ModuleWaves(const Spec& spec, const Json& request, std::string path);
  ~ModuleWaves() override;

  /// Begins, when the chain has been made and is observed. Throws UserError for a glob that names no signal.
  void start(CaptureChain& chain);
  /// Writes the rest, after the chain has finished.
  void finish();
  /// Like waves_written(), with the additional keys "is_cut", "signals" and "wanted".
  Json written() const;

  // BurstSink
  void add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t message,
           MessageSide side) override;
  void advance(Time) override {}
  void close(Time) override {}

  // ChainWatch
  BusWatch& bus(std::size_t board) override;
  const std::string& board_object() const override { return board_object_; }
  TracedSignals& signals(std::size_t board) override;
  void reader(std::size_t board, const Reader& reader) override;
  void strobe(std::size_t board, std::uint32_t input, Time at, std::uint32_t datum) override;
  void frames_waiting(std::size_t board, std::uint64_t frames) override;
  void lockstep(std::size_t board, LockstepModel& model) override;
  void frame_read(std::size_t board, const EventFrame& frame, Time end) override;
  void differs(std::size_t board, Time window) override;

private:
  class Board;
  /// A change of a signal of a board's modules.
  struct Update {
    Time time;
    std::uint64_t order;
    const Board* board;
    std::uint32_t signal;
    std::uint64_t value;
    bool operator<(const Update& other) const { return time != other.time ? time > other.time : order > other.order; }
  };
  void put(const Board& board, Time time, std::uint32_t signal, std::uint64_t value);
  void forget_after(const Board& board, Time time);
  void start_models();
  /// True if the window is over, so that nothing more is shown.
  bool is_over() const;
  void detach();
  void put_frame(const Board& board, const ModuleSignals::Frames& signals, const EventFrame& frame, Time end);
  void find_trigger(Time until);
  void lost(NodeId node, std::optional<LossCause> cause, Time at);
  void at_instant();
  void settle(Time until);
  void take(std::vector<Change>& changes, const std::vector<std::uint32_t>& numbers, Time until);
  std::vector<WindowWriter::Trigger> triggers() const;

  Spec spec_;
  WaveRequest request_;
  WindowWriter::Limits limits_;
  std::vector<std::string> only_;
  std::string board_object_;
  std::size_t inputs_;
  Catalogue catalogue_;
  std::vector<std::unique_ptr<Board>> boards_;
  BoardChain* own_chain_ = nullptr; // hypermon's boards
  ModuleLayout layout_;
  std::optional<NodeWaves> nodes_;
  std::priority_queue<Update> updates_;
  std::uint64_t order_ = 0;
  std::vector<std::uint32_t> module_numbers_; // numbers of the file's signals among the modules' values
  std::optional<SignalValues> values_;        // values of all boards' modules
  std::optional<WindowWriter> writer_;
  std::optional<Time> event_at_; // time of the event that is the trigger
  struct Difference {
    Time window, seen;
    std::size_t board;
  };
  std::optional<Difference> difference_; // the first one
  std::vector<Change> merged_;
  Time lag_;
  Time next_settle_;
  std::unique_ptr<EachInstant> instants_;
};

} // namespace hypermon
