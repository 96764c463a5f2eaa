// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/io_node.hpp"
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include <algorithm>
#include <utility>

namespace hypermon {

namespace {
std::uint64_t address(PbxRegister which) { return PbxBus::ecb_base + static_cast<std::uint64_t>(which); }
} // namespace

IoNode::IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, Accesses accesses)
    : sc_module(name), pbx_initiator("pbx_initiator"), format_(format), accesses_(accesses), registers_(*this) {
  require_picoseconds();
  SC_HAS_PROCESS(IoNode);
  if (accesses == Accesses::in_time) SC_THREAD(drain_by_words);
}

void IoNode::drain_to(Time horizon) {
  if (accesses_ == Accesses::on_call) return ecb_->run_to(horizon);
  tlm::tlm_generic_payload& block = block_.payload();
  block.set_command(tlm::TLM_IGNORE_COMMAND);
  block.set_address(address(PbxRegister::frame_fifo));
  block.set_dmi_allowed(false);
  block.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = annotation(horizon);
  pbx_initiator->b_transport(block, delay);
  if (block.is_response_error()) SC_REPORT_ERROR("io_node", block.get_response_string().c_str());
}

// --- word by word ---

void IoNode::run_program_of(Ecb& ecb) {
  ecb_ = &ecb;
  ecb.board().deliver_to(this);
  if (accesses_ != Accesses::in_time) ecb.program_runs_ahead([this](Time edge) { act(edge); });
}

// The program's action at an edge of the board. The words of a frame follow one another, and only a reset ends them.
void IoNode::act(Time edge) {
  const CaptureBoard& board = ecb_->board();
  std::uint32_t value = 0;
  sc_core::sc_time delay = annotation(edge);
  if (std::exchange(polls_, board.reader().polls()) != polls_)
    access(tlm::TLM_READ_COMMAND, PbxRegister::status, value, delay);
  delay = annotation(edge);
  if (std::exchange(groups_, board.reader().groups()) != groups_)
    access(tlm::TLM_READ_COMMAND, PbxRegister::frame_count, value, delay);
  if (board.reads_words()) read_frame_ahead(annotation(edge));
}

void IoNode::read_frame_ahead(sc_core::sc_time delay) {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  CaptureBoard& board = ecb_->board();
  for (std::size_t n = 0; board.reads_words(); ++n) {
    if (absolute(delay) >= ecb_->next_reset()) return;
    const auto status = access(tlm::TLM_READ_COMMAND, PbxRegister::frame_fifo, words.at(n), delay);
    if (status == tlm::TLM_GENERIC_ERROR_RESPONSE) board.word_failed();
  }
  read_ = format_.unpack(words);
}

// Polls that find nothing are not simulated: no other master waits for the bus meanwhile.
void IoNode::drain_by_words() {
  std::uint64_t polls = 0;
  for (;;) {
    const CaptureBoard& board = ecb_->board();
    if (polls != board.reader().polls()) {
      polls = board.reader().polls();
      poll();
    } else if (board.reads_words()) {
      read_frame();
    } else {
      wait(ecb_->program_acts());
    }
  }
}

// Each word is read at its own time, because reading has side effects. After a reset there is nothing left to read.
void IoNode::read_frame() {
  std::array<std::uint32_t, FrameFormat::max_words> words{};
  CaptureBoard& board = ecb_->board();
  bool last = false;
  for (std::size_t n = 0; !last; ++n) {
    if (ecb_->reset_is_due()) return wait(ecb_->was_reset());
    sc_core::sc_time delay;
    const auto status = access(tlm::TLM_READ_COMMAND, PbxRegister::frame_fifo, words.at(n), delay);
    if (status == tlm::TLM_GENERIC_ERROR_RESPONSE) board.word_failed();
    last = !board.reads_words();
    if (last) read_ = format_.unpack(words);
    wait(delay, ecb_->was_reset());
    if (ecb_->was_reset().triggered()) return;
  }
}

void IoNode::frames(std::span<const DeliveredFrame> frames) {
  FrameSink* sink = block_.extension().sink;
  for (DeliveredFrame frame : frames) {
    frame.frame = read_;
    if (sink != nullptr) sink->frames({&frame, 1});
  }
}

void IoNode::reset_board(Time at) {
  std::uint32_t value = control_bits::reset;
  sc_core::sc_time delay = annotation(at);
  access(tlm::TLM_WRITE_COMMAND, PbxRegister::control, value, delay);
}

// The program acts on what the board has told its schedule.
void IoNode::poll() {
  for (const PbxRegister which : {PbxRegister::status, PbxRegister::frame_count}) {
    std::uint32_t value = 0;
    sc_core::sc_time delay;
    access(tlm::TLM_READ_COMMAND, which, value, delay);
    if (delay == sc_core::SC_ZERO_TIME) continue;
    wait(to_sc_time(edge_at_or_after(to_time(delay))), ecb_->was_reset());
    if (ecb_->was_reset().triggered()) return;
    if (ecb_->reset_is_due()) return wait(ecb_->was_reset());
  }
}

// The only expected error is a word that failed on the bus.
tlm::tlm_response_status IoNode::access(tlm::tlm_command command, PbxRegister which, std::uint32_t& value,
                                        sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = registers_.access(*pbx_initiator.operator->(), command, which, value, delay);
  if (status != tlm::TLM_OK_RESPONSE && status != tlm::TLM_GENERIC_ERROR_RESPONSE)
    SC_REPORT_ERROR("io_node", ("register access: " + std::to_string(status)).c_str());
  return status;
}

} // namespace hypermon
