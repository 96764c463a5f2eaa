#include "platforms/ipsc2/capture_chain.hpp"
#include "hw/tlm/backplane.hpp"
#include "hw/tlm/ecb.hpp"
#include "hw/tlm/erb.hpp"
#include "hw/tlm/io_node.hpp"
#include "hw/tlm/pbx_bus.hpp"
#include "hw/tlm/performance_port.hpp"

#include <algorithm>
#include <string>

namespace hypermon {

/// All that belongs to one board.
struct CaptureChain::Modules : sc_core::sc_module {
  std::vector<std::unique_ptr<PerformancePort>> ports;
  Backplane backplane{"backplane"};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{"pbx"};
  IoNode io_node;

  Modules(const sc_core::sc_module_name& name, const Spec& spec, std::size_t nodes)
      : sc_module(name), erb("erb", spec.erb), ecb("ecb", spec.port, spec.ecb, spec.pbx, spec.reader),
        io_node("io_node", ecb.board().format(), spec.reader) {
    for (std::size_t slot = 0; slot < nodes; ++slot) {
      ports.push_back(std::make_unique<PerformancePort>(("port" + std::to_string(slot)).c_str()));
      ports.back()->strobe_initiator.bind(backplane.strobe_target[slot]);
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(ecb.strobe_target);
    io_node.pbx_initiator.bind(pbx.pbx_target);
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
  }
};

CaptureChain::CaptureChain(const Spec& spec, const OnLoss& on_loss)
    : inputs_(static_cast<std::size_t>(spec.ecb.inputs)) {
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  for (std::size_t b = 0; b * inputs_ < nodes; ++b) {
    const std::size_t own = std::min(inputs_, nodes - b * inputs_);
    boards_.push_back(std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, own));
    boards_.back()->ecb.board().on_loss([base = b * inputs_, on_loss](const Loss& loss) {
      on_loss(NodeId{static_cast<std::uint32_t>(base) + loss.input}, loss);
    });
  }
}

CaptureChain::~CaptureChain() = default;

const CaptureBoard& CaptureChain::board(std::size_t board) const { return boards_[board]->ecb.board(); }

void CaptureChain::deliver_to(std::size_t board, FrameSink* sink) { boards_[board]->io_node.deliver_to(sink); }

void CaptureChain::write(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) {
  boards_[index(node) / inputs_]->ports[index(node) % inputs_]->write(first, spacing, data, flag_first);
}

void CaptureChain::drain_to(Time horizon) {
  for (auto& board : boards_) board->io_node.drain_to(horizon);
}

void CaptureChain::finish() {
  for (auto& board : boards_) board->io_node.finish();
}

Counts CaptureChain::counts() const {
  Counts sum;
  for (const auto& board : boards_) {
    const Counts c = board->ecb.board().counts();
    sum.strobes += c.strobes;
    sum.accumulating += c.accumulating;
    sum.aliasing += c.aliasing;
    sum.node_overruns += c.node_overruns;
    sum.windows_lost += c.windows_lost;
    sum.discarded += c.discarded;
    sum.frames_built += c.frames_built;
    sum.merged += c.merged;
    sum.frames_lost += c.frames_lost;
    sum.drained += c.drained;
    sum.frames_in_fifo += c.frames_in_fifo;
    sum.peak_frame_fifo = std::max(sum.peak_frame_fifo, c.peak_frame_fifo);
    if (c.first_overrun && (!sum.first_overrun || *c.first_overrun < *sum.first_overrun))
      sum.first_overrun = c.first_overrun;
    sum.end = std::max(sum.end, c.end);
  }
  return sum;
}

} // namespace hypermon
