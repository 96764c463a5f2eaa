#include "platforms/ipsc2/tlm_chain.hpp"
#include "hw/tlm/backplane.hpp"
#include "hw/tlm/ecb.hpp"
#include "hw/tlm/erb.hpp"
#include "hw/tlm/io_node.hpp"
#include "hw/tlm/pbx_bus.hpp"
#include "hw/tlm/performance_port.hpp"
#include "platforms/spec/recording.hpp"

#include <algorithm>
#include <string>

namespace hypermon {

namespace {
Bridge::Part written_by(const CaptureChain::Line& line) {
  return {"the board waits for the last strobe of what was written by node", index(line.node)};
}
Bridge::Part program_of(std::size_t board) {
  return {"the board waits for the next message of the drain program of board", static_cast<std::int64_t>(board)};
}
} // namespace

/// All that belongs to one board.
struct TlmChain::Modules : sc_core::sc_module {
  std::vector<std::unique_ptr<PerformancePort>> ports;
  Backplane backplane{"backplane"};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{"pbx"};
  IoNode io_node;
  bool wraps;                     // frames come without a strobe
  bool sending = false;           // a message to the host
  Time next_look = Time::never(); // of follow_drain()

  Modules(const sc_core::sc_module_name& name, const Spec& spec, const EcbParams& params, std::size_t nodes)
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
  }
};

TlmChain::TlmChain(const Spec& spec)
    : CaptureChain(spec), stalls_(stalls(spec)), to_host_(spec.drain.destination == "host") {
  for (std::size_t b = 0; b < spec.boards(); ++b) {
    auto& own = *boards_.emplace_back(
        std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, spec.ecb_of(b), nodes_of(b)));
    for (const auto& port : own.ports) ports_.push_back(port.get());
    equip(spec, own.ecb.board(), own.erb.inject(spec.faults, index(first_node(b)), nodes_of(b), spec.port.width_bits));
    if (spec.drain.reduction == "none")
      frame_bytes_most_ = std::max(frame_bytes_most_, static_cast<std::int64_t>(4 * board(b).format().words()));
  }
}

TlmChain::~TlmChain() = default;

void TlmChain::close_loop(ClosedLoop loop) {
  keep_up(); // what follows looks at what has been strobed and read
  loop_ = std::make_unique<ClosedLoop>(std::move(loop));
  if (to_host_) always_held_back_.emplace(loop_->bridge);
}

void TlmChain::deliver_to(std::size_t board, FrameSink* sink) { boards_[board]->io_node.deliver_to(sink); }

void TlmChain::drain_board(std::size_t board, Time horizon) { boards_[board]->io_node.drain_to(horizon); }

void TlmChain::write(const Line& line, Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first) {
  ports_[index(line.node)]->write(first, spacing, data, flag_first);
  if (loop_) [[unlikely]]
    follow(line, first);
}

void TlmChain::follow(const Line& line, Time first) {
  if (stalls_) {
    if (outstanding_++ == 0) held_back_.emplace(loop_->bridge);
    loop_->bridge.post(board_of(line).earliest_strobed(line.input), [this, line] { follow_write(line); },
                       written_by(line));
  }
  if (to_host_) loop_->bridge.post(first, [this, board = line.board] { follow_drain(board); }, program_of(line.board));
}

// In SystemC, at an instant at which the node's write may be done. Nothing that other nodes write from now on can be
// strobed at this very instant: a strobe comes at the end of a write that begins now at the earliest.
void TlmChain::follow_write(const Line& line) {
  const Time now = Bridge::systemc_now();
  CaptureBoard& board = board_of(line);
  board.advance(std::max(board.horizon(), now + 1_ps));
  if (const auto strobe = board.strobed(line.input)) {
    if (--outstanding_ == 0) held_back_.reset();
    observers_.written(line.node, *strobe - propagation_);
  } else {
    loop_->bridge.post(board.earliest_strobed(line.input), [this, line] { follow_write(line); }, written_by(line));
  }
}

// In SystemC, at an instant at which the board's program may have its next message together.
void TlmChain::follow_drain(std::size_t b) {
  Modules& m = *boards_[b];
  CaptureBoard& board = m.ecb.board();
  DrainProgram& program = *this->program(b);
  const Time now = Bridge::systemc_now();
  if (m.next_look <= now) m.next_look = Time::never();
  board.advance(std::max(board.horizon(), now + 1_ps));
  if (m.sending) return;
  if (program.message_due() > 0) {
    m.sending = true;
    loop_->bridge.post(now + program.send_time(), [this, b, &m, &program] {
      loop_->send_to_host(b, program.message_due(), [this, b, &m, &program](Time) {
        loop_->bridge.call([this, b, &m, &program] {
          m.sending = false;
          program.message_sent();
          m.ecb.board().resume_reader(Bridge::systemc_now());
          if (observers_.message_sent) observers_.message_sent(b, Bridge::systemc_now());
          follow_drain(b);
        });
      });
    });
    return;
  }
  const std::int64_t missing =
      frame_bytes_most_ > 0 ? (program.to_next_message() + frame_bytes_most_ - 1) / frame_bytes_most_ : 1;
  const Time look = board.earliest_read(missing);
  if (look >= m.next_look || look == Time::never()) return;
  if (m.wraps && !Bridge::simgrid_lives()) return; // wraps go on for ever; finish() does what is left
  m.next_look = look;
  loop_->bridge.post(look, [this, b] { follow_drain(b); }, program_of(b));
}

} // namespace hypermon
