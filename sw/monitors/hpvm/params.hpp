// SPDX-License-Identifier: BSD-3-Clause
// Parameters of HPVM's monitor.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const HpvmParams*) {
  using P = HpvmParams;
  return fields(
      Field{"counters", &P::counters, any_value(), "",
            "What is read, blanks between: sets (host, debug, fm_data_transfer, mpi_collectives, mpi_messages, queues, "
            "processes, memory), "
            "counters (hypermon counters), or counter:item (mpi.time:MPI_Bcast).",
            "chosen"},
      Field{"nodes", &P::nodes, any_value(), "", "Nodes that are asked: all, or numbers and ranges like 0,4-7.",
            "chosen"},
      Field{"processes", &P::processes, any_value(), "",
            "Of counters that each process of a node has: of which, all or numbers and ranges.", "chosen"},
      Field{"interval_s", &P::interval_s, range(1e-6, 1e6), "From the begin of one sweep of all nodes to the next.",
            "facts (hpvm): 1 s in the monitor's overhead"},
      Field{"schedule", &P::schedule, any_value(), "",
            "What is read otherwise from some time on: seconds, interval in s, sets and counters, like 30 0.2 host "
            "queues; "
            "several with ; between. Empty: the same all the time.",
            "HPVM sec. 3.2: the set of information is modified while the program runs"},
      Field{"rules", &P::rules, any_value(), "",
            "What is read of a node besides while one of its counters, as it has arrived, is so: counter, < or >, its "
            "value, its growth in a second or, of times, its share, then interval in s, sets and counters, like "
            "cpu.user < 0.8 0.2 host; several with ; between. Empty: none.",
            "HPVM sec. 3.2: zooming in, here by the monitor itself"},
      Field{
          "too_slow", &P::too_slow,
          "If a sweep takes longer than the interval, with nobody else there: refuse the run, or miss sweeps and count "
          "them.",
          "chosen"},
      Field{"way", &P::way,
            "How a node is asked. registry: a query for each object. pdh: one for each counter, through a further "
            "layer.",
            "HPVM sec. 2.3 has both; what they differ in is chosen"},
      Field{"threads", &P::threads, range(1, 4096), "",
            "Of the monitor; each asks its share of the nodes, one node after the other.", "chosen"},
      Field{"monitor_node", &P::monitor_node, any_value(), "",
            "Where the monitor runs: beside, the first computer beside the machine, or a compute node's number; empty: "
            "beside if the network reaches one there, else node 0.",
            "HPVM sec. 3.1: a central monitor node"},
      Field{"network", &P::network, any_value(), "",
            "That queries go over; empty: the first one beside the program's, or the program's if there is no other.",
            "HPVM sec. 3.4: Fast Ethernet"},
      Field{"query_us", &P::query_us, range(0, 1e6), "CPU time of a query on the node that is asked.", "chosen"},
      Field{"counter_us", &P::counter_us, range(0, 1e6), "CPU time of each value in it.", "chosen"},
      Field{"pdh_us", &P::pdh_us, range(0, 1e6), "CPU time that a query by PDH takes in addition.", "chosen"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536), "Of a query on the network.", "chosen"},
      Field{"reply_bytes", &P::reply_bytes, range(0, 65536), "Of an answer without values.", "chosen"},
      Field{"counter_bytes", &P::counter_bytes, range(0, 65536), "Of each value.",
            "HPVM sec. 3.4: a few hundred bytes per counter"});
}
static_assert(all_members_described<HpvmParams>());

constexpr auto fields_of(const HpvmClockParams*) {
  using P = HpvmClockParams;
  return fields(Field{"probes", &P::probes, range(1, 10000), "",
                      "Of each node before the run, and after it; the best one counts.", "chosen"},
                Field{"when", &P::when,
                      "both: before and after the run, interpolated. before: offsets alone, and clocks drift away.",
                      "HPVM sec. 3.6: both"},
                Field{"probe_bytes", &P::probe_bytes, range(1, 65536), "Of a probe, and of its answer.", "chosen"},
                Field{"read_us", &P::read_us, range(0, 1e6), "CPU time of a probe on the node.", "chosen"},
                Field{"min_us", &P::min_us, range(0, 1e6),
                      "Cristian's min: no probe is faster one way. The promised bound rests on it.",
                      "facts (hpvm): lan.latency_us, 60 us"},
                Field{"drift_ppm", &P::drift_ppm, range(0, 1e5), "ppm",
                      "Cristian's rho: no clock drifts faster. The promised bound rests on it.", "chosen"});
}
static_assert(all_members_described<HpvmClockParams>());

} // namespace hypermon
