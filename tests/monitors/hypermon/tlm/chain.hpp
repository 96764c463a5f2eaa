// SPDX-License-Identifier: BSD-3-Clause
// A whole capture path, wired as a platform does it, and what every SystemC test needs.
#pragma once
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/erb.hpp"
#include "hw/hypermon/tlm/io_node.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/performance_port.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <memory>

namespace hypermon::testing {

/// Keeps all frames, those of stretches as well.
struct KeptFrames : FrameSink {
  std::vector<DeliveredFrame> all;
  void frames(std::span<const DeliveredFrame> f) override { all.insert(all.end(), f.begin(), f.end()); }
  void stretch(const Stretch& s) override { frames(s.frames()); }
};

struct Chain {
  Backplane backplane{sc_core::sc_gen_unique_name("backplane")};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{sc_core::sc_gen_unique_name("pbx")};
  IoNode io_node;
  std::vector<std::unique_ptr<PerformancePort>> ports;
  KeptFrames kept;
  std::vector<DeliveredFrame>& frames = kept.all;
  std::vector<Loss> losses;

  explicit Chain(const Hardware& h, DrainedBy drained_by = DrainedBy::reader, std::uint32_t nodes = 16,
                 const ErbParams& erb_params = {}, bool one_master = true)
      : erb(sc_core::sc_gen_unique_name("erb"), erb_params),
        ecb(sc_core::sc_gen_unique_name("ecb"), h.port, h.ecb, h.pbx, h.reader, drained_by),
        io_node(sc_core::sc_gen_unique_name("io_node"), ecb.board().format()) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      ports.push_back(std::make_unique<PerformancePort>(sc_core::sc_gen_unique_name("port")));
      ports[i]->strobe_initiator.bind(backplane.strobe_target[i]);
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(ecb.strobe_target);
    if (one_master) io_node.pbx_initiator.bind(pbx.pbx_target);
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
    io_node.deliver_to(&kept);
    if (drained_by == DrainedBy::words)
      io_node.run_program_of(ecb, one_master ? IoNode::Accesses::ahead : IoNode::Accesses::in_time);
    ecb.board().on_loss([this](const Loss& loss) { losses.push_back(loss); });
  }
};

/// Warnings are failures. Constructed before anything else of SystemC.
struct StrictReports {
  StrictReports() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DISPLAY | sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  }
};

} // namespace hypermon::testing
