// The monitor hardware of the machine: the nodes' ports, and for every 16 nodes a backplane, an ERB, an ECB, a PBX bus
// and an I/O node with its drain program.
#pragma once
#include "hw/core/capture_board.hpp"
#include "platforms/spec/spec.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace hypermon {

class CaptureChain {
public:
  struct Observers {
    /// Frames that a board's I/O node has read, in order.
    std::function<void(std::size_t board, std::span<const DeliveredFrame>)> frames;
    /// A nibble that was lost; reported before any later nibble of its node is delivered.
    std::function<void(NodeId node, const Loss&)> loss;
  };
  /// Elaborates the SystemC modules.
  CaptureChain(const Spec& spec, const Observers& observers);
  ~CaptureChain();

  /// A node's burst: times at the node's port.
  void write(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data);
  /// Everything before `horizon` is captured and drained.
  void drain_to(Time horizon);
  void finish();

  std::size_t boards() const { return boards_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  /// Sums over all boards; the peak and the first overrun are those of the worst board.
  Counts counts() const;

private:
  struct Modules; // SystemC
  std::size_t inputs_;
  std::vector<std::unique_ptr<Modules>> boards_;
};

} // namespace hypermon
