// The monitor hardware of the machine: the nodes' ports, and for every board's inputs a backplane, an ERB, an ECB, a
// PBX bus and an I/O node with its drain program.
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
  /// A datum that was lost; reported before any later datum of its node is delivered.
  using OnLoss = std::function<void(NodeId node, const Loss&)>;
  /// Elaborates the SystemC modules.
  CaptureChain(const Spec& spec, const OnLoss& on_loss);
  ~CaptureChain();

  std::size_t boards() const { return boards_.size(); }
  NodeId first_node(std::size_t board) const { return NodeId{static_cast<std::uint32_t>(board * inputs_)}; }
  const CaptureBoard& board(std::size_t board) const;
  /// What a board's I/O node reads, in order.
  void deliver_to(std::size_t board, FrameSink* sink);

  /// A node's burst: times at the node's port, data as they lie in a Burst.
  void write(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first);
  /// Everything before `horizon` is captured and drained.
  void drain_to(Time horizon);
  void finish();

  /// Sums over all boards; the peak and the first overrun are those of the worst board.
  Counts counts() const;

private:
  struct Modules; // SystemC
  std::size_t inputs_;
  std::vector<std::unique_ptr<Modules>> boards_;
};

} // namespace hypermon
