// SPDX-License-Identifier: BSD-3-Clause
// Parameters of Supermon's daemons.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class SupermonPlaces : std::uint8_t { beside, first_node };
constexpr auto words_of(SupermonPlaces) { return words("beside", "first_node"); }
enum class SupermonWriter : std::uint8_t { room, taken };
constexpr auto words_of(SupermonWriter) { return words("room", "taken"); }

/// The daemons, their data, the repair of the tree, and all costs.
struct SupermonParams {
  std::string counters = "cpu.busy cpu.kernel network.bytes_sent network.bytes_received";
  // Tree
  std::int64_t fan_out = 16;
  SupermonPlaces supermons = SupermonPlaces::beside;
  std::string root;
  std::string network;
  bool mon_shares = true;
  // Failures
  std::string failures;
  bool repair = true;
  Milliseconds timeout_ms = 1000;
  Milliseconds retry_ms = 1000;
  // Costs
  Microseconds message_us = 30;
  Nanoseconds parse_ns = 20;
  Nanoseconds print_ns = 20;
  Microseconds kernel_us = 167;
  Megabytes memory_mb = 2;
  // Monhole
  SupermonWriter writer_waits = SupermonWriter::room;
  Bytes socket_bytes = 126976;
  Microseconds write_us = 2250;
  Nanoseconds write_ns = 1;
  Microseconds take_us = 30;
  Seconds linger_s = 1;
};

constexpr auto fields_of(const SupermonParams*) {
  using P = SupermonParams;
  return fields(
      Field{"counters", &P::counters, any_value(), "",
            "Counters that each node's kernel module offers (see `hypermon counters`), separated by blanks, each with "
            "all its instances. It may be empty.",
            "ToS sec. 3.2: OS performance data; sec. 5: interface bytes"},
      Field{"fan_out", &P::fan_out, range(2, 65536), "daemons",
            "Largest number of daemons below one supermon. The tree gets the fewest levels that suffice, as evenly "
            "filled as possible.",
            "chosen: the paper does not say"},
      Field{"supermons", &P::supermons,
            "Computers of the supermons below the root. beside: those beside the machine, in turn; the root's if there "
            "are none. first_node: the first node below each supermon.",
            "ToS sec. 3: intermediate (or service) nodes"},
      Field{"root", &P::root, any_value(), "",
            "Computer that runs the root supermon: beside (the first one beside the machine) or a node's number. "
            "Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "ToS sec. 3: service node"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which Supermon's daemons communicate. Empty: the first one beside the program's, "
            "if there is any; otherwise the program's.",
            "chosen"},
      Field{"mon_shares", &P::mon_shares, any_value(), "",
            "Schedule mon, the daemon of a node, like the ranks on a node with several ranks, so that it occupies one "
            "processor. Otherwise its work is the kernel's and stops all ranks of the node.",
            "chosen: mon is an ordinary process"},
      Field{"failures", &P::failures, any_value(), "",
            "Failures, separated by semicolons: time in s, then mon, supermon or node with its number, then length in "
            "s (10 mon 3 2). mon is a node's daemon, supermon 0 the root. A node can fail, with everything on it, only "
            "where no program runs.",
            "chosen"},
      Field{"repair", &P::repair, any_value(), "",
            "Let a supermon query the children of a dead supermon itself until that one is back. Otherwise their nodes "
            "are missing.",
            "ToS sec. 3.3: the repair mechanism was fixed"},
      Field{"timeout_ms", &P::timeout_ms, range(0.001, 1e6),
            "Time for which a supermon waits for an answer, multiplied by its height above the nodes. Then it regards "
            "the daemon below it as dead.",
            "chosen"},
      Field{"retry_ms", &P::retry_ms, range(0.001, 1e6),
            "Period at which a supermon checks whether a dead daemon is back.", "chosen"},
      Field{"message_us", &P::message_us, range(0, 1e6),
            "CPU time of one message between Supermon's daemons, apart from its bytes, at its sender and at its "
            "receiver.",
            "chosen: system calls over TCP"},
      Field{"parse_ns", &P::parse_ns, range(0, 1e6), "CPU time of parsing one byte of an s-expression.",
            "chosen: 50 MB/s"},
      Field{"print_ns", &P::print_ns, range(0, 1e6), "CPU time of writing one byte of an s-expression.",
            "chosen: 50 MB/s"},
      Field{"kernel_us", &P::kernel_us, range(0, 1e6),
            "CPU time of reading the kernel's counters on a node for one Supermon query.",
            "Supermon's site, performance: 3400 to 6000 samples/s from /proc"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e6),
            "Working set of each of Supermon's daemons on a node. It matters where memory.node_mb is above 0.",
            "chosen"},
      Field{"writer_waits", &P::writer_waits,
            "End of the wait of a process that writes into the monhole, the node daemon's inlet. room: the socket's "
            "buffer can hold the whole write. taken: mon has read the write.",
            "chosen: a stream socket's write"},
      Field{"socket_bytes", &P::socket_bytes, range(1, 1e9),
            "Capacity of a process's socket to the monhole, the inlet of its node's daemon. Data wait there until the "
            "daemon reads them.",
            "chosen: Linux 2.6's default on 64 bits, 124 KB"},
      Field{"write_us", &P::write_us, range(0, 1e6),
            "CPU time of a process for connecting to the monhole and writing once, apart from the bytes.",
            "TAU sec. 4: calibrated by 6.83 % at 128 ranks (hypermon study tau --calibrate)"},
      Field{"write_ns", &P::write_ns, range(0, 1e6),
            "CPU time of a process for each byte that it writes into the monhole.",
            "chosen: a copy into the kernel at 1 GB/s"},
      Field{"take_us", &P::take_us, range(0, 1e6),
            "CPU time of mon, a node's daemon, for each expression that it takes from the monhole, apart from its "
            "bytes (supermon.parse_ns).",
            "chosen"},
      Field{"linger_s", &P::linger_s, range(0, 1e6),
            "Time for which Supermon's daemons and clients go on after the program's end, so that the last data can "
            "arrive.",
            "chosen: once more at 1 Hz"});
}
static_assert(all_members_described<SupermonParams>());

} // namespace hypermon
