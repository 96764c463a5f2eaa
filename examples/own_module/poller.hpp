// SPDX-License-Identifier: BSD-3-Clause
// A user's own initiator on the PBX: polls the status register and reads frames, word by word.
#pragma once
#include "base/time.hpp"
#include "hw/hypermon/core/registers.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include <array>
#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <vector>

class Poller : public sc_core::sc_module {
public:
  using Frame = std::array<std::uint32_t, 4>; ///< as on the bus: data of nodes 15 to 8, 7 to 0; vector; timestamp

  tlm_utils::simple_initiator_socket<Poller> pbx_initiator{"pbx_initiator"};

  /// Looks every `period`, which it spends on other work.
  Poller(const sc_core::sc_module_name& name, hypermon::Time period);

  const std::vector<Frame>& frames() const { return frames_; }

private:
  void run();
  std::uint32_t read(hypermon::PbxRegister which);

  sc_core::sc_time period_;
  tlm_utils::tlm_quantumkeeper local_; // how far this thread is ahead of the simulation
  hypermon::PayloadPool pool_;
  std::vector<Frame> frames_;
};
