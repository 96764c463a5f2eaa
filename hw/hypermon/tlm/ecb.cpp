// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/ecb.hpp"
#include <cstring>

namespace hypermon {

using tlm::tlm_response_status;

Ecb::Ecb(const sc_core::sc_module_name& name, const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
         const ReaderParams& reader, DrainedBy drained_by, Pace pace)
    : sc_module(name), strobe_target("strobe_target"), pbx_target("pbx_target"),
      board_(port, ecb, pbx, reader, drained_by), follows_(drained_by == DrainedBy::words && pace == Pace::systemc) {
  require_picoseconds();
  strobe_target.bind(*this);
  pbx_target.register_b_transport(this, &Ecb::access);
  pbx_target.register_transport_dbg(this, &Ecb::debug);
  pbx_target.register_get_direct_mem_ptr(this, &Ecb::no_dmi);
  if (reader.kind == ReaderKind::group) {
    register_read_ = to_sc_time(pbx.register_read_ns);
    register_write_ = to_sc_time(pbx.register_write_ns);
  }
  if (!follows_) return;
  SC_HAS_PROCESS(Ecb);
  SC_METHOD(follow);
  sensitive << next_;
  dont_initialize();
}

void Ecb::b_transport(Payload& payload, sc_core::sc_time& delay) {
  const auto* burst = payload.get_extension<BurstExtension>();
  const tlm_response_status status = check_strobes(payload, board_.inputs(), board_.datum_bytes(), burst);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) [[unlikely]]
    return;
  board_.write({static_cast<std::uint32_t>(payload.get_address()),
                now(*this) + to_time(delay),
                burst != nullptr ? burst->spacing : 0_ps,
                {payload.get_data_ptr(), payload.get_data_length()},
                burst != nullptr && burst->flag_first});
  arm();
}

// Simulates every edge at this instant, after all strobes at it: no writer can still add a strobe at this time.
void Ecb::follow() {
  const Time now = to_time(sc_core::sc_time_stamp());
  if (reset_is_due()) return;
  if (follower_.before) follower_.before(now);
  if (acts_) {
    run_ahead(now);
  } else {
    board_.advance(std::max(board_.horizon(), now + 1_ps));
    if (board_.reader().polls() != polls_ || board_.reads_words()) program_acts_.notify();
    polls_ = board_.reader().polls();
  }
  arm();
  if (follower_.after) follower_.after(now);
}

// Temporal decoupling: the quantum ends at the first instant at which anyone else may act.
void Ecb::run_ahead(Time now) {
  const Time end = std::max(now + 1_ps, final_ ? final_() : 0_ps);
  if (board_.horizon() < end) run_to(end);
}

// A frame whose words are not all read is ended by a reset at `end` or later; its words before the reset have been
// read.
void Ecb::run_to(Time end) {
  running_ahead_ = true;
  while (!board_.reads_words() && board_.advance_to_action(end)) acts_(board_.horizon() - 1_ps);
  if (board_.reads_words()) board_.advance(end);
  running_ahead_ = false;
}

// An event that is already pending for an earlier time stays; it finds nothing to do.
void Ecb::arm() {
  if (!follows_ || running_ahead_) return;
  const Time next = board_.next_event();
  if (next == Time::never()) return;
  next_.notify(to_sc_time(std::max(next - to_time(sc_core::sc_time_stamp()), 0_ps)));
}

// An access sees and changes the registers at its begin (chosen). The polls of an ideal reader are free.
void Ecb::access(Payload& payload, sc_core::sc_time& delay) {
  const RegisterInfo* which = find_register(payload.get_address());
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    auto* block = payload.get_extension<FramesExtension>();
    const bool to_fifo = which != nullptr && which->offset == PbxRegister::frame_fifo;
    return payload.set_response_status(block == nullptr ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                       : !to_fifo       ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                        : hand_over(*block, absolute(delay)));
  }
  const tlm_response_status status = check_access(payload, which);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  std::uint32_t value = 0;
  if (payload.is_read()) {
    value = read_register(which->offset, delay);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  } else {
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    write_control(value, absolute(delay));
    delay += register_write_;
  }
}

void Ecb::write_control(std::uint32_t value, Time at) {
  board_.write_control(value, at);
  if ((value & control_bits::reset) == 0) return;
  reset_at_ = Time::never();
  was_reset_.notify();
  arm();
}

std::uint32_t Ecb::read_register(PbxRegister which, sc_core::sc_time& delay) {
  const Time now = hypermon::now(*this);
  const Time at = now + to_time(delay);
  if (which != PbxRegister::frame_fifo) {
    delay += register_read_;
    return which == PbxRegister::status ? board_.read_status(at) : board_.read_frame_count(at);
  }
  const auto word = board_.read_frame_word(at);
  delay = to_sc_time(word.end - now);
  arm();
  return word.value;
}

tlm_response_status Ecb::hand_over(const FramesExtension& block, Time at) {
  board_.deliver_to(block.sink);
  board_.advance(at);
  return tlm::TLM_OK_RESPONSE;
}

// Reads bytes from the address on, up to the first that cannot be read; any address and length are allowed. Debug
// accesses ignore byte enables and streaming width (IEEE 1666 sec. 11.3).
unsigned Ecb::debug(Payload& payload) {
  if (payload.get_command() != tlm::TLM_READ_COMMAND) return 0;
  const std::uint64_t first = payload.get_address();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    const std::uint64_t address = first + i;
    const RegisterInfo* which = find_register(address - address % pbx_access_bytes);
    if (which == nullptr || !can_read(which->access)) return i;
    payload.get_data_ptr()[i] =
        static_cast<unsigned char>(board_.peek(which->offset) >> (8 * (address % pbx_access_bytes)));
  }
  return payload.get_data_length();
}

bool Ecb::no_dmi(Payload& /*payload*/, tlm::tlm_dmi& dmi) { return refuse_dmi(dmi, 0, pbx_register_bytes - 1); }

} // namespace hypermon
