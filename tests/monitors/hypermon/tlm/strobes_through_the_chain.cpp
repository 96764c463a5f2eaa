// SPDX-License-Identifier: BSD-3-Clause
// From the performance port to the board: times, propagation, slots that no board captures, bad writes.
#include "hw/hypermon/core/replay.hpp"
#include "tests/monitors/hypermon/tlm/chain.hpp"

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("bursts written outside any SystemC process arrive at their exact times, however far SystemC lags") {
  const StrictReports strict;
  const Hardware prototype;
  ErbParams erb;
  erb.propagation_ns = 130;
  Chain chain(prototype, DrainedBy::reader, 20, erb);
  const std::vector<std::uint8_t> nibbles{1, 2, 3, 15, 7};
  std::vector<std::uint8_t> data = nibbles;

  sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates
  // SystemC's time goes in steps that have nothing to do with the bursts'.
  std::vector<Burst> delayed; // bursts that the board should receive: the same, one propagation delay later
  for (int i = 0; i < 10; ++i) {
    const Time first = Time::from_ps(123'456'789LL * i + 77);
    const auto slot = static_cast<std::uint32_t>(i % 16);
    if (to_time(sc_core::sc_time_stamp()) < first - 50_us) sc_core::sc_start(to_sc_time(41_us));
    REQUIRE(chain.ports[slot]->write(first, 26140_ns, data) == tlm::TLM_OK_RESPONSE);
    delayed.push_back({slot, first + 130_ns, 26140_ns, nibbles});
  }
  data.assign(5, 0); // the board has its own copy
  chain.io_node.drain_to(1_ms);
  const std::size_t early = chain.frames.size();
  chain.io_node.finish();

  const Replay expected = replay(prototype.port, prototype.ecb, prototype.pbx, prototype.reader, delayed);
  REQUIRE(expected.frames.size() > 40);
  CHECK(chain.frames == expected.frames);
  CHECK(chain.ecb.board().counts() == expected.counts);
  CHECK(early == static_cast<std::size_t>(std::count_if(expected.frames.begin(), expected.frames.end(),
                                                        [](const auto& f) { return f.read_end < 1_ms; })));

  // Slots 16 to 19 have no input on the board.
  CHECK(chain.backplane.not_captured() == 0);
  for (std::uint32_t slot = 16; slot < 20; ++slot)
    CHECK(chain.ports[slot]->write(2_ms, 1_us, nibbles) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(chain.backplane.not_captured() == 4 * nibbles.size());
}
