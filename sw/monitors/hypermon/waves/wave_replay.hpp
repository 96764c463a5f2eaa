// SPDX-License-Identifier: BSD-3-Clause
// Waves of a recorded run: its bursts pass through the monitor hardware, which is watched within a time window. Also
// finds the trigger of such a window.
#pragma once
#include "base/vcd_writer.hpp"
#include "hw/hypermon/core/burst_rows.hpp"
#include "hw/hypermon/wiring/core_chain.hpp"
#include "sw/monitors/hypermon/waves/board_waves.hpp"
#include "sw/monitors/hypermon/waves/node_waves.hpp"
#include <optional>

namespace hypermon {

/// A burst in the form that the waves use; times are at the node's port.
struct PortBurst {
  std::uint32_t node;
  Time first;
  Time spacing;
  std::span<const std::uint8_t> data;
};

/// The hardware, fed with bursts of all nodes.
class FedChain {
public:
  explicit FedChain(const Spec& spec);

  CoreChain& chain() { return chain_; }
  /// Throws std::invalid_argument if there is no such node.
  void write(const PortBurst& burst);

private:
  /// Drops the boards' frames.
  struct Nobody : FrameSink {
    void frames(std::span<const DeliveredFrame>) override {}
    void stretch(const Stretch&) override {}
  };
  CoreChain chain_;
  Nobody nobody_;
  std::vector<CaptureChain::Line> lines_; // by node
};

/// Calls f(burst) for each row, in order, until it returns true. Returns whether it did. Throws std::invalid_argument
/// (RowsInOrder).
template <class F> bool each_burst(RowsInOrder& order, const BurstRows& rows, F&& f) {
  order.check(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto begin = static_cast<std::size_t>(rows.offsets[i]);
    const auto end = static_cast<std::size_t>(rows.offsets[i + 1]);
    if (f(PortBurst{rows.node[i], Time::from_ps(rows.first_ps[i]), Time::from_ps(rows.spacing_ps[i]),
                    rows.data.subspan(begin, end - begin)}))
      return true;
  }
  return false;
}

/// All signals of the machine's boards, in the order of the waves: those of a replay if it can have waves, otherwise
/// those of a run's modules.
std::vector<Signal> signals_of(const Spec& spec);

class WaveReplay {
public:
  /// Writes the changes of the `wanted` signals to `path`.
  WaveReplay(const Spec& spec, std::string path, const std::vector<bool>& wanted);
  WaveReplay(const WaveReplay&) = delete;
  WaveReplay& operator=(const WaveReplay&) = delete;

  /// Selects the window from `from` on and before `to`. No later data may have been added yet. Throws
  /// std::runtime_error (VcdWriter).
  void window(Time from, Time to);
  /// Adds the next bursts in the order of their first strobes. Throws std::invalid_argument (RowsInOrder, or a node
  /// that does not exist).
  void add(const BurstRows& rows);
  /// Adds one burst; returns true if the window is over.
  bool add(const PortBurst& burst);
  /// CaptureChain::message_sent(), in its place among the bursts.
  void message_sent(std::size_t board, Time at);
  /// CaptureChain::program_ends()
  void program_ends(Time at) { fed_.chain().program_ends(at); }
  /// True if no more bursts are needed.
  bool done() const { return done_; }
  /// Number of transitions of each signal; those at the begin are the values at `from`. Call once, after window().
  const std::vector<std::uint64_t>& finish();

private:
  /// The waves of one part, and the numbers of its signals in the file.
  struct Part {
    std::unique_ptr<BoardWaves> waves;
    std::vector<std::uint32_t> numbers;
  };
  void reached(Time time);
  void attach();
  void drain_to(Time horizon);
  void write_before(Time horizon);
  void take(std::vector<Change>& changes, const std::vector<std::uint32_t>& numbers);

  Spec spec_;
  std::string path_;
  std::vector<bool> wanted_;
  Time from_ = Time::never();
  Time to_ = Time::never();
  RowsInOrder order_;
  FedChain fed_;
  NodeWaves nodes_;
  std::vector<std::uint32_t> node_numbers_;
  std::vector<Part> boards_;
  std::vector<std::pair<std::size_t, Fault>> faults_; // faults that may still happen, with their boards
  std::unique_ptr<VcdWriter> writer_;
  std::vector<Change> merged_;
  Time next_;
  Time written_;
  bool attached_ = false;
  bool done_ = false;
};

/// Condition of a trigger: the first loss of a datum, for one cause or any; the first time that a frame FIFO holds more
/// than `above` frames; the first event of that type that a node emits; or the first difference between a user's board
/// and the model (ecb.lockstep).
struct WaveTrigger {
  std::optional<LossCause> cause{};
  std::optional<std::uint64_t> above{};
  struct OfNode {
    std::uint32_t node;
    EventType type;
  };
  std::optional<OfNode> event{};
  bool difference = false;
};

/// Makes a trigger from the names of its subject; without any, the first loss. Throws std::invalid_argument.
WaveTrigger wave_trigger(const Spec& spec, const std::optional<std::string>& cause, std::optional<std::uint64_t> above,
                         const std::optional<std::pair<std::uint32_t, std::string>>& event);

class TriggerSearch {
public:
  /// `watch_from`: the trigger does not happen before, and its exact edge is determined from then on.
  TriggerSearch(const Spec& spec, const WaveTrigger& trigger, std::optional<Time> watch_from = {});
  ~TriggerSearch();
  TriggerSearch(const TriggerSearch&) = delete;
  TriggerSearch& operator=(const TriggerSearch&) = delete;

  /// Adds the next bursts in the order of their first strobes, as in WaveReplay.
  void add(const BurstRows& rows);
  bool add(const PortBurst& burst);
  void message_sent(std::size_t board, Time at);
  /// All bursts first strobed before `horizon` have been added. Returns whether the trigger happened before it.
  bool advance(Time horizon);
  void program_ends(Time at) { fed_.chain().program_ends(at); }
  /// Determines the exact edge from now on.
  void watch_from(Time time) { watch_from_ = time; }
  bool done() const { return done_; }
  void finish();

  struct Found {
    Time time;
    bool exact; ///< false: not before that time; search again with watch_from() at that time
    std::size_t board;
  };
  std::optional<Found> found() const { return found_; }

private:
  class Watch;
  void reached(Time time);
  void watch();
  void look_at_peaks();
  void found(Time time, bool exact, std::size_t board);

  WaveTrigger trigger_;
  std::size_t inputs_;
  Catalogue catalogue_;
  std::int64_t width_bits_;
  RowsInOrder order_;
  FedChain fed_;
  std::vector<std::unique_ptr<Watch>> watches_; // by board
  std::optional<Time> watch_from_;
  std::optional<Found> found_;
  Time drained_;
  Time next_;
  bool done_ = false;
};

} // namespace hypermon
