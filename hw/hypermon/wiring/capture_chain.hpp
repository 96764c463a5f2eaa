// SPDX-License-Identifier: BSD-3-Clause
// The monitor hardware of the machine: for every board's inputs an ERB, an ECB and an I/O node with its drain program.
// What drives it is the derived class's business: SystemC modules (TlmChain), or nothing but the bursts themselves
// (CoreChain); both give the same frames, losses and times.
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

/// By how much earlier than board 0 each board saw the common reset: whole clock periods.
std::vector<Time> reset_skews(const Spec& spec);

class CaptureChain {
public:
  struct Observers {
    /// A datum that was lost; reported before any later datum of its node is delivered. `sequence`: n-th of the node.
    std::function<void(NodeId node, const Loss&)> loss;
    /// A datum that the ERB lost or falsified (faults).
    std::function<void(NodeId node, const Fault&)> fault;
    /// The board was reset; its windows are counted from there.
    std::function<void(std::size_t board, Time edge)> reset;
    /// ecb.node_fifo_full = stall: the last strobe of what a node wrote happened at `strobe` (at the port).
    std::function<void(NodeId node, Time strobe)> written;
    /// drain.destination = host: the board's drain program goes on at `at`, for its message has been sent.
    std::function<void(std::size_t board, Time at)> message_sent;
  };

  virtual ~CaptureChain() = default;
  /// Before anything is written.
  void observe(Observers observers) { observers_ = std::move(observers); }

  std::size_t boards() const { return parts_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  const CaptureBoard& board(std::size_t board) const { return *parts_[board].board; }
  /// Tells it what happens on a board from its horizon on; null: nobody.
  void attach(std::size_t board, BoardProbe* probe) { parts_[board].board->attach(probe); }
  /// CaptureBoard::keep_groups() of all.
  void keep_groups() {
    for (const Parts& parts : parts_) parts.board->keep_groups();
  }
  /// Null if the program does nothing that takes time or can fail.
  const DrainProgram* drain_program(std::size_t board) const { return parts_[board].program.get(); }
  /// What a board's I/O node reads, in order.
  virtual void deliver_to(std::size_t board, FrameSink* sink) = 0;

  /// The window in which a node's board captures a strobe, and when the board, by its own count, began with window 0.
  struct Stamp {
    std::uint64_t window;
    Time origin;
  };
  /// A node's way to its board.
  struct Line {
    NodeId node{};
    std::size_t board = 0;
    std::uint32_t input = 0;
    Time window;
    Time to_window; ///< from the strobe at the port to what the board's windows are counted in
    Time reset_at;  ///< of the board, as a strobe at the port; never() if it is not

    Stamp stamp(Time strobe_at_port) const {
      if (strobe_at_port >= reset_at) [[unlikely]]
        return {static_cast<std::uint64_t>((strobe_at_port - reset_at) / window), reset_at_board};
      return {static_cast<std::uint64_t>((strobe_at_port + to_window) / window), {}};
    }
    Time reset_at_board;
  };
  Line line(NodeId node) const;

  /// A node's burst: times at the node's port, data as they lie in a Burst.
  virtual void write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data,
                     bool flag_first) = 0;
  /// For whoever looks at what is delivered, and at the end, alone: drain_to() may leave the last `most` (see
  /// CaptureBoard::may_lag). No more than the chain itself can bear: nothing, where it looks at the boards (keep_up()).
  void may_lag(Time most);
  /// Calls CaptureBoard::keep_in_memory() for all boards.
  void keep_in_memory(std::size_t items) {
    for (const Parts& parts : parts_) parts.board->keep_in_memory(items);
  }
  /// Calls CaptureBoard::deliver_ahead() for all boards, unless they are reset later.
  void deliver_ahead();
  /// The program that writes ends at `at`, or has ended: after it only what has begun by then is written. Before
  /// anything is written that begins later, and before anybody drains to a later horizon.
  void program_ends(Time at);
  Time program_end() const { return program_end_; }
  /// Everything before `horizon`, or before the program's end if that is earlier, is captured and drained.
  void drain_to(Time horizon);
  /// drain.destination = host, where the chain is told of it: the message that is due has been sent at `at`.
  void message_sent(std::size_t board, Time at);
  /// Nothing is written any more; the program's end has been said. A reset that is due later finds the board empty, and
  /// then does not take place, or it is one of what is still inside.
  virtual void finish();

  /// Bytes that the I/O nodes have read over the PBX.
  std::uint64_t bytes_read() const;
  /// Calls f(node, data) for nodes whose input has an incomplete word of so many data.
  void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const;
  /// Sums over all boards, resets or not; the peak and the first overrun are those of the worst board.
  Counts counts() const;
  /// What two masters of the PBX had of it, of all boards.
  struct Contention {
    Time drain_waited;        ///< the drain programs' accesses, for the bus
    Time longest_wait;        ///< of one of them
    std::uint64_t bursts = 0; ///< of the second masters
    Time second_waited;       ///< these, for the bus
  };
  /// Nothing if there is one master.
  virtual std::optional<Contention> contention() const { return std::nullopt; }

protected:
  /// `event_types`: of a node, for the statistics of drain.reduction.
  CaptureChain(const Spec& spec, std::size_t event_types);

  std::size_t nodes_of(std::size_t board) const { return std::min(inputs_, nodes_ - board * inputs_); }
  /// Takes a board in: gives it its drain program, its faults and what watches it. All outlive the chain; `faults` may
  /// be null. Once for each board, in order.
  void equip(const Spec& spec, CaptureBoard& board, StrobeFaults* faults);
  /// Whether a bus fails the words that are read, or the board has to (CaptureBoard::fail_reads()).
  virtual bool bus_fails_words() const { return false; }
  /// Everything before `horizon` is captured and drained on one board.
  virtual void drain_board(std::size_t board, Time horizon) = 0;
  /// The board is reset by its I/O node's program, at the time to which it was drained.
  virtual void reset_board(std::size_t board, Time at) { parts_[board].board->write_control(control_bits::reset, at); }
  /// Resets the board if that is due before `horizon`, to which nobody has drained it yet.
  void reset_due(std::size_t board, Time horizon);
  /// The time of the reset of all boards; never() if there is none.
  Time reset_at() const { return reset_at_ > 0_ps ? reset_at_ : Time::never(); }
  /// The time of the reset that is still to come; never() if there is none.
  Time next_reset(std::size_t board) const {
    return reset_at_ == 0_ps || parts_[board].reset_done ? Time::never() : reset_at_;
  }
  /// From now on the derived class looks at what its boards have strobed and read: they lag no more, whatever
  /// may_lag() says.
  void keep_up();

  CaptureBoard& board_of(const Line& line) { return *parts_[line.board].board; }
  /// Of a message to the host that meets no other, from when it is due until the program goes on.
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
    Counts before_reset{}; // a board forgets
  };
  std::size_t event_types_;
  std::size_t nodes_;
  std::size_t inputs_;
  Time reset_at_;           // of all boards; 0: never
  std::vector<Time> skews_; // by board
  Time unloaded_message_;
  Time program_end_ = Time::never();
  bool keeps_up_ = false;
  std::vector<Parts> parts_;
};

} // namespace hypermon
