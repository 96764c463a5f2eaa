// SPDX-License-Identifier: BSD-3-Clause
// Waves of a recorded run: its bursts through the monitor hardware, watched within a window of time; and where to look.
#pragma once
#include "base/vcd_writer.hpp"
#include "hw/hypermon/core/burst_rows.hpp"
#include "hw/hypermon/wiring/core_chain.hpp"
#include "sw/monitors/hypermon/waves/board_waves.hpp"
#include "sw/monitors/hypermon/waves/node_waves.hpp"
#include <optional>

namespace hypermon {

/// A burst as the waves keep it; times are at the node's port.
struct PortBurst {
  std::uint32_t node;
  Time first;
  Time spacing;
  std::span<const std::uint8_t> data;
};

/// The hardware fed with bursts of all nodes.
class FedChain {
public:
  explicit FedChain(const Spec& spec);

  CoreChain& chain() { return chain_; }
  /// Throws std::invalid_argument if there is no such node.
  void write(const PortBurst& burst);

private:
  /// Boards keep frames that nobody takes.
  struct Nobody : FrameSink {
    void frames(std::span<const DeliveredFrame>) override {}
    void stretch(const Stretch&) override {}
  };
  CoreChain chain_;
  Nobody nobody_;
  std::vector<CaptureChain::Line> lines_; // by node
};

/// Calls f(burst) for each row, in order, until it returns true; did it? Throws std::invalid_argument (RowsInOrder).
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

/// All signals of the machine's boards, in the order of the waves.
std::vector<Signal> signals_of(const Spec& spec);

class WaveReplay {
public:
  /// Changes of what is `wanted` go to `path`.
  WaveReplay(const Spec& spec, std::string path, const std::vector<bool>& wanted);
  WaveReplay(const WaveReplay&) = delete;
  WaveReplay& operator=(const WaveReplay&) = delete;

  /// From `from` on and before `to`, of which nothing has been told yet. Throws std::runtime_error (VcdWriter).
  void window(Time from, Time to);
  /// The next bursts in the order of their first strobes. Throws std::invalid_argument (RowsInOrder, a node that is not
  /// there).
  void add(const BurstRows& rows);
  /// One of them; true if the window is over.
  bool add(const PortBurst& burst);
  /// CaptureChain::message_sent(), in its place among the bursts.
  void message_sent(std::size_t board, Time at);
  /// CaptureChain::program_ends()
  void program_ends(Time at) { fed_.chain().program_ends(at); }
  /// No more is needed.
  bool done() const { return done_; }
  /// How many transitions of each signal were written; those at the beginning are the values at `from`. Once, after
  /// window().
  const std::vector<std::uint64_t>& finish();

private:
  /// The waves of one part and the numbers that its signals have in the file.
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
  std::vector<std::pair<std::size_t, Fault>> faults_; // that may still come, and their boards
  std::unique_ptr<VcdWriter> writer_;
  std::vector<Change> merged_;
  Time next_;
  Time written_;
  bool attached_ = false;
  bool done_ = false;
};

/// What to look for: the first loss of a datum, of one cause or of any; the first time that a frame FIFO holds more
/// than `above` frames; or the first event of that type that a node emits.
struct WaveTrigger {
  std::optional<LossCause> cause{};
  std::optional<std::uint64_t> above{};
  struct OfNode {
    std::uint32_t node;
    EventType type;
  };
  std::optional<OfNode> event{};
};

/// One of the three by the names of what it is about, or, without any, the first loss. Throws std::invalid_argument.
WaveTrigger wave_trigger(const Spec& spec, const std::optional<std::string>& cause, std::optional<std::uint64_t> above,
                         const std::optional<std::pair<std::uint32_t, std::string>>& event);

class TriggerSearch {
public:
  /// `watch_from`: the trigger does not happen before, and is wanted to the edge from then on.
  TriggerSearch(const Spec& spec, const WaveTrigger& trigger, std::optional<Time> watch_from = {});
  ~TriggerSearch();
  TriggerSearch(const TriggerSearch&) = delete;
  TriggerSearch& operator=(const TriggerSearch&) = delete;

  /// The next bursts in the order of their first strobes, as in WaveReplay.
  void add(const BurstRows& rows);
  bool add(const PortBurst& burst);
  void message_sent(std::size_t board, Time at);
  /// All bursts first strobed before `horizon` have been added: is the trigger among what happens before?
  bool advance(Time horizon);
  void program_ends(Time at) { fed_.chain().program_ends(at); }
  /// It is wanted to the edge from now on.
  void watch_from(Time time) { watch_from_ = time; }
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
