// SPDX-License-Identifier: BSD-3-Clause
// Extensions of the generic payload: the spacing of a burst's strobes, and a block of frames.
#pragma once
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/core/stretch.hpp"
#include <tlm>

namespace hypermon {

/// On a WRITE to the strobe side: datum j (in the layout of Burst) is strobed j * spacing after the annotated time. A
/// transaction without the extension carries one datum.
struct BurstExtension : tlm::tlm_extension<BurstExtension> {
  Time spacing;
  bool flag_first = false; ///< Burst::flag_first
  tlm::tlm_extension_base* clone() const override { return new BurstExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const BurstExtension&>(from); }
};

/// Makes the payload a write of data to line `line` of a strobe target. The payload points to the caller's data.
inline void set_strobes(tlm::tlm_generic_payload& payload, std::uint32_t line, std::span<const std::uint8_t> data) {
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(line);
  payload.set_data_ptr(const_cast<unsigned char*>(data.data())); // a WRITE's data are only read
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/// Checks a write to a strobe target with `lines` lines and data of `datum_bytes` (1, 2 or 4) bytes. `burst` is the
/// payload's burst extension, or null.
inline tlm::tlm_response_status check_strobes(const tlm::tlm_generic_payload& payload, std::uint64_t lines,
                                              std::size_t datum_bytes, const BurstExtension* burst) {
  const unsigned length = payload.get_data_length();
  if (payload.get_address() >= lines) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_command() != tlm::TLM_WRITE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (length == 0 || (length & (datum_bytes - 1)) != 0 || payload.get_streaming_width() < length ||
      (length > datum_bytes && burst == nullptr))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

/// Checks an access to the board's registers, regardless of the board's state. null: there is no such register.
inline tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, const RegisterInfo* which) {
  if (which == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != pbx_access_bytes || payload.get_streaming_width() < pbx_access_bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const bool allowed = payload.is_read() ? can_read(which->access) : payload.is_write() && can_write(which->access);
  return allowed ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
}

/// On a transaction with TLM_IGNORE_COMMAND to the frame FIFO register: `sink` receives all frames that the board's own
/// reader has read before the annotated time.
struct FramesExtension : tlm::tlm_extension<FramesExtension> {
  FrameSink* sink = nullptr;
  tlm::tlm_extension_base* clone() const override { return new FramesExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const FramesExtension&>(from); }
};

} // namespace hypermon
