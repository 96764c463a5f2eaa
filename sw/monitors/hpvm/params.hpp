// SPDX-License-Identifier: BSD-3-Clause
// Parameters of HPVM's monitor.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// What is done about sweeps that take longer than the interval.
enum class TooSlow : std::uint8_t { refuse, miss };
constexpr auto words_of(TooSlow) { return words("refuse", "miss"); }

/// How a node is asked.
enum class WayToAsk : std::uint8_t { registry, pdh };
constexpr auto words_of(WayToAsk) { return words("registry", "pdh"); }

/// When clocks are probed.
enum class Probing : std::uint8_t { both, before };
constexpr auto words_of(Probing) { return words("both", "before"); }

/// Who asks which nodes for what, when, and what that costs.
struct HpvmParams {
  std::string counters = "host mpi_collectives";
  std::string nodes = "all";
  std::string processes = "all";
  Seconds interval_s = 1;
  std::string schedule;
  std::string rules;
  TooSlow too_slow = TooSlow::refuse;
  WayToAsk way = WayToAsk::registry;
  std::int64_t threads = 1;
  std::string monitor_node;
  std::string network;
  Microseconds query_us = 200;
  Microseconds counter_us = 5;
  Microseconds pdh_us = 100;
  Bytes request_bytes = 200;
  Bytes reply_bytes = 100;
  Bytes counter_bytes = 300;
};

/// The global clock.
struct HpvmClockParams {
  std::int64_t probes = 8;
  Probing when = Probing::both;
  Bytes probe_bytes = 64;
  Microseconds read_us = 2;
  Microseconds min_us = 60;
  double drift_ppm = 100;
};

} // namespace hypermon
