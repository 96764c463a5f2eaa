// SPDX-License-Identifier: BSD-3-Clause
// A second master of the PBX, such as a SCSI or Ethernet card, and the memory that it writes to.
#pragma once
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/core/second_master.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include <functional>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <utility>
#include <vector>

namespace hypermon {

/// Requests the bus for a burst of words at a phase and every period after it, or as soon as the previous burst has
/// ended. It does so without end unless ends_when() is set.
class SecondMaster : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<SecondMaster> pbx_initiator{"pbx_initiator"};

  SecondMaster(const sc_core::sc_module_name& name, const SecondMasterParams& params, Time phase);

  /// `is_over` is called before each burst. When it returns true, no more bursts begin.
  void ends_when(std::function<bool()> is_over) { is_over_ = std::move(is_over); }

  struct Totals {
    std::uint64_t bursts = 0; ///< bursts that had the bus
    Time waited;              ///< total time spent waiting for the bus
  };
  const Totals& totals() const { return totals_; }

private:
  void run();

  Time phase_;
  Time period_;
  std::vector<unsigned char> words_;
  PayloadPool pool_;
  std::function<bool()> is_over_ = [] { return false; };
  Totals totals_;
};

/// Accepts all writes and answers all reads, in the bus's word time each. Values are not kept.
class PbxMemory : public sc_core::sc_module {
public:
  static constexpr AddressRange addresses{0x10000, 0x10000}; // (chosen)
  tlm_utils::simple_target_socket<PbxMemory> pbx_target{"pbx_target"};

  PbxMemory(const sc_core::sc_module_name& name, const PbxParams& params);

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  sc_core::sc_time word_;
  sc_core::sc_time burst_start_;
};

} // namespace hypermon
