// SPDX-License-Identifier: BSD-3-Clause
// Event regeneration board: samples data with the strobe and passes both on after the line's delay, with injected
// faults if requested (spec sec. 5).
#pragma once
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class Erb : public sc_core::sc_module, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target; ///< from the backplane
  tlm_utils::simple_initiator_socket<Erb> strobe_initiator;

  Erb(const sc_core::sc_module_name& name, const ErbParams& params);

  /// Injects the faults of strobe and data lines, and gives the lines their delays. Line i belongs to node
  /// first_node + i; lines from `lines` on have no faults and no skew. Returns null if no fault can happen.
  StrobeFaults* inject(const FaultParams& faults, std::uint32_t first_node, std::size_t lines,
                       std::int64_t width_bits = 4);

private:
  using Payload = tlm::tlm_generic_payload;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  void pass_faulty(Payload& payload, const sc_core::sc_time& delay);
  void end_of_elaboration() override { target_ = strobe_initiator.operator->(); }

  tlm::tlm_fw_transport_if<>* target_ = nullptr; // target of strobe_initiator
  const sc_core::sc_time& delay_of(std::uint64_t line) const {
    return line < delays_.size() ? delays_[line] : propagation_;
  }

  ErbParams params_;
  sc_core::sc_time propagation_;
  std::vector<sc_core::sc_time> delays_; // by line; empty: there is no skew
  std::unique_ptr<StrobeFaults> faults_; // null: no faults
  std::size_t faulty_lines_ = 0;
  ReusedPayload<BurstExtension> piece_; // a part of a burst that faults have changed
};

} // namespace hypermon
