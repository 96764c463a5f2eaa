// SPDX-License-Identifier: BSD-3-Clause
// Accesses of an I/O node's program to the registers of its board.
#pragma once
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"

namespace hypermon {

/// Makes the accesses and adds up how long they wait for the bus.
class RegisterAccess {
public:
  /// `module` makes the accesses. `bus` knows the time for which a board delays an access, which is not waiting for the
  /// bus. null: the board delays none.
  explicit RegisterAccess(const sc_core::sc_module& module, const PbxBus* bus = nullptr) : module_(module), bus_(bus) {}

  /// Reads or writes a register. Needs a SystemC thread, because a bus may make the access wait.
  tlm::tlm_response_status access(tlm::tlm_fw_transport_if<>& bus, tlm::tlm_command command, PbxRegister which,
                                  std::uint32_t& value, sc_core::sc_time& delay) {
    const Time asked = now(module_);
    tlm::tlm_generic_payload& word = pool_.acquire();
    word.set_command(command);
    word.set_address(pbx_register_base + static_cast<std::uint64_t>(which));
    word.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    word.set_data_length(sizeof value);
    word.set_streaming_width(sizeof value);
    word.set_byte_enable_ptr(nullptr);
    word.set_dmi_allowed(false);
    word.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    bus.b_transport(word, delay);
    const tlm::tlm_response_status status = word.get_response_status();
    word.release();
    took_ = bus_ != nullptr ? bus_->target_took() : 0_ps;
    const Time waited = now(module_) - asked - took_;
    waited_ += waited;
    longest_wait_ = std::max(longest_wait_, waited);
    return status;
  }
  /// Time that accesses have waited for the bus: the sum, and the longest wait of one access.
  Time waited() const { return waited_; }
  Time longest_wait() const { return longest_wait_; }

  /// Time for which the board made the last access wait.
  Time took() const { return took_; }

private:
  const sc_core::sc_module& module_;
  const PbxBus* bus_;
  PayloadPool pool_;
  Time took_;
  Time waited_;
  Time longest_wait_;
};

} // namespace hypermon
