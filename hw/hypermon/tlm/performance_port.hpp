// SPDX-License-Identifier: BSD-3-Clause
// A node's performance port: a strobe and a datum, five bits in the prototype (HYPERMON sec. 3.1).
#pragma once
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class PerformancePort : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<PerformancePort> strobe_initiator; ///< to be bound to a slot of the backplane

  explicit PerformancePort(const sc_core::sc_module_name& name);

  /// Makes each strobe of a burst a transaction of its own. `datum_bytes`: 1, 2 or 4. To be called before the
  /// simulation starts.
  void strobe_by_strobe(std::size_t datum_bytes) { datum_bytes_ = datum_bytes; }

  /// Data in the layout of Burst; datum j is strobed at first + j * spacing. May be called outside any SystemC process,
  /// as long as `first` is not before the last time to which the boards were drained.
  tlm::tlm_response_status write(Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first = false);

private:
  tlm::tlm_response_status send(Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first);
  void end_of_elaboration() override { target_ = strobe_initiator.operator->(); }

  // Target of strobe_initiator. Kept because finding it through the socket takes a tenth of a write.
  tlm::tlm_fw_transport_if<>* target_ = nullptr;
  ReusedPayload<BurstExtension> burst_;
  std::size_t datum_bytes_ = 0; // 0: a burst is one transaction
};

} // namespace hypermon
