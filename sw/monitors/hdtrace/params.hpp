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

/// What is recorded, what that costs, where it goes.
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
  HdtraceOffsets offsets = HdtraceOffsets::none;
  std::string network;
  std::int64_t probes = 8;
  WholeNanoseconds resolution_ns = 1000;
};

/// A model of states: what a node and a server take in each, and how that is read.
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
      Field{"nested", &P::nested, any_value(), "", "Messages under a collective call are states in its state.",
            "HDTrace sec. 2.1: MPICH2HD"},
      Field{"layers", &P::layers, any_value(), "",
            "Operations of the file system's client and servers are recorded, with their relations, and how many are "
            "pending in each layer.",
            "HDTrace sec. 6: PVFS2HD"},
      Field{"enter_us", &P::enter_us, range(0, 1e6), "CPU time of the wrapper before an MPI call: a look at the clock.",
            "chosen"},
      Field{"leave_us", &P::leave_us, range(0, 1e6),
            "After it: another look, and what does not depend on how much is written.", "chosen"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6), "Of text that is formatted, beside that.", "chosen"},
      Field{"buffer_bytes", &P::buffer_bytes, range(256, 1e12),
            "In memory, for each process's trace, and for its relations; it is written out when the next state does "
            "not fit, and when MPI_Finalize returns.",
            "HDTrace's library: HD_LOG_BUF_SIZE, 1 MiB"},
      Field{
          "server", &P::server, any_value(), "",
          "The file server to which full buffers go; the process goes on meanwhile with a second buffer, and what "
          "comes while both are full is lost. Empty: each node's own disk for which the process waits, as the library "
          "does.",
          "chosen"},
      Field{"disk_mb_per_s", &P::disk_mb_per_s, range(1e-3, 1e6), "MB/s", "Of each node's own disk.",
            "HDTrace sec. 7: 100 MiB/s"},
      Field{"disk_seek_ms", &P::disk_seek_ms, range(0, 1e6),
            "Its average seek, to another file than the last; half a turn at 7200 a minute comes on top.",
            "HDTrace sec. 7"},
      Field{"capacity_mb", &P::capacity_mb, range(0, 1e9), "Room for traces on each node's own disk.", "chosen"},
      Field{"sample_ms", &P::sample_ms, range(0, 1e9),
            "A daemon on each node reads its utilisation so often (RUT); 0: there is none, and nothing to estimate "
            "power from.",
            "chosen"},
      Field{"sample_us", &P::sample_us, range(0, 1e6), "CPU time of such a reading and of its entry.", "chosen"},
      Field{"offsets", &P::offsets,
            "Clocks are put right in the files' headers, afterwards. none: not. begin: by probes of node 0 before the "
            "program. ends: by the mean of probes before and after it.",
            "HDTrace sec. 2.1: fixed post mortem by adjusting the files' headers"},
      Field{"network", &P::network, any_value(), "",
            "That probes go over; empty: the first one that the platform names.", "chosen"},
      Field{"probes", &P::probes, range(1, 1000), "", "Of each node; the one with the shortest round trip counts.",
            "chosen: NTP keeps 8"},
      Field{"resolution_ns", &P::resolution_ns, range(1, 1e9), "Of the timestamps that are written.",
            "HDTrace's library: gettimeofday"});
}
static_assert(all_members_described<HdtraceParams>());

constexpr auto fields_of(const PowerParams*) {
  using P = PowerParams;
  return fields(
      Field{"base_w", &P::base_w, range(0, 1e5), "W", "A node's board and fans, and a server's.",
            "HDPowerEstimation: ExtendedNode's overhead"},
      Field{"memory_w", &P::memory_w, range(0, 1e5), "W", "Of its memory.", "HDPowerEstimation: pvscluster.Memory"},
      Field{"idle_w", &P::idle_w, range(0, 1e5), "W", "Of a processor that does nothing.",
            "HDPowerEstimation: pvscluster.CPU"},
      Field{"computing_w", &P::computing_w, range(0, 1e5), "W", "Of one that computes.",
            "HDPowerEstimation: pvscluster.CPU"},
      Field{"waiting_w", &P::waiting_w, range(0, 1e5), "W",
            "Of one whose process polls in an MPI call (cpu.waiting = poll); where processes block, it does nothing.",
            "chosen: below computing, as HDTrace Figure 3 shows of a broadcast"},
      Field{"nic_idle_w", &P::nic_idle_w, range(0, 1e5), "W", "Of a network interface that carries nothing.",
            "HDPowerEstimation: pvscluster.NIC"},
      Field{"nic_w", &P::nic_w, range(0, 1e5), "W", "Of one that does.", "HDPowerEstimation: pvscluster.NIC"},
      Field{"disk_idle_w", &P::disk_idle_w, range(0, 1e5), "W", "Of a disk that turns.",
            "HDPowerEstimation: pvscluster.Disk"},
      Field{"disk_w", &P::disk_w, range(0, 1e5), "W", "Of one that works.", "HDPowerEstimation: pvscluster.Disk"},
      Field{"supply", &P::supply, range(0, 10), "", "What the power supply loses, as a share of what it gives.",
            "HDPowerEstimation: ExtendedNode's supply"},
      Field{"nic_mb_per_s", &P::nic_mb_per_s, range(1e-3, 1e6), "MB/s",
            "The estimate takes an interface for busy that carries so much.", "HDPowerEstimation: pvscluster.NIC"},
      Field{"disk_mb_per_s", &P::disk_mb_per_s, range(1e-3, 1e6), "MB/s", "And a disk.",
            "facts: 100 MiB/s; HDPowerEstimation counts 3000 blocks"},
      Field{"meter_ms", &P::meter_ms, range(0, 1e9),
            "The external meter shows the mean over each such period; 0: there is none.",
            "facts: LMG450, 50 ms (chosen where HDTrace does not say)"},
      Field{"resolution_w", &P::resolution_w, range(0, 1e5), "W", "Of what it shows, rounded to the nearest.",
            "chosen"},
      Field{"voltage_v", &P::voltage_v, range(1, 1e6), "V", "Of the mains: the meter's current is P / U.", "chosen"});
}
static_assert(all_members_described<PowerParams>());

} // namespace hypermon
