// SPDX-License-Identifier: BSD-3-Clause
// The monitor hardware of the machine: for every board's inputs an ERB, a capture board and an I/O node with its drain
// program. The boards are hypermon's (BoardChain) or the user's (OwnBoardChain).
#pragma once
#include "base/losses.hpp"
#include "base/spec.hpp"
#include "hw/hypermon/core/board_comparison.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/stretch.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hypermon {

/// Lead of each board's reset over that of board 0, in whole clock periods.
std::vector<Time> reset_skews(const Spec& spec);

/// Drain program of a board with `nodes` nodes; null if no action of it takes time or can fail. `event_types`: number
/// of a node's event types, for the statistics of drain.reduction.
std::unique_ptr<DrainProgram> drain_program_of(const Spec& spec, const FrameFormat& format, std::size_t nodes,
                                               std::size_t event_types);

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
    /// A datum that a user's board took is in no frame, and the board has not reported its loss.
    std::function<void(NodeId node, std::uint64_t sequence)> lost_in_board{};
  };

  virtual ~CaptureChain() = default;
  /// To be called before the first write.
  void observe(Observers observers) { observers_ = std::move(observers); }

  /// Also calls these functions, each before the one given to observe(), which must have been called. For waves of a
  /// run.
  void tell_also(std::function<void(NodeId, const Loss&)> loss, std::function<void(NodeId, const Fault&)> fault,
                 std::function<void(NodeId)> lost_in_board);

  std::size_t boards() const { return windows_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  /// Number of nodes that are connected to the board, from first_node(board) on.
  std::size_t nodes_of(std::size_t board) const { return std::min(inputs_, nodes_ - board * inputs_); }
  /// Null if the program does nothing that takes time or can fail.
  virtual const DrainProgram* drain_program(std::size_t board) const = 0;
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
    Time delay; ///< delay of a strobe, from the port to the board
    Time window;
    Time to_window; ///< time from the strobe at the port to the instant at which the board assigns it to a window
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
  /// For callers that inspect only delivered frames and the final state: drain_to() may leave the last `most` pending.
  virtual void may_lag(Time /*most*/) {}
  /// Long queues keep `items` at either end in memory and the others in a file. No result depends on the number.
  virtual void keep_in_memory(std::size_t /*items*/) {}
  /// The writing program ends at `at`, or has ended: afterwards only writes that have begun are completed. To be called
  /// before any later burst is written and before draining to a later horizon.
  virtual void program_ends(Time at) { program_end_ = at; }
  Time program_end() const { return program_end_; }
  /// Captures and drains everything before `horizon`, or before the program's end if that is earlier.
  virtual void drain_to(Time horizon) = 0;
  /// Ends the run after the last write; the program's end must be known.
  virtual void finish() = 0;

  /// Number of bytes that the I/O nodes have read over the PBX.
  virtual std::uint64_t bytes_read() const = 0;
  /// Number of nibbles in frames that were read and kept, but that no node wrote.
  virtual std::uint64_t garbage_nibbles() const = 0;
  /// Calls f(node, data) for each node whose input has an incomplete word of `data` data.
  virtual void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const = 0;
  /// Sums over all boards and across resets; the peak and the first overrun are those of the worst board.
  virtual Counts counts() const = 0;
  /// Waiting times of the PBX's masters, over all boards.
  struct Contention {
    Time drain_waited;        ///< total time that the drain programs' accesses waited for the bus
    Time longest_wait;        ///< longest wait of one of these accesses
    std::uint64_t bursts = 0; ///< bursts of the second masters
    Time second_waited;       ///< total time that the second masters waited for the bus
  };
  /// Empty if the bus has one master.
  virtual std::optional<Contention> contention() const { return std::nullopt; }

  /// Reports of users' boards about themselves.
  struct OwnBoardReport {
    std::uint64_t unmatched_frames = 0;  ///< frames with data that no node wrote in the frame's window
    std::uint64_t unmatched_reports = 0; ///< reported losses that fit no strobe
    struct Value {
      std::size_t board;
      std::string key;
      double value;
      std::string unit;
      std::string description;
    };
    std::vector<Value> values{};
    struct Compared { // ecb.lockstep, over all boards
      std::uint64_t equal_frames = 0;
      std::uint64_t differences = 0;
      /// the first difference, with the number of its board
      std::optional<std::pair<std::size_t, BoardDifference>> first{};
    };
    std::optional<Compared> lockstep{};
  };
  /// Empty if the boards are hypermon's.
  virtual std::optional<OwnBoardReport> own_boards() const { return std::nullopt; }

protected:
  explicit CaptureChain(const Spec& spec);

  /// The time of the reset of all boards; never() if there is none.
  Time reset_at() const { return reset_at_ > 0_ps ? reset_at_ : Time::never(); }
  Time skew(std::size_t board) const { return skews_[board]; }
  Time window(std::size_t board) const { return windows_[board]; }
  std::size_t nodes() const { return nodes_; }
  /// Adds the counts of a board.
  static void add_counts(Counts& sum, const Counts& board);

  Observers observers_;

private:
  std::vector<Time> delays_; // delays of strobes, by node
  std::size_t nodes_;
  std::size_t inputs_;
  Time reset_at_;             // time of the reset of all boards; 0: no reset
  std::vector<Time> skews_;   // by board
  std::vector<Time> windows_; // by board
  Time program_end_ = Time::never();
};

} // namespace hypermon
