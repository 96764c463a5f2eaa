// SPDX-License-Identifier: BSD-3-Clause
// Two modules of our own on HYPERMON: a logic analyser on the backplane, a polling initiator on the PBX.
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/ecb.hpp"
#include "hw/hypermon/tlm/erb.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/performance_port.hpp"
#include "logic_analyser.hpp"
#include "poller.hpp"
#include <algorithm>
#include <cstdio>

using namespace hypermon;

namespace {

// What a frame says a node's datum was (HYPERMON sec. 3.2.1: node 15 in bits 31..28 of word 0).
std::uint8_t datum(const Poller::Frame& frame, std::uint32_t node) {
  return static_cast<std::uint8_t>(frame[node >= 8 ? 0 : 1] >> (4 * (node % 8)) & 0xF);
}

} // namespace

int sc_main(int /*argc*/, char** /*argv*/) {
  const EcbParams prototype;
  Backplane backplane("backplane");
  PerformancePort node3("node3");
  PerformancePort node8("node8");
  Erb erb("erb", {});
  Ecb ecb("ecb", {}, prototype, {}, {}, DrainedBy::bus_master); // it is our initiator that reads
  PbxBus pbx("pbx");
  LogicAnalyser analyser("analyser");
  Poller poller("poller", 10_us);

  node3.strobe_initiator.bind(backplane.strobe_target[3]);
  node8.strobe_initiator.bind(backplane.strobe_target[8]);
  backplane.strobe_initiator.bind(erb.strobe_target);
  backplane.strobe_initiator.bind(analyser.strobe_target);
  erb.strobe_initiator.bind(ecb.strobe_target);
  poller.pbx_initiator.bind(pbx.pbx_target);
  pbx.attach(ecb.pbx_target, PbxBus::ecb_registers);
  sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates

  const std::uint8_t from3[] = {1, 2, 3, 4};
  const std::uint8_t from8[] = {9, 10, 11};
  node3.write(5_us, 26_us, from3);
  node8.write(31_us, 40_us, from8);
  sc_core::sc_start(to_sc_time(1_ms));

  std::vector<Sample> samples = analyser.samples();
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
  const auto window = Time{prototype.window_ns};
  std::size_t captured = 0;
  for (const Sample& s : samples) {
    const auto k = static_cast<std::uint32_t>(s.time / window);
    const bool in_frame = std::any_of(poller.frames().begin(), poller.frames().end(), [&](const Poller::Frame& f) {
      return f[3] == k && (f[2] >> s.slot & 1) != 0 && datum(f, s.slot) == s.datum;
    });
    captured += in_frame ? 1 : 0;
    std::printf("%7.1f us  slot %2u  datum %2u  %s\n", s.time.microseconds(), s.slot, unsigned{s.datum},
                in_frame ? "in a frame" : "in no frame");
  }
  std::printf("%zu strobes on the backplane, %zu of them in the %zu frames read\n", samples.size(), captured,
              poller.frames().size());
  return captured == samples.size() && captured == std::size(from3) + std::size(from8) ? 0 : 1;
}
