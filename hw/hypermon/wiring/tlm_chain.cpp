// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/tlm_chain.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_date.hpp"
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
#include "hw/hypermon/wiring/chain_watch.hpp"
#include "hw/hypermon/wiring/pbx_masters.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <sysc/kernel/sc_kernel_ids.h>
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

/// All modules of one board.
struct TlmChain::Modules : sc_core::sc_module {
  std::vector<std::unique_ptr<PerformancePort>> ports;
  Backplane backplane{"backplane"};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{"pbx"};
  IoNode io_node;
  bool sending = false;           // a message to the host is under way
  Time next_look = Time::never(); // next call of follow_drain()
  std::vector<Line> held{};       // writes that find no room before a message has been sent; by words: all writes
  std::unique_ptr<PbxMasters> masters{}; // at ecb.level = transactions
  std::function<void()> reset;

  SC_HAS_PROCESS(Modules);
  Modules(const sc_core::sc_module_name& name, const Spec& spec, std::size_t board, std::size_t nodes,
          const UserObject& modules, const std::string& directory, ChainWatch* watch)
      : sc_module(name), erb("erb", spec.get<ErbParams>()),
        ecb("ecb", spec.get<PortParams>(), ecb_of(spec, board), spec.get<PbxParams>(), spec.get<ReaderParams>(),
            by_words(spec) ? DrainedBy::words : DrainedBy::reader,
            follows(spec, watch) ? Ecb::Pace::systemc : Ecb::Pace::caller),
        io_node("io_node", ecb.board().format(), accesses(spec, watch)) {
    for (std::size_t slot = 0; slot < nodes; ++slot) {
      ports.push_back(std::make_unique<PerformancePort>(("port" + std::to_string(slot)).c_str()));
      ports.back()->strobe_initiator.bind(backplane.strobe_target[slot]);
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(ecb.strobe_target);
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
    if (by_strobes(spec))
      for (const auto& port : ports) port->strobe_by_strobe(ecb.board().datum_bytes());
    if (!by_words(spec)) {
      io_node.pbx_initiator.bind(pbx.pbx_target);
      return;
    }
    masters = std::make_unique<PbxMasters>(spec, board, io_node.pbx_initiator, backplane, pbx, modules, directory,
                                           watch != nullptr ? &watch->bus(board) : nullptr);
    io_node.run_program_of(ecb);
    pbx.inject_errors(spec.get<FaultParams>(), PbxBus::ecb_frame_fifo);
  }
  // Waves receive accesses at SystemC's time.
  static bool follows(const Spec& spec, const ChainWatch* watch) {
    return boards_follow_systemc(spec) || watch != nullptr;
  }
  // A second master or a user's module may make an access wait, and a reset interrupts a frame.
  static IoNode::Accesses accesses(const Spec& spec, const ChainWatch* watch) {
    if (!by_words(spec)) return IoNode::Accesses::blocks;
    if (!follows(spec, watch)) return IoNode::Accesses::on_call;
    const bool in_time = contends(spec) || watch != nullptr || spec.get<FaultParams>().reset_at_us > 0_ps;
    return in_time ? IoNode::Accesses::in_time : IoNode::Accesses::ahead;
  }

  void reset_at(Time at, std::function<void()> f) {
    reset = std::move(f);
    ecb.reset_comes_at(at);
    SC_THREAD(reset_in_time);
  }
  void reset_in_time() {
    wait(to_sc_time(ecb.next_reset()));
    reset();
    ecb.reset_comes_at(Time::never());
  }
};

TlmChain::TlmChain(const Spec& spec, std::size_t event_types, const std::string& directory, ChainWatch* watch)
    : BoardChain(spec, event_types), modules_(pbx_object(spec)), by_words_(by_words(spec)),
      follows_(Modules::follows(spec, watch)), stalls_(stalls(spec)),
      to_host_(spec.get<DrainParams>().destination == Destination::host) {
  for (std::size_t b = 0; b < boards_of(spec); ++b) {
    auto& own = *boards_.emplace_back(std::make_unique<Modules>(("board" + std::to_string(b)).c_str(), spec, b,
                                                                nodes_of(b), modules_, directory, watch));
    for (const auto& port : own.ports) ports_.push_back(port.get());
    equip(
        spec, own.ecb.board(),
        own.erb.inject(spec.get<FaultParams>(), index(first_node(b)), nodes_of(b), spec.get<PortParams>().width_bits));
    if (spec.get<DrainParams>().reduction == Reduction::none)
      frame_bytes_most_ = std::max(frame_bytes_most_, static_cast<std::int64_t>(4 * board(b).format().words()));
    if (!follows_) {
      own.ecb.reset_comes_at(reset_at());
      continue;
    }
    own.ecb.on_follow({[this](Time) { program_may_have_ended(); }, [this, b](Time) { followed(b); }});
    if (reset_at() < Time::never())
      own.reset_at(reset_at(), [this, b] {
        program_may_have_ended();
        reset_due(b, Bridge::systemc_now() + 1_ps);
      });
  }
}

TlmChain::~TlmChain() = default;

void TlmChain::close_loop(ClosedLoop loop) {
  keep_up(); // the chain observes strobes and reads
  loop_ = std::make_unique<ClosedLoop>(std::move(loop));
  if (follows_ && !stalls_ && !to_host_)
    for (const auto& m : boards_) m->ecb.runs_ahead_to(simgrid_now);
  if (!to_host_) return;
  always_held_back_.emplace(loop_->bridge);
  // At the end SimGrid waits for SystemC's last event. Bursts without end would keep the run from ending.
  for (std::size_t b = 0; b < boards_.size(); ++b)
    if (const auto& masters = boards_[b]->masters; masters && masters->second() != nullptr)
      masters->second()->ends_when([this, b] { return is_over(b); });
}

bool TlmChain::is_over(std::size_t b) {
  program_may_have_ended();
  const Modules& m = *boards_[b];
  return program_end() < Time::never() && m.ecb.at_rest() && !m.sending && program(b)->message_due() == 0;
}

void TlmChain::deliver_to(std::size_t board, FrameSink* sink) { boards_[board]->io_node.deliver_to(sink); }

// Boards that follow SystemC's time are drained by its processes as time advances.
void TlmChain::drain_board(std::size_t board, Time horizon) {
  if (follows_) return;
  try {
    boards_[board]->io_node.drain_to(horizon);
  } catch (const sc_core::sc_report& report) {
    if (modules_.empty() || std::string(report.get_msg_type()) != sc_core::SC_ID_WAIT_NOT_ALLOWED_) throw;
    refuse_wait(modules_, board);
  }
}

void TlmChain::reset_board(std::size_t board, Time at) {
  if (by_words_)
    boards_[board]->io_node.reset_board(at);
  else
    BoardChain::reset_board(board, at);
}

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
  if (follows_) {
    if (!stalls_ && !to_host_) return;
    if (stalls_ && outstanding_++ == 0) held_back_.emplace(loop_->bridge);
    if (stalls_) boards_[line.board]->held.push_back(line);
    const Time next = board_of(line).next_event(); // SimGrid must wait for SystemC at this time
    return loop_->bridge.post(
        next, [] {}, written_by(line));
  }
  if (stalls_) {
    if (outstanding_++ == 0) held_back_.emplace(loop_->bridge);
    post_look(line);
  }
  if (to_host_)
    loop_->bridge.post(
        first, [this, board = line.board] { follow_drain(board); }, program_of(line.board));
}

// Whatever had begun when the program ended has been written by now, so its end is reported in time.
void TlmChain::program_may_have_ended() {
  if (!loop_) return;
  if (const Time end = loop_->program_end(); end != program_end()) program_ends(end);
}

void TlmChain::follow_to(std::size_t b, Time now) {
  program_may_have_ended();
  reset_due(b, now + 1_ps);
  CaptureBoard& board = boards_[b]->ecb.board();
  const Time horizon = std::max(board.horizon(), now + 1_ps);
  if (by_words_)
    drain_board(b, horizon);
  else
    board.advance(horizon);
}

// Next time to check if nothing happens before `bound`. A reset is an exception, as it releases held writes and frees
// the reader.
Time TlmChain::look_at(std::size_t b, Time bound) const {
  return std::min(bound, std::max(next_reset(b), simgrid_now()));
}

// Runs in SystemC, at an instant at which the node's write may be done. No later write of another node can strobe at
// this very instant, because a strobe comes at the end of a write, which begins now at the earliest.
void TlmChain::follow_write(const Line& line) {
  const Time now = Bridge::systemc_now();
  const CaptureBoard& board = board_of(line);
  follow_to(line.board, now);
  if (const auto strobe = board.strobed(line.input)) {
    if (--outstanding_ == 0) held_back_.reset();
    observers_.written(line.node, *strobe - line.delay);
  } else {
    post_look(line);
  }
}

// Runs in SystemC, at an instant at which the board's program may have completed its next message.
void TlmChain::follow_drain(std::size_t b) {
  Modules& m = *boards_[b];
  const CaptureBoard& board = m.ecb.board();
  DrainProgram& program = *this->program(b);
  const Time now = Bridge::systemc_now();
  if (m.next_look <= now) m.next_look = Time::never();
  follow_to(b, now);
  if (m.sending) return;
  if (program.message_due() > 0) return send_message(b);
  const std::int64_t missing =
      frame_bytes_most_ > 0 ? (program.to_next_message() + frame_bytes_most_ - 1) / frame_bytes_most_ : 1;
  const Time bound = board.earliest_read(missing);
  // A reset releases held writes, whose frames may then be read without a further write.
  const Time look = bound < Time::never() || next_reset(b) < Time::never() ? look_at(b, bound) : bound;
  if (look >= m.next_look || look == Time::never()) return;
  m.next_look = look;
  loop_->bridge.post(
      look, [this, b] { follow_drain(b); }, program_of(b));
}

// The message that is due leaves when the program has prepared it.
void TlmChain::send_message(std::size_t b) {
  boards_[b]->sending = true;
  const DrainProgram& program = *this->program(b);
  loop_->bridge.post(Bridge::systemc_now() + program.send_time(), [this, b, &program] {
    if (finishing_) return;
    loop_->send_to_host(b, program.message_due(),
                        [this, b](Time) { loop_->bridge.call([this, b] { message_sent_to_host(b); }); });
  });
}

void TlmChain::message_sent_to_host(std::size_t b) {
  Modules& m = *boards_[b];
  reset_due(b, Bridge::systemc_now()); // a reset does not free a program that is sending
  m.sending = false;
  program(b)->message_sent();
  m.ecb.board().resume_reader(Bridge::systemc_now());
  if (observers_.message_sent) observers_.message_sent(b, Bridge::systemc_now());
  if (follows_) return m.ecb.changed();
  for (const Line& line : std::exchange(m.held, {})) post_look(line);
  follow_drain(b);
}

// --- ecb.level = transactions ---

// Runs in SystemC, after all of the board's changes at this instant.
void TlmChain::followed(std::size_t b) {
  if (stalls_) tell_of_writes(b);
  if (!to_host_) return;
  if (finishing_)
    send_unhindered(b);
  else if (!boards_[b]->sending && program(b)->message_due() > 0)
    send_message(b);
}

void TlmChain::tell_of_writes(std::size_t b) {
  const CaptureBoard& board = this->board(b);
  std::vector<Line> done;
  std::erase_if(boards_[b]->held, [&](const Line& line) {
    if (board.strobed(line.input)) done.push_back(line);
    return board.strobed(line.input).has_value();
  });
  for (const Line& line : done) {
    if (--outstanding_ == 0) held_back_.reset();
    observers_.written(line.node, *board.strobed(line.input) - line.delay);
  }
}

// As in BoardChain::finish(): a message is sent when the board has come to rest.
void TlmChain::send_unhindered(std::size_t b) {
  DrainProgram& program = *this->program(b);
  if (program.message_due() == 0 || !boards_[b]->ecb.at_rest()) return;
  const Time sent = unhindered_message(b);
  program.message_sent();
  boards_[b]->ecb.board().resume_reader_after(sent);
  boards_[b]->ecb.changed();
}

void TlmChain::finish() {
  if (!follows_) return BoardChain::finish();
  finishing_ = true;
  if (to_host_)
    for (std::size_t b = 0; b < boards_.size(); ++b) send_unhindered(b);
  const auto busy = [](const auto& m) { return !m->ecb.at_rest(); };
  while (std::ranges::any_of(boards_, busy)) {
    if (!sc_core::sc_pending_activity()) throw std::logic_error("internal: a board is not drained to its end");
    sc_core::sc_start(sc_core::sc_time_to_pending_activity());
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  for (const auto& m : boards_) m->ecb.board().finish();
}

std::optional<CaptureChain::Contention> TlmChain::contention() const {
  std::optional<Contention> sum;
  for (const auto& m : boards_)
    if (m->masters) m->masters->add_to(sum, m->io_node.waited(), m->io_node.longest_wait());
  return sum;
}

} // namespace hypermon
