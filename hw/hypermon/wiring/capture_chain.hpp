// SPDX-License-Identifier: BSD-3-Clause
// The monitor hardware of the machine: for every board's inputs an ERB, an ECB and an I/O node with its drain program.
// The derived class drives it with SystemC modules (TlmChain) or directly with the bursts (CoreChain); both give the
// same frames, losses and times.
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hypermon {

/// Lead of each board's reset over that of board 0, in whole clock periods.
std::vector<Time> reset_skews(const Spec& spec);

class CaptureChain {
public:
  struct Observers {
    /// A datum was lost. Called before any later datum of its node is delivered. `sequence`: its number at the node.
    std::function<void(NodeId node, const Loss&)> loss;
    /// The ERB lost or falsified a datum (faults).
    std::function<void(NodeId node, const Fault&)> fault;
    /// The board was reset. Its windows count from `edge`.
    std::function<void(std::size_t board, Time edge)> reset;
    /// ecb.node_fifo_full = stall: the last strobe that a node has written happened at `strobe` (at the port).
    std::function<void(NodeId node, Time strobe)> written;
    /// drain.destination = host: the board's drain program continues at `at`, because its message has been sent.
    std::function<void(std::size_t board, Time at)> message_sent;
  };

  virtual ~CaptureChain() = default;
  /// To be called before the first write.
  void observe(Observers observers) { observers_ = std::move(observers); }

  std::size_t boards() const { return parts_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  const CaptureBoard& board(std::size_t board) const { return *parts_[board].board; }
  /// `probe` observes a board from its horizon on; null: no probe.
  void attach(std::size_t board, BoardProbe* probe) { parts_[board].board->attach(probe); }
  /// Calls CaptureBoard::keep_groups() for all boards.
  void keep_groups() {
    for (const Parts& parts : parts_) parts.board->keep_groups();
  }
  /// Null if the program does nothing that takes time or can fail.
  const DrainProgram* drain_program(std::size_t board) const { return parts_[board].program.get(); }
  /// `sink` receives the frames that a board's I/O node reads, in order.
  virtual void deliver_to(std::size_t board, FrameSink* sink) = 0;

  /// The window in which a node's board captures a strobe, and the begin of window 0 by the board's own count.
  struct Stamp {
    std::uint64_t window;
    Time origin;
  };
  /// Path from a node to its board.
  struct Line {
    NodeId node{};
    std::size_t board = 0;
    std::uint32_t input = 0;
    Time window;
    Time to_window; ///< from the strobe at the port to the time that the board's windows count from
    Time reset_at;  ///< time of the board's reset, as that of a strobe at the port; never() if there is no reset

    Stamp stamp(Time strobe_at_port) const {
      if (strobe_at_port >= reset_at) [[unlikely]]
        return {static_cast<std::uint64_t>((strobe_at_port - reset_at) / window), reset_at_board};
      return {static_cast<std::uint64_t>((strobe_at_port + to_window) / window), {}};
    }
    Time reset_at_board;
  };
  Line line(NodeId node) const;

  /// A node's burst: times at the node's port, data in the layout of Burst.
  virtual void write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data,
                     bool flag_first) = 0;
  /// For callers that inspect only delivered frames and the final state: drain_to() may leave the last `most` pending
  /// (see CaptureBoard::may_lag). The chain reduces this to what it can tolerate: nothing if it observes the boards
  /// (keep_up()).
  void may_lag(Time most);
  /// Calls CaptureBoard::keep_in_memory() for all boards.
  void keep_in_memory(std::size_t items) {
    for (const Parts& parts : parts_) parts.board->keep_in_memory(items);
  }
  /// Calls CaptureBoard::deliver_ahead() for all boards, unless they are reset later.
  void deliver_ahead();
  /// The writing program ends at `at`, or has ended: afterwards only writes that have begun are completed. To be called
  /// before any later burst is written and before draining to a later horizon.
  void program_ends(Time at);
  Time program_end() const { return program_end_; }
  /// Captures and drains everything before `horizon`, or before the program's end if that is earlier.
  void drain_to(Time horizon);
  /// drain.destination = host, where the caller sends the messages: the message that is due has been sent at `at`.
  void message_sent(std::size_t board, Time at);
  /// Ends the run after the last write; the program's end must be known. A later reset has no effect on an empty board,
  /// and discards what is still inside otherwise.
  virtual void finish();

  /// Number of bytes that the I/O nodes have read over the PBX.
  std::uint64_t bytes_read() const;
  /// Calls f(node, data) for each node whose input has an incomplete word of `data` data.
  void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const;
  /// Sums over all boards and across resets; the peak and the first overrun are those of the worst board.
  Counts counts() const;
  /// Waiting times of the PBX's masters, over all boards.
  struct Contention {
    Time drain_waited;        ///< total time that the drain programs' accesses waited for the bus
    Time longest_wait;        ///< longest wait of one of these accesses
    std::uint64_t bursts = 0; ///< bursts of the second masters
    Time second_waited;       ///< total time that the second masters waited for the bus
  };
  /// Empty if the bus has one master.
  virtual std::optional<Contention> contention() const { return std::nullopt; }

protected:
  /// `event_types`: number of a node's event types, for the statistics of drain.reduction.
  CaptureChain(const Spec& spec, std::size_t event_types);

  std::size_t nodes_of(std::size_t board) const { return std::min(inputs_, nodes_ - board * inputs_); }
  /// Adds a board with its drain program, its faults and its observers, all of which must outlive the chain. `faults`
  /// may be null. To be called once for each board, in order.
  void equip(const Spec& spec, CaptureBoard& board, StrobeFaults* faults);
  /// Whether a bus makes words fail. Otherwise the board must (CaptureBoard::fail_reads()).
  virtual bool bus_fails_words() const { return false; }
  /// Captures and drains everything before `horizon` on one board.
  virtual void drain_board(std::size_t board, Time horizon) = 0;
  /// The I/O node's program resets the board, at the time to which it was drained.
  virtual void reset_board(std::size_t board, Time at) { parts_[board].board->write_control(control_bits::reset, at); }
  /// Resets the board if that is due before `horizon`. The board must not have been drained to `horizon` yet.
  void reset_due(std::size_t board, Time horizon);
  /// The time of the reset of all boards; never() if there is none.
  Time reset_at() const { return reset_at_ > 0_ps ? reset_at_ : Time::never(); }
  /// The time of the reset that is still to come; never() if there is none.
  Time next_reset(std::size_t board) const {
    return reset_at_ == 0_ps || parts_[board].reset_done ? Time::never() : reset_at_;
  }
  /// From now on the derived class observes the strobes and reads of its boards, so they no longer lag, whatever
  /// may_lag() allows.
  void keep_up();

  CaptureBoard& board_of(const Line& line) { return *parts_[line.board].board; }
  /// Time of a message to the host without contention, from when it is due until the program continues.
  Time unhindered_message(std::size_t board) const { return parts_[board].program->send_time() + unloaded_message_; }
  DrainProgram* program(std::size_t board) { return parts_[board].program.get(); }

  Time propagation_;
  Observers observers_;

private:
  struct Parts {
    CaptureBoard* board;
    std::unique_ptr<DrainProgram> program; // null: it does nothing that takes time or can fail
    Time window;
    bool reset_done = false;
    Counts before_reset{}; // counts before the reset, which the board itself clears
  };
  std::size_t event_types_;
  std::size_t nodes_;
  std::size_t inputs_;
  Time reset_at_;           // time of the reset of all boards; 0: no reset
  std::vector<Time> skews_; // by board
  Time unloaded_message_;
  Time program_end_ = Time::never();
  bool keeps_up_ = false;
  std::vector<Parts> parts_;
};

} // namespace hypermon
