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
#include <cstring>
#include <memory>

namespace hypermon::testing {

/// Keeps all frames, those of stretches as well.
struct KeptFrames : FrameSink {
  std::vector<DeliveredFrame> all;
  void frames(std::span<const DeliveredFrame> f) override { all.insert(all.end(), f.begin(), f.end()); }
  void stretch(const Stretch& s) override { frames(s.frames()); }
};

struct SeenAccess {
  Time begin;
  std::uint64_t address;
  std::uint32_t value;
  Time end;
  bool operator==(const SeenAccess&) const = default;
};
struct SeenStrobe {
  Time time;
  std::uint64_t slot;
  std::vector<std::uint8_t> data;
  auto operator<=>(const SeenStrobe&) const = default;
};

/// Stands between a master and the bus, and records each register access with its time.
struct PbxProbe : sc_core::sc_module {
  tlm_utils::simple_target_socket<PbxProbe> pbx_target{"pbx_target"};
  tlm_utils::simple_initiator_socket<PbxProbe> pbx_initiator{"pbx_initiator"};
  std::vector<SeenAccess> seen;

  explicit PbxProbe(const sc_core::sc_module_name& name) : sc_module(name) {
    pbx_target.register_b_transport(this, &PbxProbe::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const Time begin = absolute(delay);
    pbx_initiator->b_transport(payload, delay);
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    std::uint32_t value = 0;
    std::memcpy(&value, payload.get_data_ptr(), sizeof value);
    seen.push_back({begin, payload.get_address(), value, absolute(delay)});
  }
};

/// Listens on a backplane, and records each transaction with its time.
struct StrobeProbe : sc_core::sc_module, StrobeTarget {
  tlm::tlm_target_socket<> strobe_target{"strobe_target"};
  std::vector<SeenStrobe> seen;

  explicit StrobeProbe(const sc_core::sc_module_name& name) : sc_module(name) { strobe_target.bind(*this); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const unsigned char* const data = payload.get_data_ptr();
    seen.push_back({absolute(delay), payload.get_address(), {data, data + payload.get_data_length()}});
  }
};

struct Chain {
  Backplane backplane{sc_core::sc_gen_unique_name("backplane")};
  Erb erb;
  Ecb ecb;
  PbxBus pbx{sc_core::sc_gen_unique_name("pbx")};
  std::unique_ptr<PbxProbe> probe; // null: the test binds the I/O node
  IoNode io_node;
  std::vector<std::unique_ptr<PerformancePort>> ports;
  KeptFrames kept;
  std::vector<DeliveredFrame>& frames = kept.all;
  std::vector<Loss> losses;

  explicit Chain(const Hardware& h, DrainedBy drained_by = DrainedBy::reader, std::uint32_t nodes = 16,
                 const ErbParams& erb_params = {}, IoNode::Accesses accesses = IoNode::Accesses::ahead,
                 bool one_master = true)
      : erb(sc_core::sc_gen_unique_name("erb"), erb_params),
        ecb(sc_core::sc_gen_unique_name("ecb"), h.port, h.ecb, h.pbx, h.reader, drained_by,
            accesses == IoNode::Accesses::on_call ? Ecb::Pace::caller : Ecb::Pace::systemc),
        io_node(sc_core::sc_gen_unique_name("io_node"), ecb.board().format(),
                drained_by == DrainedBy::words ? accesses : IoNode::Accesses::blocks) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      ports.push_back(std::make_unique<PerformancePort>(sc_core::sc_gen_unique_name("port")));
      ports[i]->strobe_initiator.bind(backplane.strobe_target[i]);
    }
    backplane.strobe_initiator.bind(erb.strobe_target);
    erb.strobe_initiator.bind(ecb.strobe_target);
    if (one_master) {
      probe = std::make_unique<PbxProbe>(sc_core::sc_gen_unique_name("probe"));
      io_node.pbx_initiator.bind(probe->pbx_target);
      probe->pbx_initiator.bind(pbx.pbx_target);
    }
    pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
    io_node.deliver_to(&kept);
    if (drained_by == DrainedBy::words) io_node.run_program_of(ecb);
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
