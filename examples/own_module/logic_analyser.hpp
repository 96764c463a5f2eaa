// SPDX-License-Identifier: BSD-3-Clause
// A user's own listener on the backplane: a logic analyser that records every strobe.
#pragma once
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <systemc>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

struct Sample {
  hypermon::Time time;
  std::uint32_t slot;
  std::uint8_t datum;
};

/// It only watches, beside the ERB: so it leaves the response status as it is. A board of your own, in place of the
/// ERB, would set TLM_OK_RESPONSE for what it takes. Listeners never wait.
class LogicAnalyser : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<LogicAnalyser> strobe_target{"strobe_target"};

  explicit LogicAnalyser(const sc_core::sc_module_name& name) : sc_module(name) {
    strobe_target.register_b_transport(this, &LogicAnalyser::b_transport);
  }
  /// In the order in which bursts were written, not of time: ports write ahead.
  const std::vector<Sample>& samples() const { return samples_; }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const auto* burst = payload.get_extension<hypermon::BurstExtension>();
    const auto slot = static_cast<std::uint32_t>(payload.get_address());
    hypermon::Time time = hypermon::absolute(delay);
    for (unsigned j = 0; j < payload.get_data_length(); ++j) {
      samples_.push_back({time, slot, payload.get_data_ptr()[j]});
      if (burst != nullptr) time += burst->spacing;
    }
  }

  std::vector<Sample> samples_;
};
