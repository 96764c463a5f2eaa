// A node's performance port: five bits, a strobe and a datum (HYPERMON sec. 3.1).
#pragma once
#include "hw/tlm/extensions.hpp"
#include "hw/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class PerformancePort : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<PerformancePort> backplane_out;

  /// `slot`: the node's place in the backplane.
  PerformancePort(const sc_core::sc_module_name& name, std::uint32_t slot);
  ~PerformancePort() override;

  /// Data as they lie in a Burst; datum j is strobed at first + j * spacing. May be called outside any SystemC process,
  /// as long as `first` is not before the last time to which the boards were drained.
  tlm::tlm_response_status write(Time first, Time spacing, std::span<const std::uint8_t> data, bool flag_first = false);

private:
  // One transaction at a time and none outlives write(), so one payload and one extension do for all.
  tlm::tlm_generic_payload payload_;
  BurstExtension burst_;
  std::uint32_t slot_;
};

} // namespace hypermon
