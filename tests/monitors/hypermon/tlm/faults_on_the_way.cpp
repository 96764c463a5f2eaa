// SPDX-License-Identifier: BSD-3-Clause
// Faults at the ERB and on the PBX do to a run what the core says.
#include "hw/hypermon/core/replay.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"
#include "tests/monitors/hypermon/core/oracle.hpp"
#include "tests/monitors/hypermon/tlm/chain.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct Run {
  Hardware hardware;
  FaultParams faults;
  Chain chain;
  std::vector<Fault> reported;
  Run(const Hardware& h, const FaultParams& f, DrainedBy drained_by, const ErbParams& erb = {})
      : hardware(h), faults(f), chain(h, drained_by, 16, erb) {
    if (auto* lines = chain.erb.inject(faults, 0, 16))
      lines->on_fault([this](const Fault& fault) { reported.push_back(fault); });
    chain.pbx.inject_errors(faults, PbxBus::ecb_frame_fifo);
  }
};

} // namespace

TEST_CASE("injected faults act on the strobes as in the core, and bus errors cost just their frames") {
  const StrictReports strict;
  Hardware hardware;
  hardware.ecb.inputs = 16;
  FaultParams on_lines;
  on_lines.drop_probability = 0.05;
  on_lines.bit_error_probability = 0.02;
  on_lines.skew_ns = 500;
  on_lines.skew_first_node = 2;
  on_lines.stuck_at_ms = 0.1;
  on_lines.stuck_for_ms = 0.2;
  on_lines.stuck_first_node = 5;
  FaultParams on_bus;
  on_bus.pbx_error_probability = 0.05;
  ErbParams erb;
  erb.propagation_ns = 70;
  erb.skew_ns = 200;
  erb.setup_ns = 300;
  erb.narrowing_ns = 300;
  erb.min_pulse_ns = 200;
  erb.pulse_ns = 900;

  Run lines(hardware, on_lines, DrainedBy::reader, erb);
  Run sound(hardware, {}, DrainedBy::words);
  Run failing(hardware, on_bus, DrainedBy::words);
  Run in_blocks(hardware, {}, DrainedBy::reader);
  in_blocks.chain.ecb.board().fail_reads(PbxFaults(on_bus));
  CHECK(sound.chain.erb.inject({}, 0, 16) == nullptr);

  Random r(3);
  const Case shape{hardware, Stream(r, hardware).bursts(2000), 5};
  const Bursts bursts(shape);
  StrobeFaults core(on_lines, 0, 16, 4, erb);
  std::vector<Fault> expected_faults;
  core.on_fault([&](const Fault& f) { expected_faults.push_back(f); });
  struct Passed {
    Burst burst;
    std::vector<std::uint8_t> data;
  };
  std::vector<Passed> expected;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (const Burst& b : bursts.views()) {
    for (Run* run : {&lines, &sound, &failing, &in_blocks})
      REQUIRE(run->chain.ports[b.input]->write(b.first, b.spacing, b.data) == tlm::TLM_OK_RESPONSE);
    for (const Burst& p : core.pass(b)) {
      expected.push_back({p, {p.data.begin(), p.data.end()}});
      expected.back().burst.first += ErbLine(erb, p.input, 4).strobe_delay();
    }
  }
  lines.chain.io_node.finish();
  std::vector<Burst> views;
  for (auto& [burst, data] : expected) {
    burst.data = data;
    views.push_back(burst);
  }
  const Replay replayed = replay(hardware.port, hardware.ecb, hardware.pbx, hardware.reader, views);
  CHECK(lines.reported == expected_faults);
  CHECK(expected_faults.size() > 50);
  for (const FaultKind kind : {FaultKind::short_pulse, FaultKind::overlapping_pulse, FaultKind::unsettled_data})
    CHECK(std::ranges::any_of(expected_faults, [kind](const Fault& f) { return f.kind == kind; }));
  CHECK(lines.chain.frames == replayed.frames);
  CHECK(lines.chain.ecb.board().counts() == replayed.counts);

  // Faults do not touch an access that is not a strobe write; the board refuses it.
  CHECK(lines.chain.ports[0]->write(1_ms, 0_ps, {}) == tlm::TLM_BURST_ERROR_RESPONSE);

  // The program reads a failed frame to its end, so that later frames arrive at their usual times.
  const Time end =
      oracle::Board(hardware.port, hardware.ecb, hardware.pbx, hardware.reader).run(bursts.views()).counts.end;
  sc_core::sc_start(to_sc_time(end + 1_ms));
  PbxFaults words(on_bus);
  std::vector<DeliveredFrame> rest;
  for (const DeliveredFrame& frame : sound.chain.frames)
    if (!words.next_frame_fails(4)) rest.push_back(frame);
  CHECK(rest.size() + 10 < sound.chain.frames.size());
  CHECK(failing.chain.frames == rest);
  in_blocks.chain.io_node.finish();
  CHECK(failing.chain.frames == in_blocks.chain.frames);
  for (Run* run : {&failing, &in_blocks}) sort(run->chain.losses);
  CHECK(failing.chain.losses == in_blocks.chain.losses);
  const auto of_bus = [](const Loss& loss) { return loss.cause == LossCause::bus_error; };
  CHECK(std::ranges::count_if(failing.chain.losses, of_bus) > 10);
}
