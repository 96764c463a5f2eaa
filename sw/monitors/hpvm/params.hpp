// SPDX-License-Identifier: BSD-3-Clause
// Parameters of HPVM's monitor.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Treatment of sweeps that take longer than the interval.
enum class TooSlow : std::uint8_t { refuse, miss };
constexpr auto words_of(TooSlow) { return words("refuse", "miss"); }

/// Interface by which a node is queried.
enum class WayToAsk : std::uint8_t { registry, pdh };
constexpr auto words_of(WayToAsk) { return words("registry", "pdh"); }

/// When clocks are probed.
enum class Probing : std::uint8_t { both, before };
constexpr auto words_of(Probing) { return words("both", "before"); }

/// The queries: the monitor's node, the queried nodes, counters, times and costs.
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

/// Parameters of the global clock.
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
            "Counters that HPVM's monitor reads, separated by blanks: sets (host, debug, fm_data_transfer, "
            "mpi_collectives, mpi_messages, queues, processes, memory), counters (see `hypermon counters`), or "
            "counter:item (mpi.time:MPI_Bcast).",
            "chosen"},
      Field{"nodes", &P::nodes, any_value(), "",
            "Nodes that HPVM's monitor polls: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"processes", &P::processes, any_value(), "",
            "Processes of each node whose per-process counters are read: all, or numbers and ranges.", "chosen"},
      Field{"interval_s", &P::interval_s, range(1e-6, 1e6),
            "Time from the beginning of one sweep of all nodes to that of the next. A shorter interval gives more "
            "recent values and costs the nodes more CPU time.",
            "facts (hpvm): 1 s in the monitor's overhead"},
      Field{"schedule", &P::schedule, any_value(), "",
            "Changes of counters and interval during the run, separated by semicolons. Each is a time in s by the "
            "monitor's clock, an interval in s, then sets and counters (30 0.2 host queues). Empty: no changes.",
            "HPVM sec. 3.2: the set of information is modified while the program runs"},
      Field{"rules", &P::rules, any_value(), "",
            "Additional polling while a node's counter meets a condition, separated by semicolons. Each rule is "
            "counter, < or >, threshold, interval in s, then sets and counters (cpu.user < 0.8 0.2 host). The "
            "threshold applies to the value, the growth per second or, for times, the share. Empty: none.",
            "HPVM sec. 3.2: zooming in, here by the monitor itself"},
      Field{"too_slow", &P::too_slow,
            "Reaction when a sweep of idle nodes would take longer than its interval. refuse: the run ends with an "
            "error. miss: sweeps are missed and counted.",
            "chosen"},
      Field{"way", &P::way,
            "Interface through which a node is queried. registry: one query per object. pdh: one query per counter, "
            "through an additional layer.",
            "HPVM sec. 2.3 has both; what they differ in is chosen"},
      Field{"threads", &P::threads, range(1, 4096), "",
            "Number of threads of HPVM's monitor. Each polls its share of the nodes, one node after the other.",
            "chosen"},
      Field{"monitor_node", &P::monitor_node, any_value(), "",
            "Computer that runs HPVM's monitor: beside (the first one beside the machine) or a compute node's number. "
            "Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "HPVM sec. 3.1: a central monitor node"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which HPVM's monitor polls. Empty: the first one beside the program's, if there "
            "is any; otherwise the program's.",
            "HPVM sec. 3.4: Fast Ethernet"},
      Field{"query_us", &P::query_us, range(0, 1e6),
            "CPU time of one query of HPVM's monitor on the node that answers it.", "chosen"},
      Field{"counter_us", &P::counter_us, range(0, 1e6),
            "CPU time of each value in a query of HPVM's monitor on the node that answers it.", "chosen"},
      Field{"pdh_us", &P::pdh_us, range(0, 1e6), "Additional CPU time of one query with hpvm.way = pdh.", "chosen"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536), "Size of a query of HPVM's monitor on the network.",
            "chosen"},
      Field{"reply_bytes", &P::reply_bytes, range(0, 65536), "Size of an answer to HPVM's monitor without its values.",
            "chosen"},
      Field{"counter_bytes", &P::counter_bytes, range(0, 65536), "Size of each value in an answer to HPVM's monitor.",
            "HPVM sec. 3.4: a few hundred bytes per counter"});
}
static_assert(all_members_described<HpvmParams>());

constexpr auto fields_of(const HpvmClockParams*) {
  using P = HpvmClockParams;
  return fields(
      Field{"probes", &P::probes, range(1, 10000), "",
            "Number of clock probes of each node before the run and, with cristian.when = both, after it. The probe "
            "with the smallest bound is used.",
            "chosen"},
      Field{"when", &P::when,
            "Times of clock probes. both: before and after the run, with interpolation in between. before: only "
            "before, so that drift stays uncorrected.",
            "HPVM sec. 3.6: both"},
      Field{"probe_bytes", &P::probe_bytes, range(1, 65536), "Size of a clock probe and of its answer.", "chosen"},
      Field{"read_us", &P::read_us, range(0, 1e6), "CPU time of answering a clock probe on the node.", "chosen"},
      Field{"min_us", &P::min_us, range(0, 1e6),
            "Lower bound of a probe's one-way delay (Cristian's min), on which the promised error bound rests.",
            "facts (hpvm): lan.latency_us, 60 us"},
      Field{"drift_ppm", &P::drift_ppm, range(0, 1e5), "ppm",
            "Upper bound of a clock's drift (Cristian's rho), on which the promised error bound rests.", "chosen"});
}
static_assert(all_members_described<HpvmClockParams>());

} // namespace hypermon
