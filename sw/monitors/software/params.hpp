// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the software monitor.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

/// The software monitor: traces in memory, one for each node's kernel or for each process.
struct SoftwareParams {
  double us_per_byte = 3.05;
  Bytes buffer_bytes = 4 << 20;
  TraceOf traces = TraceOf::node;
  // For traces of each process.
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

constexpr auto fields_of(const SoftwareParams*) {
  using P = SoftwareParams;
  constexpr const char* otf2 = "facts (modern): OTF2's size estimator";
  constexpr const char* scorep = "facts (modern): Score-P, clock_synchronization_mpp_ipc.c";
  return fields(
      Field{"us_per_byte", &P::us_per_byte, range(0, 1000), "us/B", "CPU time of recording one byte of event data.",
            "calibrated on Table 2 software times of MatMul on 1 node and software times of Place on 2 "
            "nodes: 36.6 us a "
            "tick record of 12 B"},
      Field{"buffer_bytes", &P::buffer_bytes, range(16, 1e12),
            "Capacity of the trace buffer of each node, or of each process. software.when_full says what happens to "
            "further records.",
            "assumed: a quarter of a 16 MB node's memory"},
      Field{"traces", &P::traces,
            "Unit that has a trace. node: the node's kernel writes the catalogue's events into one buffer. process: a "
            "library in each process writes records of MPI calls, messages and routines into its own buffer, as "
            "Score-P does.",
            "HYPERMON sec. 5.2"},
      Field{"record_us", &P::record_us, range(0, 1e6),
            "CPU time of one record of a process, apart from its bytes. It applies with software.traces = process.",
            "facts (modern): 0.1 to 1 us an event (software/otf2); chosen: nothing besides"},
      Field{"region_bytes", &P::region_bytes, range(1, 1000), "B",
            "Size of the record that begins or ends an MPI call or a routine, and of the record of a mark.", otf2},
      Field{"message_bytes", &P::message_bytes, range(1, 1000), "B",
            "Size of the record of a message, at its sender and at its receiver.", otf2},
      Field{"collective_begin_bytes", &P::collective_begin_bytes, range(1, 1000), "B",
            "Size of the record of a collective call's beginning.", otf2},
      Field{"collective_end_bytes", &P::collective_end_bytes, range(1, 1000), "B",
            "Size of the record of a collective call's end.", otf2},
      Field{"flush_bytes", &P::flush_bytes, range(1, 1000), "B",
            "Size of the record of one flush, its beginning and end together.",
            "facts (modern): a timestamp is 9 B; derived: two of them and the kind"},
      Field{"when_full", &P::when_full,
            "Behaviour of a full trace buffer. drop: further records are lost. flush: the process writes the buffer to "
            "software.servers, frees it and goes on.",
            "HYPERMON sec. 5.2; facts (modern): Score-P, SCOREP_Tracing.c (software/otf2)"},
      Field{"servers", &P::servers, any_value(), "",
            "File servers to which the processes' trace files are assigned in turn, names separated by blanks. A file "
            "is written when its buffer is full, and at MPI_Finalize. Empty: traces stay in memory.",
            "chosen: a file of a parallel file system lies on one server, Lustre's default"},
      Field{"directory", &P::directory, any_value(), "",
            "File server that creates each process's trace file before its first write. Empty: creating a file takes "
            "no time.",
            "chosen"},
      Field{"write_bytes", &P::write_bytes, range(16, 1e9),
            "Size of one write of a trace. The next write follows when it has ended.",
            "facts (modern): Score-P's event chunks of 1 MiB"},
      Field{"clocks", &P::clocks,
            "Correction of timestamps. none: no correction. linear: each process's clock is compared with the first "
            "one's at MPI_Init and MPI_Finalize, and timestamps follow the straight line in between.",
            scorep},
      Field{"probes", &P::probes, range(1, 1000), "round trips",
            "Number of round trips in each comparison of clocks, with each process in turn. The shortest round trip "
            "gives the offset, which one more message reports.",
            scorep},
      Field{"probe_bytes", &P::probe_bytes, range(1, 1e6), "Size of each message of a clock comparison.",
            "chosen: a timestamp"},
      Field{"probe_us", &P::probe_us, range(0, 1e6), "CPU time of each end of a clock comparison's message.",
            "facts (modern): 0.3 us of CPU a message (software/otf2); chosen: none"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which clocks are compared. Empty: the program's.", "chosen"});
}
static_assert(all_members_described<SoftwareParams>());

} // namespace hypermon
