// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the software monitor.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class TraceOf : std::uint8_t { node, process };
constexpr auto words_of(TraceOf) { return words("node", "process"); }

enum class FullTrace : std::uint8_t { drop, flush };
constexpr auto words_of(FullTrace) { return words("drop", "flush"); }

enum class ClockCorrection : std::uint8_t { none, linear };
constexpr auto words_of(ClockCorrection) { return words("none", "linear"); }

/// The software monitor: traces in memory, of each node's kernel or of each process.
struct SoftwareParams {
  double us_per_byte = 3.05;
  Bytes buffer_bytes = 4 << 20;
  TraceOf traces = TraceOf::node;
  // of each process's
  Microseconds record_us = 0;
  std::int64_t region_bytes = 12;
  std::int64_t message_bytes = 32;
  std::int64_t collective_begin_bytes = 11;
  std::int64_t collective_end_bytes = 37;
  std::int64_t flush_bytes = 19;
  FullTrace when_full = FullTrace::drop;
  std::string servers;
  std::string directory;
  Bytes write_bytes = 1 << 20;
  ClockCorrection clocks = ClockCorrection::none;
  std::int64_t probes = 10;
  Bytes probe_bytes = 8;
  Microseconds probe_us = 0;
  std::string network;
};

} // namespace hypermon
