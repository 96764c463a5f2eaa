#include "hw/tlm/ecb.hpp"
#include <cstring>

namespace hypermon {

namespace {

using tlm::tlm_generic_payload;
using tlm::tlm_response_status;

// What is wrong with a register access, whatever the board's state.
tlm_response_status check(const tlm_generic_payload& payload, const RegisterInfo* which) {
  if (which == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != sizeof(std::uint32_t) || payload.get_streaming_width() < sizeof(std::uint32_t))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const auto command = which->access == Access::read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
  if (payload.get_command() != command) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

} // namespace

Ecb::Ecb(const sc_core::sc_module_name& name, const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
         const ReaderParams& reader, DrainedBy drained_by)
    : sc_module(name), strobes_in("strobes_in"), pbx_target("pbx_target"), board_(port, ecb, pbx, reader, drained_by) {
  require_picoseconds();
  strobes_in.register_b_transport(this, &Ecb::strobes);
  pbx_target.register_b_transport(this, &Ecb::access);
  pbx_target.register_transport_dbg(this, &Ecb::debug);
}

void Ecb::strobes(Payload& payload, sc_core::sc_time& delay) {
  payload.set_response_status(write_burst(payload, absolute(delay)));
}

tlm_response_status Ecb::write_burst(const Payload& payload, Time at) {
  const auto* burst = payload.get_extension<BurstExtension>();
  const unsigned length = payload.get_data_length();
  if (payload.get_address() >= board_.inputs()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_command() != tlm::TLM_WRITE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (length == 0 || length % board_.datum_bytes() != 0 || payload.get_streaming_width() < length ||
      (burst == nullptr && length > board_.datum_bytes()))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  board_.write({static_cast<std::uint32_t>(payload.get_address()),
                at,
                burst != nullptr ? burst->spacing : 0_ps,
                {payload.get_data_ptr(), length},
                burst != nullptr && burst->flag_first});
  return tlm::TLM_OK_RESPONSE;
}

// Control, status and count take no bus time here: what reading them costs the drain program is reader.group_ns
// (chosen; so an ideal reader's looks are free).
void Ecb::access(Payload& payload, sc_core::sc_time& delay) {
  const RegisterInfo* which = find_register(payload.get_address());
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    auto* block = payload.get_extension<FramesExtension>();
    const bool to_fifo = which != nullptr && which->offset == PbxRegister::frame_fifo;
    return payload.set_response_status(block == nullptr ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                       : !to_fifo       ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                        : hand_over(*block, absolute(delay)));
  }
  const tlm_response_status status = check(payload, which);
  payload.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  std::uint32_t value = 0;
  if (which->access == Access::read) {
    value = read_register(which->offset, delay);
    std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  } else {
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    board_.write_control(value, absolute(delay));
  }
}

std::uint32_t Ecb::read_register(PbxRegister which, sc_core::sc_time& delay) {
  const Time at = absolute(delay);
  if (which == PbxRegister::status) return board_.read_status(at);
  if (which == PbxRegister::frame_count) return board_.read_frame_count(at);
  const auto word = board_.read_frame_word(at);
  delay = annotation(word.end);
  return word.value;
}

tlm_response_status Ecb::hand_over(const FramesExtension& block, Time at) {
  board_.deliver_to(block.sink);
  board_.advance(at);
  return tlm::TLM_OK_RESPONSE;
}

unsigned Ecb::debug(Payload& payload) {
  const RegisterInfo* which = find_register(payload.get_address());
  if (which == nullptr || which->access != Access::read || payload.get_command() != tlm::TLM_READ_COMMAND ||
      payload.get_data_length() < sizeof(std::uint32_t))
    return 0;
  const std::uint32_t value = board_.peek(which->offset);
  std::memcpy(payload.get_data_ptr(), &value, sizeof value);
  return sizeof value;
}

} // namespace hypermon
