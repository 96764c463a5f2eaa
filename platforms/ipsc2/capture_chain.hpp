// The monitor hardware of the machine: the nodes' ports, and for every board's inputs a backplane, an ERB, an ECB, a
// PBX bus and an I/O node with its drain program.
//
// As long as nothing acts back, the boards follow in large steps (drain_to). A node FIFO that stalls its writer and
// messages to the host do act back: then every write is followed in SystemC to the instant at which it is done, and
// every drain program to the instant at which its next message leaves (ClosedLoop). The wake-ups are lower bounds of
// these instants, so that few are needed and none is late.
#pragma once
#include "hw/core/capture_board.hpp"
#include "hw/core/drain_program.hpp"
#include "platforms/spec/spec.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace hypermon {

class Bridge;
class PerformancePort;

class CaptureChain {
public:
  struct Observers {
    /// A datum that was lost; reported before any later datum of its node is delivered. `sequence`: n-th of the node.
    std::function<void(NodeId node, const Loss&)> loss;
    /// A datum that the ERB lost or falsified (faults).
    std::function<void(NodeId node, const Fault&)> fault;
    /// The board was reset; its windows are counted from there.
    std::function<void(std::size_t board, Time edge)> reset;
  };
  /// How the machine feels the hardware.
  struct ClosedLoop {
    Bridge& bridge;
    /// ecb.node_fifo_full = stall: the last strobe of what a node wrote happened at `strobe` (at the port).
    std::function<void(NodeId node, Time strobe)> written;
    /// drain.destination = host: sends a message now, calls when_sent at the date at which it has arrived.
    std::function<void(std::size_t board, std::int64_t bytes, std::function<void(Time)> when_sent)> send_to_host;
    Time unloaded_message; ///< what such a message takes after the program's end
  };
  static bool acts_back(const Spec& spec) { return stalls(spec) || spec.drain.destination == "host"; }
  /// Is there a board that may hold a node's write?
  static bool stalls(const Spec& spec);

  /// Elaborates the SystemC modules.
  CaptureChain(const Spec& spec, Observers observers);
  ~CaptureChain();
  /// Before anything is written, if acts_back(spec).
  void close_loop(ClosedLoop loop);

  std::size_t boards() const { return boards_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  std::size_t board_number(NodeId node) const { return index(node) / inputs_; }
  const CaptureBoard& board(std::size_t board) const;
  /// Null if the program does nothing that takes time or can fail.
  const DrainProgram* drain_program(std::size_t board) const;
  /// What a board's I/O node reads, in order.
  void deliver_to(std::size_t board, FrameSink* sink);

  /// The window in which a node's board captures a strobe, and when the board, by its own count, began with window 0.
  struct Stamp {
    std::uint64_t window;
    Time origin;
  };
  /// A node's way to its board.
  struct Line {
    PerformancePort* port = nullptr;
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
  void write(NodeId node, const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data,
             bool flag_first);
  /// Everything before `horizon` is captured and drained.
  void drain_to(Time horizon);
  void finish();

  /// Bytes that the I/O nodes have read over the PBX.
  std::uint64_t bytes_read() const;
  /// Calls f(node, data) for nodes whose input has an incomplete word of so many data.
  void for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const;
  /// Sums over all boards; the peak and the first overrun are those of the worst board.
  Counts counts() const;

private:
  struct Modules; // SystemC
  CaptureBoard& board_of(NodeId node);
  void follow(NodeId node, Time first);
  void follow_write(NodeId node);
  void follow_drain(std::size_t board);
  void reset_due(Time horizon);

  std::size_t inputs_;
  std::vector<Time> windows_; // by board
  Time propagation_;
  Time reset_at_; // of all boards; 0: never
  bool stalls_;
  bool to_host_;
  std::int64_t frame_bytes_most_ = 0; // that a frame can add to a message; 0 if nothing is known
  Observers observers_;
  std::unique_ptr<ClosedLoop> loop_;
  std::vector<Time> skews_; // by board
  std::vector<std::unique_ptr<Modules>> boards_;
};

} // namespace hypermon
