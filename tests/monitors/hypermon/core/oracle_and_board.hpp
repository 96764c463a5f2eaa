// SPDX-License-Identifier: BSD-3-Clause
// One scenario of a rule, for the oracle and the board alike.
#pragma once
#include "hw/hypermon/core/replay.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/differences.hpp"

namespace hypermon::testing {

struct Scenario {
  EcbParams ecb;
  PortParams port{};
  PbxParams pbx{};
  ReaderParams reader{};
  Time program_end{};
  explicit Scenario(const EcbParams& e) : ecb(e) {}

  /// Data with a strobe each; of each input in the order of their times. The port's width is set before.
  Scenario& strobes(std::uint32_t input, Time first, Time spacing, std::initializer_list<std::uint32_t> data,
                    bool flag_first = false) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t datum : data)
      for (std::int64_t bit = 0; bit < port.width_bits; bit += 8)
        bytes.push_back(static_cast<std::uint8_t>(datum >> bit));
    bursts_.push_back({input, first, spacing, std::move(bytes), flag_first});
    return *this;
  }
  Scenario& strobe(std::uint32_t input, Time time, std::uint32_t datum = 1, bool flagged = false) {
    return strobes(input, time, 0_ps, {datum}, flagged);
  }
  std::vector<Burst> bursts() const {
    std::vector<Burst> views;
    for (const auto& b : bursts_) views.push_back({b.input, b.first, b.spacing, b.data, b.flag_first});
    return views;
  }

private:
  struct Owned {
    std::uint32_t input;
    Time first;
    Time spacing;
    std::vector<std::uint8_t> data;
    bool flag_first;
  };
  std::vector<Owned> bursts_;
};

struct Outcome {
  std::vector<DeliveredFrame> frames;
  std::vector<Loss> losses; ///< sorted by input and sequence
  Counts counts;
};

/// Calls `check` with the oracle's results, and with the board's.
template <class Check> void on_oracle_and_board(const Scenario& s, Check&& check) {
  SECTION("the oracle") {
    oracle::Result r = oracle::Board(s.port, s.ecb, s.pbx, s.reader).run(s.bursts(), {}, nullptr, s.program_end);
    sort(r.losses);
    check(Outcome{std::move(r.frames), std::move(r.losses), r.counts});
  }
  SECTION("the board") {
    Replay r = replay(s.port, s.ecb, s.pbx, s.reader, s.bursts(), s.program_end);
    sort(r.losses);
    check(Outcome{std::move(r.frames), std::move(r.losses), r.counts});
  }
}

} // namespace hypermon::testing
