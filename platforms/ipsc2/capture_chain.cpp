#include "platforms/ipsc2/capture_chain.hpp"
#include "hw/tlm/backplane.hpp"
#include "hw/tlm/ecb.hpp"
#include "hw/tlm/erb.hpp"
#include "hw/tlm/io_node.hpp"
#include "hw/tlm/pbx_bus.hpp"
#include "hw/tlm/performance_port.hpp"
#include "platforms/cosim/bridge.hpp"
#include "sw/instrumentation/catalogue.hpp"

#include <algorithm>
#include <random>
#include <string>

namespace hypermon {

namespace {

/// By how much earlier than board 0 each board saw the common reset: whole clock periods.
std::vector<Time> reset_skews(const Spec& spec, std::size_t boards) {
  std::mt19937_64 random(static_cast<std::uint64_t>(spec.seed) ^ 0x5eed0fec5U);
  std::vector<Time> skews(boards);
  for (std::size_t b = 1; b < boards; ++b)
    skews[b] = edge_at_or_before(
        Time::from_ns(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spec.ecb.reset_skew_ns + 1))));
  return skews;
}

std::vector<EventFrame> garbage(const FaultParams& faults, const FrameFormat& format, std::int64_t depth) {
  std::vector<EventFrame> frames;
  for (std::int64_t n = 0; n < std::min(faults.garbage_frames, depth); ++n) {
    std::array<std::uint32_t, FrameFormat::max_words> words{};
    garbage_frame(faults, static_cast<std::uint64_t>(n), std::span(words).first(format.words()));
    frames.push_back(format.unpack(std::span(words).first(format.words())));
  }
  return frames;
}

} // namespace

/// All that belongs to one board.
struct CaptureChain::Modules : sc_core::sc_module {
  std::vector<std::unique_ptr<PerformancePort>> ports;
  Backplane backplane{"backplane"};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{"pbx"};
  IoNode io_node;
  std::unique_ptr<DrainProgram> program; // null: it does nothing that takes time or can fail
  StrobeFaults* faults = nullptr;
  bool wraps; // frames come without a strobe
  bool reset_done = false;
  bool sending = false;           // a message to the host
  Time next_look = Time::never(); // of follow_drain()

  Modules(const sc_core::sc_module_name& name, const Spec& spec, const EcbParams& params, std::size_t first_node,
          std::size_t nodes)
      : sc_module(name), erb("erb", spec.erb), ecb("ecb", spec.port, params, spec.pbx, spec.reader),
        io_node("io_node", ecb.board().format(), spec.reader), wraps(params.wrap_frames) {
    for (std::size_t slot = 0; slot < nodes; ++slot) {
      ports.push_back(std::make_unique<PerformancePort>(("port" + std::to_string(slot)).c_str()));
      ports.back()->strobe_initiator.bind(backplane.strobe_target[slot]);
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(ecb.strobe_target);
    io_node.pbx_initiator.bind(pbx.pbx_target);
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);

    CaptureBoard& board = ecb.board();
    if (!DrainProgram::idle(spec.drain)) {
      program = std::make_unique<DrainProgram>(spec.drain, board.format(), nodes * event_catalogue.size());
      board.drain_through(program.get());
    }
    faults = erb.inject(spec.faults, static_cast<std::uint32_t>(first_node), nodes, spec.port.width_bits);
    if (PbxFaults::any(spec.faults)) board.fail_reads(PbxFaults(spec.faults));
    board.reader().stop(Time::from_ns_rounded(spec.faults.reader_stops_at_ms * 1e6),
                        Time::from_ns_rounded(spec.faults.reader_stops_for_ms * 1e6));
    board.power_on_with(garbage(spec.faults, board.format(), params.frame_fifo_frames));
  }
};

CaptureChain::CaptureChain(const Spec& spec, Observers observers)
    : inputs_(static_cast<std::size_t>(spec.ecb.inputs)), propagation_(Time::from_ns(spec.erb.propagation_ns)),
      reset_at_(edge_at_or_before(Time::from_ns_rounded(spec.faults.reset_at_us * 1e3))), stalls_(stalls(spec)),
      to_host_(spec.drain.destination == "host"), observers_(std::move(observers)) {
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  skews_ = reset_skews(spec, (nodes + inputs_ - 1) / inputs_);
  for (std::size_t b = 0; b < skews_.size(); ++b) {
    const std::size_t first = b * inputs_;
    const std::size_t own = std::min(inputs_, nodes - first);
    boards_.push_back(
        std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, spec.ecb_of(b), first, own));
    windows_.push_back(Time::from_ns(spec.ecb_of(b).window_ns));
    Modules& m = *boards_.back();
    m.ecb.board().reset_earlier_by(skews_[b]);
    m.ecb.board().on_loss([this, &m, first](Loss loss) {
      if (m.faults != nullptr) loss.sequence = m.faults->written(loss.input, loss.sequence);
      observers_.loss(NodeId{static_cast<std::uint32_t>(first) + loss.input}, loss);
    });
    if (m.faults != nullptr)
      m.faults->on_fault([this, first](const Fault& fault) {
        observers_.fault(NodeId{static_cast<std::uint32_t>(first) + fault.input}, fault);
      });
  }
  if (spec.drain.reduction != "none") return;
  for (std::size_t b = 0; b < boards_.size(); ++b)
    frame_bytes_most_ = std::max(frame_bytes_most_, static_cast<std::int64_t>(4 * board(b).format().words()));
}

CaptureChain::~CaptureChain() = default;

bool CaptureChain::stalls(const Spec& spec) {
  for (std::size_t b = 0; b < spec.boards(); ++b)
    if (spec.ecb_of(b).node_fifo_full == "stall") return true;
  return false;
}

void CaptureChain::close_loop(ClosedLoop loop) { loop_ = std::make_unique<ClosedLoop>(std::move(loop)); }

const CaptureBoard& CaptureChain::board(std::size_t board) const { return boards_[board]->ecb.board(); }
const DrainProgram* CaptureChain::drain_program(std::size_t board) const { return boards_[board]->program.get(); }
void CaptureChain::deliver_to(std::size_t board, FrameSink* sink) { boards_[board]->io_node.deliver_to(sink); }
CaptureBoard& CaptureChain::board_of(NodeId node) { return boards_[board_number(node)]->ecb.board(); }

CaptureChain::Line CaptureChain::line(NodeId node) const {
  const std::size_t board = board_number(node);
  Line line;
  line.port = boards_[board]->ports[index(node) % inputs_].get();
  line.window = windows_[board];
  line.to_window = propagation_ + skews_[board];
  line.reset_at_board = reset_at_;
  line.reset_at = reset_at_ > 0_ps ? reset_at_ - propagation_ : Time::never();
  return line;
}

void CaptureChain::write(NodeId node, const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data,
                         bool flag_first) {
  line.port->write(first, spacing, data, flag_first);
  if (loop_) [[unlikely]]
    follow(node, first);
}

void CaptureChain::follow(NodeId node, Time first) {
  const std::size_t board = board_number(node);
  if (stalls_)
    loop_->bridge.post(board_of(node).earliest_strobed(index(node) % inputs_), [this, node] { follow_write(node); });
  if (to_host_) loop_->bridge.post(first, [this, board] { follow_drain(board); });
}

// In SystemC, at an instant at which the node's write may be done. Nothing that other nodes write from now on can be
// strobed at this very instant: a strobe comes at the end of a write that begins now at the earliest.
void CaptureChain::follow_write(NodeId node) {
  const Time now = Bridge::systemc_now();
  CaptureBoard& board = board_of(node);
  const auto input = static_cast<std::uint32_t>(index(node) % inputs_);
  board.advance(std::max(board.horizon(), now + 1_ps));
  if (const auto strobe = board.strobed(input))
    loop_->written(node, *strobe - propagation_);
  else
    loop_->bridge.post(board.earliest_strobed(input), [this, node] { follow_write(node); });
}

// In SystemC, at an instant at which the board's program may have its next message together.
void CaptureChain::follow_drain(std::size_t b) {
  Modules& m = *boards_[b];
  CaptureBoard& board = m.ecb.board();
  const Time now = Bridge::systemc_now();
  if (m.next_look <= now) m.next_look = Time::never();
  board.advance(std::max(board.horizon(), now + 1_ps));
  if (m.sending) return;
  if (m.program->message_due() > 0) {
    m.sending = true;
    loop_->bridge.post(now + m.program->send_time(), [this, b, &m] {
      loop_->send_to_host(b, m.program->message_due(), [this, b, &m](Time) {
        loop_->bridge.call([this, b, &m] {
          m.sending = false;
          m.program->message_sent();
          m.ecb.board().resume_reader(Bridge::systemc_now());
          follow_drain(b);
        });
      });
    });
    return;
  }
  const std::int64_t missing =
      frame_bytes_most_ > 0 ? (m.program->to_next_message() + frame_bytes_most_ - 1) / frame_bytes_most_ : 1;
  const Time look = board.earliest_read(missing);
  if (look >= m.next_look || look == Time::never()) return;
  if (m.wraps && !Bridge::simgrid_lives()) return; // wraps go on for ever; finish() does what is left
  m.next_look = look;
  loop_->bridge.post(look, [this, b] { follow_drain(b); });
}

// The program of each I/O node resets its board when its time has come.
void CaptureChain::reset_due(Time horizon) {
  if (reset_at_ == 0_ps || horizon <= reset_at_) return;
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    Modules& m = *boards_[b];
    if (std::exchange(m.reset_done, true)) continue;
    m.io_node.drain_to(reset_at_);
    m.ecb.board().write_control(control_bits::reset, reset_at_);
    observers_.reset(b, reset_at_);
  }
}

void CaptureChain::drain_to(Time horizon) {
  reset_due(horizon);
  for (auto& m : boards_) m->io_node.drain_to(std::max(horizon, m->ecb.board().horizon()));
}

// The program has ended: messages meet no others any more.
void CaptureChain::finish() {
  reset_due(Time::never());
  for (auto& m : boards_) {
    m->io_node.finish();
    while (to_host_ && m->program->message_due() > 0) {
      const Time sent = m->program->send_time() + loop_->unloaded_message;
      m->program->message_sent();
      m->ecb.board().resume_reader_after(sent);
      m->io_node.finish();
    }
  }
}

std::uint64_t CaptureChain::bytes_read() const {
  std::uint64_t words = 0;
  for (const auto& m : boards_) words += m->ecb.board().words_drained();
  return 4 * words;
}

void CaptureChain::for_each_accumulating(const std::function<void(NodeId node, std::uint64_t data)>& f) const {
  for (std::size_t b = 0; b < boards_.size(); ++b)
    for (std::uint32_t i = 0; i < boards_[b]->ports.size(); ++i)
      if (const std::uint64_t data = board(b).accumulating(i); data > 0)
        f(NodeId{static_cast<std::uint32_t>(b * inputs_) + i}, data);
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
