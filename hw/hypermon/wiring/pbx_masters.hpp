// SPDX-License-Identifier: BSD-3-Clause
// The I/O node's side of a board: its PBX with all masters and the user's modules.
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/bus_watch.hpp"
#include "hw/hypermon/tlm/pbx_arbiter.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/second_master.hpp"
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "hw/hypermon/wiring/user_object.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hypermon {

/// The shared object of pbx.module; empty if the parameter is.
UserObject pbx_object(const Spec& spec);
/// Ends the process with status 2: a module of pbx.module waits in an access, which a functional board cannot wait for.
[[noreturn]] void refuse_wait(const UserObject& modules, std::size_t board);

/// Masters that contend with the I/O node's program for the bus, and the modules of pbx.module between them and the
/// bus, for all values of pbx.level but functional. It is made while the board's SystemC module is constructed.
class PbxMasters {
public:
  /// Binds the I/O node's program and all others to the bus. Modules of pbx.module may listen on `backplane`.
  /// `directory` is for files that they write. `watch` receives all transactions; null: nothing does.
  PbxMasters(const Spec& spec, std::size_t board, tlm::tlm_initiator_socket<>& program, Backplane& backplane,
             PbxBus& bus, const UserObject& modules, const std::string& directory, BusWatch* watch = nullptr);

  /// The second master; null if the I/O node's program is the only one.
  SecondMaster* second() { return contenders_ ? &contenders_->second : nullptr; }
  /// Adds this bus's waiting times if it has two masters. `waited`, `longest`: those of the I/O node's program.
  void add_to(std::optional<CaptureChain::Contention>& sum, Time waited, Time longest) const;

private:
  struct Contenders {
    PbxArbiter arbiter;
    SecondMaster second;
    PbxMemory memory;
  };
  tlm::tlm_initiator_socket<>& contend(const Spec& spec, std::size_t board, tlm::tlm_initiator_socket<>& program,
                                       PbxBus& bus);

  tlm::tlm_initiator_socket<>& tapped(const char* name, BusWatch::Master master, tlm::tlm_initiator_socket<>& socket);

  BusWatch* watch_;
  std::vector<std::unique_ptr<PbxTap>> taps_{};
  std::unique_ptr<Contenders> contenders_;
  std::unique_ptr<sc_core::sc_module> wait_refusal_;
  std::unique_ptr<sc_core::sc_module> between_;
};

} // namespace hypermon
