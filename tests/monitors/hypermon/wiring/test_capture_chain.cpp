// SPDX-License-Identifier: BSD-3-Clause
// The chain of boards of a machine, without a simulation kernel.
#include "hw/hypermon/core/faults.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/core_chain.hpp"

#include "sw/instrumentation/catalogue_json.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>

using namespace hypermon;

TEST_CASE("the first board is not skewed, and the others are skewed by whole clock periods up to the limit") {
  Spec spec;
  spec.nodes = 128;
  spec.get<EcbSection>().reset_skew_ns = 1000;
  for (spec.seed = 0; spec.seed < 20; ++spec.seed) {
    const auto skews = reset_skews(spec);
    REQUIRE(skews.size() == boards_of(spec));
    CHECK(skews[0] == 0_ps);
    for (const Time skew : skews) {
      CHECK(skew == edge_at_or_before(skew));
      CHECK(skew <= 1000_ns);
    }
    CHECK(std::count(skews.begin(), skews.end(), 0_ps) < 4);
  }
}

TEST_CASE("counts include the time before a reset") {
  Spec spec;
  spec.nodes = 2;
  spec.get<FaultParams>().reset_at_us = 100;
  CoreChain chain(spec, catalogue_size(spec));
  int resets = 0;
  chain.observe({.loss = [](NodeId, const Loss&) {},
                 .fault = [](NodeId, const Fault&) {},
                 .reset = [&](std::size_t, Time) { ++resets; },
                 .written = [](NodeId, Time) {},
                 .message_sent = [](std::size_t, Time) {}});
  const std::array<std::uint8_t, 5> data{1, 2, 3, 4, 5};
  const auto line = chain.line(NodeId{1});
  chain.write(line, 10_us, 5_us, data, false);
  chain.drain_to(150_us);
  chain.write(line, 200_us, 5_us, data, false);
  chain.program_ends(300_us);
  chain.finish();
  CHECK(resets == 1);
  CHECK(chain.counts().strobes == 10);
  CHECK(chain.counts().frames_built == 10);
  CHECK(chain.bytes_read() == chain.counts().drained * 16);
}
