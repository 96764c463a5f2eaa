// SPDX-License-Identifier: BSD-3-Clause
// Parameters of HDTrace's recording and of the nodes' power.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class HdtraceOffsets : std::uint8_t { none, begin, ends };
constexpr auto words_of(HdtraceOffsets) { return words("none", "begin", "ends"); }

/// What is recorded, the costs of recording, and the destination of the data.
struct HdtraceParams {
  bool nested = true;
  bool layers = true;
  Microseconds enter_us = 1;
  Microseconds leave_us = 4;
  Nanoseconds byte_ns = 10;
  Bytes buffer_bytes = 1 << 20;
  std::string server;
  double disk_mb_per_s = 104.8576;
  Milliseconds disk_seek_ms = 10;
  Megabytes capacity_mb = 100000;
  Milliseconds sample_ms = 1000;
  Microseconds sample_us = 200;
  std::string groups;
  HdtraceOffsets offsets = HdtraceOffsets::none;
  std::string network;
  std::int64_t probes = 8;
  WholeNanoseconds resolution_ns = 1000;
};

/// A power model by states: the power of a node and of a server in each state, and the meter that reads it.
struct PowerParams {
  double base_w = 6.305;
  double memory_w = 13.585;
  double idle_w = 28.072;
  double computing_w = 58;
  double waiting_w = 45;
  double nic_idle_w = 0.78;
  double nic_w = 2;
  double disk_idle_w = 4.42;
  double disk_w = 7.02;
  double supply = 0.35;
  double nic_mb_per_s = 128;
  double disk_mb_per_s = 104.8576;
  Milliseconds meter_ms = 50;
  double resolution_w = 0.01;
  double voltage_v = 230;
};

constexpr auto fields_of(const HdtraceParams*) {
  using P = HdtraceParams;
  return fields(
      Field{"nested", &P::nested, any_value(), "",
            "Record the messages of a collective call as states nested in the call's state.",
            "HDTrace sec. 2.1: MPICH2HD"},
      Field{"layers", &P::layers, any_value(), "",
            "Record the operations of the file system's client and servers with their relations, and the number of "
            "pending operations in each layer.",
            "HDTrace sec. 6: PVFS2HD"},
      Field{"enter_us", &P::enter_us, range(0, 1e6),
            "CPU time of the tracing wrapper before an MPI call, a read of the clock included.", "chosen"},
      Field{"leave_us", &P::leave_us, range(0, 1e6),
            "CPU time of the tracing wrapper after an MPI call, a read of the clock included. Formatting costs "
            "hdtrace.byte_ns for each byte in addition.",
            "chosen"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6), "CPU time of formatting one byte of trace text.", "chosen"},
      Field{"buffer_bytes", &P::buffer_bytes, range(256, 1e12),
            "Size of the memory buffers for each process's trace and for its relations. A buffer is written out when "
            "the next state does not fit, and when MPI_Finalize returns.",
            "HDTrace's library: HD_LOG_BUF_SIZE, 1 MiB"},
      Field{"server", &P::server, any_value(), "",
            "File server for full trace buffers. The process goes on with a second buffer; data that arrive while both "
            "are full are lost. Empty: the node's own disk, for which the process waits.",
            "chosen"},
      Field{"disk_mb_per_s", &P::disk_mb_per_s, range(1e-3, 1e6), "MB/s",
            "Transfer rate of each node's own disk, to which traces are written.", "HDTrace sec. 7: 100 MiB/s"},
      Field{"disk_seek_ms", &P::disk_seek_ms, range(0, 1e6),
            "Average seek time of each node's own disk, to a file other than the last. Half a turn at 7200 turns a "
            "minute is added.",
            "HDTrace sec. 7"},
      Field{"capacity_mb", &P::capacity_mb, range(0, 1e9), "Space for traces on each node's own disk.", "chosen"},
      Field{"sample_ms", &P::sample_ms, range(0, 1e9),
            "Period at which a daemon on each node samples the node's utilisation (RUT). 0: no daemon, and therefore "
            "no power estimate.",
            "chosen"},
      Field{"sample_us", &P::sample_us, range(0, 1e6), "CPU time of one utilisation sample and its entry.", "chosen"},
      Field{"groups", &P::groups, any_value(), "",
            "Statistics groups of counters (hypermon counters) that the daemons sample as well, like QUEUES: "
            "queue.posted queue.unexpected; SENDS: mpi.calls/MPI_Send. An entry has the growth of a counter since the "
            "last entry, or the length of a queue.",
            "HDTrace sec. 2.1: a group of arbitrary counters together with a timestamp"},
      Field{"offsets", &P::offsets,
            "Correction of clocks in the trace files' headers after the run. none: no correction. begin: by probes of "
            "node 0 before the program. ends: by the mean of probes before and after it.",
            "HDTrace sec. 2.1: fixed post mortem by adjusting the files' headers"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which clock probes are sent. Empty: the platform's first network.", "chosen"},
      Field{"probes", &P::probes, range(1, 1000), "",
            "Number of clock probes of each node. The probe with the shortest round trip is used.",
            "chosen: NTP keeps 8"},
      Field{"resolution_ns", &P::resolution_ns, range(1, 1e9), "Resolution of the timestamps in traces.",
            "HDTrace's library: gettimeofday"});
}
static_assert(all_members_described<HdtraceParams>());

constexpr auto fields_of(const PowerParams*) {
  using P = PowerParams;
  return fields(
      Field{"base_w", &P::base_w, range(0, 1e5), "W", "Power of the board and fans of a node or a server.",
            "HDPowerEstimation: ExtendedNode's overhead"},
      Field{"memory_w", &P::memory_w, range(0, 1e5), "W", "Power of the memory of a node or a server.",
            "HDPowerEstimation: pvscluster.Memory"},
      Field{"idle_w", &P::idle_w, range(0, 1e5), "W", "Power of an idle processor.",
            "HDPowerEstimation: pvscluster.CPU"},
      Field{"computing_w", &P::computing_w, range(0, 1e5), "W", "Power of a processor that computes.",
            "HDPowerEstimation: pvscluster.CPU"},
      Field{"waiting_w", &P::waiting_w, range(0, 1e5), "W",
            "Power of a processor whose process polls in an MPI call (cpu.waiting = poll). A processor whose process "
            "blocks is idle.",
            "chosen: below computing, as HDTrace Figure 3 shows of a broadcast"},
      Field{"nic_idle_w", &P::nic_idle_w, range(0, 1e5), "W", "Power of a network interface that carries no data.",
            "HDPowerEstimation: pvscluster.NIC"},
      Field{"nic_w", &P::nic_w, range(0, 1e5), "W", "Power of a network interface that carries data.",
            "HDPowerEstimation: pvscluster.NIC"},
      Field{"disk_idle_w", &P::disk_idle_w, range(0, 1e5), "W", "Power of a disk that only turns.",
            "HDPowerEstimation: pvscluster.Disk"},
      Field{"disk_w", &P::disk_w, range(0, 1e5), "W", "Power of a disk that seeks or transfers.",
            "HDPowerEstimation: pvscluster.Disk"},
      Field{"supply", &P::supply, range(0, 10), "", "Loss of the power supply as a share of its output.",
            "HDPowerEstimation: ExtendedNode's supply"},
      Field{"nic_mb_per_s", &P::nic_mb_per_s, range(1e-3, 1e6), "MB/s",
            "Data rate at which the power estimate regards a network interface as fully busy.",
            "HDPowerEstimation: pvscluster.NIC"},
      Field{"disk_mb_per_s", &P::disk_mb_per_s, range(1e-3, 1e6), "MB/s",
            "Data rate at which the power estimate regards a disk as fully busy.",
            "facts: 100 MiB/s; HDPowerEstimation counts 3000 blocks"},
      Field{"meter_ms", &P::meter_ms, range(0, 1e9),
            "Averaging period of the external power meter, which is also the interval of its values. 0: no meter.",
            "facts: LMG450, 50 ms (chosen where HDTrace does not say)"},
      Field{"resolution_w", &P::resolution_w, range(0, 1e5), "W",
            "Resolution to which the power meter rounds its values.", "chosen"},
      Field{"voltage_v", &P::voltage_v, range(1, 1e6), "V",
            "Voltage of the mains, from which the meter derives its current.", "chosen"});
}
static_assert(all_members_described<PowerParams>());

} // namespace hypermon
