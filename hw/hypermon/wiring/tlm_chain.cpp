#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "hw/hypermon/core/drain_program.hpp"
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/erb.hpp"
#include "hw/hypermon/tlm/io_node.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/performance_port.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "sw/model/recording.hpp"

#include <algorithm>
#include <string>
#include <utility>

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
  bool sending = false;           // a message to the host
  Time next_look = Time::never(); // of follow_drain()
  std::vector<Line> held{};       // writes for which there is no room before a message has been sent

  Modules(const sc_core::sc_module_name& name, const Spec& spec, const EcbParams& params, std::size_t nodes)
      : sc_module(name), erb("erb", spec.get<ErbParams>()),
        ecb("ecb", spec.get<PortParams>(), params, spec.get<PbxParams>(), spec.get<ReaderParams>()),
        io_node("io_node", ecb.board().format(), spec.get<ReaderParams>()) {
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
    : CaptureChain(spec), stalls_(stalls(spec)), to_host_(spec.get<DrainParams>().destination == "host") {
  for (std::size_t b = 0; b < boards_of(spec); ++b) {
    auto& own = *boards_.emplace_back(
        std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, ecb_of(spec, b), nodes_of(b)));
    for (const auto& port : own.ports) ports_.push_back(port.get());
    equip(
        spec, own.ecb.board(),
        own.erb.inject(spec.get<FaultParams>(), index(first_node(b)), nodes_of(b), spec.get<PortParams>().width_bits));
    if (spec.get<DrainParams>().reduction == "none")
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

void TlmChain::post_look(const Line& line) {
  const Time look = look_at(line.board, board_of(line).earliest_strobed(line.input));
  if (look == Time::never()) return boards_[line.board]->held.push_back(line);
  loop_->bridge.post(
      look, [this, line] { follow_write(line); }, written_by(line));
}

void TlmChain::follow(const Line& line, Time first) {
  if (stalls_) {
    if (outstanding_++ == 0) held_back_.emplace(loop_->bridge);
    post_look(line);
  }
  if (to_host_)
    loop_->bridge.post(
        first, [this, board = line.board] { follow_drain(board); }, program_of(line.board));
}

// What has begun when the program ends has been written by then, so its end comes in time.
void TlmChain::follow_to(std::size_t b, Time now) {
  if (const Time end = loop_->program_end(); end != program_end()) program_ends(end);
  reset_due(b, now + 1_ps);
  CaptureBoard& board = boards_[b]->ecb.board();
  board.advance(std::max(board.horizon(), now + 1_ps));
}

// When to look next, if nothing happens before `bound`: but a reset releases what is held, and frees the reader.
Time TlmChain::look_at(std::size_t b, Time bound) const {
  return std::min(bound, std::max(next_reset(b), Bridge::simgrid_now()));
}

// In SystemC, at an instant at which the node's write may be done. Nothing that other nodes write from now on can be
// strobed at this very instant: a strobe comes at the end of a write that begins now at the earliest.
void TlmChain::follow_write(const Line& line) {
  const Time now = Bridge::systemc_now();
  const CaptureBoard& board = board_of(line);
  follow_to(line.board, now);
  if (const auto strobe = board.strobed(line.input)) {
    if (--outstanding_ == 0) held_back_.reset();
    observers_.written(line.node, *strobe - propagation_);
  } else {
    post_look(line);
  }
}

// In SystemC, at an instant at which the board's program may have its next message together.
void TlmChain::follow_drain(std::size_t b) {
  Modules& m = *boards_[b];
  const CaptureBoard& board = m.ecb.board();
  DrainProgram& program = *this->program(b);
  const Time now = Bridge::systemc_now();
  if (m.next_look <= now) m.next_look = Time::never();
  follow_to(b, now);
  if (m.sending) return;
  if (program.message_due() > 0) {
    m.sending = true;
    loop_->bridge.post(now + program.send_time(), [this, b, &m, &program] {
      loop_->send_to_host(b, program.message_due(), [this, b, &m, &program](Time) {
        loop_->bridge.call([this, b, &m, &program] {
          reset_due(b, Bridge::systemc_now()); // a reset frees no program that is sending
          m.sending = false;
          program.message_sent();
          m.ecb.board().resume_reader(Bridge::systemc_now());
          if (observers_.message_sent) observers_.message_sent(b, Bridge::systemc_now());
          for (const Line& line : std::exchange(m.held, {})) post_look(line);
          follow_drain(b);
        });
      });
    });
    return;
  }
  const std::int64_t missing =
      frame_bytes_most_ > 0 ? (program.to_next_message() + frame_bytes_most_ - 1) / frame_bytes_most_ : 1;
  const Time bound = board.earliest_read(missing);
  const Time look = bound < Time::never() ? look_at(b, bound) : bound;
  if (look >= m.next_look || look == Time::never()) return;
  m.next_look = look;
  loop_->bridge.post(
      look, [this, b] { follow_drain(b); }, program_of(b));
}

} // namespace hypermon
