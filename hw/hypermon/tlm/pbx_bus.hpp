// SPDX-License-Identifier: BSD-3-Clause
// The PBX bus: decodes addresses between initiators (the I/O node, modules of the user) and targets (the capture board,
// ...).
#pragma once
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <deque>
#include <optional>
#include <systemc>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <vector>

namespace hypermon {

class BusWatch; // bus_watch.hpp

/// Addresses [base, base + size) of the PBX space.
struct AddressRange {
  std::uint64_t base;
  std::uint64_t size;
  bool contains(std::uint64_t address) const { return address >= base && address - base < size; }
};

/// Targets see addresses relative to their base. Blocking transport passes straight through, so initiators must
/// synchronise before each access, as registers have side effects. Non-blocking transport is arbitrated: one
/// transaction owns the bus from BEGIN_REQ to END_RESP, in the order of requests.
class PbxBus : public sc_core::sc_module {
public:
  /// Address of the ECB's registers in the I/O node's PBX space.
  static constexpr std::uint64_t ecb_base = pbx_register_base;
  static constexpr AddressRange ecb_registers{ecb_base, pbx_register_bytes};
  static constexpr AddressRange ecb_frame_fifo{ecb_base + static_cast<std::uint64_t>(PbxRegister::frame_fifo),
                                               pbx_access_bytes};

  tlm_utils::multi_passthrough_target_socket<PbxBus> pbx_target;       ///< bind each initiator
  tlm_utils::multi_passthrough_initiator_socket<PbxBus> pbx_initiator; ///< bind targets with attach()

  explicit PbxBus(const sc_core::sc_module_name& name);

  /// Binds a target to the addresses in `range`, which must not overlap another range. To be called before the
  /// simulation starts.
  void attach(tlm::tlm_base_target_socket_b<>& target, AddressRange range) {
    for (const AddressRange& other : ranges_)
      if (range.contains(other.base) || other.contains(range.base))
        SC_REPORT_FATAL("pbx_bus", "two targets at the same addresses");
    ranges_.push_back(range);
    pbx_initiator.bind(target);
  }
  /// Words read in `range` fail according to `faults`, with TLM_GENERIC_ERROR_RESPONSE. The target has processed the
  /// access and the word has taken its time, but the initiator must not use the value.
  void inject_errors(const FaultParams& faults, AddressRange range);
  /// Reports each transaction to `watch`, for waves. `watch` must outlive the bus.
  void set_watch(BusWatch& watch) { watch_ = &watch; }
  /// Time for which the target made the initiator of the last blocking access wait.
  Time target_took() const { return target_took_; }

private:
  using Payload = tlm::tlm_generic_payload;
  struct Transfer {
    int initiator;
    Payload* payload;
    std::uint64_t address; // address, as given by the initiator
  };

  std::optional<std::size_t> decode(std::uint64_t address) const;
  void b_transport(int initiator, Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int initiator, Payload& payload);
  bool get_direct_mem_ptr(int initiator, Payload& payload, tlm::tlm_dmi& dmi);

  tlm::tlm_sync_enum from_initiator(int initiator, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum from_target(int target, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void due(Payload& payload, const tlm::tlm_phase& phase);
  void start_next();
  void request();
  tlm::tlm_sync_enum respond(sc_core::sc_time& delay);
  void end_current();
  void maybe_fail(Payload& payload);

  std::vector<AddressRange> ranges_; // address ranges of the targets
  std::optional<PbxFaults> faults_;
  AddressRange faulty_{};
  Time target_took_;
  tlm_utils::peq_with_cb_and_phase<PbxBus> due_;
  std::deque<Transfer> coming_;  // transfers whose BEGIN_REQ has a later time
  std::deque<Transfer> waiting_; // transfers that wait for the bus
  std::optional<Transfer> current_;
  std::size_t target_ = 0;        // target of the current transfer
  bool target_wants_end_ = false; // true if the target has sent BEGIN_RESP and waits for END_RESP
  BusWatch* watch_ = nullptr;     // last, so that objects of users find the other members where they were
};

} // namespace hypermon
