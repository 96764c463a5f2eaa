// Waves of a recorded run: its bursts through the monitor hardware, watched within a window of time; and where to look.
#pragma once
#include "hw/core/burst_rows.hpp"
#include "platforms/ipsc2/core_chain.hpp"
#include "waves/board_waves.hpp"
#include "waves/vcd_writer.hpp"
#include <optional>

namespace hypermon {

/// The hardware fed with rows, in steps of time.
class FedChain {
public:
  explicit FedChain(const Spec& spec);

  CoreChain& chain() { return chain_; }
  /// Writes the rows; calls reached(t) for times t that have been reached, at most `step` apart, which changes as time
  /// goes on; true if no more rows are wanted. Everything before t can be done, and nothing from t on has been written.
  template <class Reached> bool add(const BurstRows& rows, Reached&& reached) {
    order_.check(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Time first = Time::from_ps(rows.first_ps[i]);
      if (reached(first)) return true;
      write(rows, i);
    }
    return false;
  }

private:
  void write(const BurstRows& rows, std::size_t i);

  RowsInOrder order_;
  CoreChain chain_;
  std::vector<CaptureChain::Line> lines_; // by node
};

/// All signals of the machine's boards, in the order of the waves.
std::vector<Signal> signals_of(const Spec& spec);

class WaveReplay {
public:
  /// Changes from `from` on and before `to` go to `path`. The specification can be replayed (acts_back()).
  WaveReplay(const Spec& spec, const std::string& path, Time from, Time to, const std::vector<bool>& wanted);

  /// Throws std::invalid_argument (RowsInOrder, a node that is not there), std::runtime_error (VcdWriter).
  void add(const BurstRows& rows);
  /// The window is over: no more rows are needed.
  bool done() const { return done_; }
  /// How many transitions of each signal were written; those at the beginning are the values at `from`.
  const std::vector<std::uint64_t>& finish();

private:
  bool reached(Time time);
  void attach();
  void drain_to(Time horizon);
  void write_before(Time horizon);

  Time from_;
  Time to_;
  FedChain fed_;
  std::vector<std::unique_ptr<BoardWaves>> boards_;
  std::vector<std::uint32_t> first_signals_; // by board
  VcdWriter writer_;
  std::vector<Change> merged_;
  Time next_;
  Time written_;
  bool attached_ = false;
  bool done_ = false;
};

/// What to look for: the first loss of a datum, of one cause or of any, or the first time that a frame FIFO holds more
/// than `above` frames.
struct WaveTrigger {
  std::optional<LossCause> cause;
  std::optional<std::uint64_t> above;
};

class TriggerSearch {
public:
  /// `watch_from`: the trigger does not happen before, and is wanted to the edge from then on.
  TriggerSearch(const Spec& spec, const WaveTrigger& trigger, std::optional<Time> watch_from = {});
  ~TriggerSearch();

  void add(const BurstRows& rows);
  bool done() const { return done_; }
  void finish();

  struct Found {
    Time time;
    bool exact; ///< else not before that time: search again and watch from there
    std::size_t board;
  };
  std::optional<Found> found() const { return found_; }

private:
  class Watch;
  bool reached(Time time);
  void watch();
  void look_at_peaks();
  void found(Time time, bool exact, std::size_t board);

  WaveTrigger trigger_;
  FedChain fed_;
  std::vector<std::unique_ptr<Watch>> watches_; // by board
  std::optional<Time> watch_from_;
  std::optional<Found> found_;
  Time drained_;
  Time next_;
  bool done_ = false;
};

} // namespace hypermon
