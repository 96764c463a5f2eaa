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

/// Who is there, what they have, how they are repaired, what it all costs.
struct SupermonParams {
  std::string counters = "cpu.busy cpu.kernel network.bytes_sent network.bytes_received";
  // the tree
  std::int64_t fan_out = 16;
  SupermonPlaces supermons = SupermonPlaces::beside;
  std::string root;
  std::string network;
  bool mon_shares = true;
  // death
  std::string failures;
  bool repair = true;
  Milliseconds timeout_ms = 1000;
  Milliseconds retry_ms = 1000;
  // costs
  Microseconds message_us = 30;
  Nanoseconds parse_ns = 20;
  Nanoseconds print_ns = 20;
  Microseconds kernel_us = 167;
  Megabytes memory_mb = 2;
  // the monhole
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
            "What the kernel module of each node offers (hypermon counters), blanks between; each with all its "
            "instances. May be empty.",
            "ToS sec. 3.2: OS performance data; sec. 5: interface bytes"},
      Field{"fan_out", &P::fan_out, range(2, 65536), "daemons",
            "That a supermon may have below it; levels are as many as it takes, as even as they can be.",
            "chosen: the paper does not say"},
      Field{"supermons", &P::supermons,
            "Where supermons but the root run. beside: on the computers beside the machine, in turn; where the root is "
            "if there is none. first_node: on the first node below each.",
            "ToS sec. 3: intermediate (or service) nodes"},
      Field{"root", &P::root, any_value(), "",
            "Where the root supermon runs: beside, the first computer beside the machine, or a node's number; empty: "
            "beside if the network reaches one there, else node 0.",
            "ToS sec. 3: service node"},
      Field{"network", &P::network, any_value(), "",
            "That they talk over; empty: the first one beside the program's, or the program's if there is no other.",
            "chosen"},
      Field{"mon_shares", &P::mon_shares, any_value(), "",
            "Nodes with several ranks: mon is a process among theirs, which takes one of the node's processors; else "
            "what it does is the kernel's work, which stops all ranks of the node.",
            "chosen: mon is an ordinary process"},
      Field{"failures", &P::failures, any_value(), "",
            "Who dies: the date in s, mon, supermon or node, its number, for how many s, like 10 mon 3 2; several with "
            "; between. supermon 0 is the root. A node is off with all that runs there: only where no program runs.",
            "chosen"},
      Field{"repair", &P::repair, any_value(), "",
            "A supermon asks what is below a dead one itself until that is back; else these nodes are missing.",
            "ToS sec. 3.3: the repair mechanism was fixed"},
      Field{"timeout_ms", &P::timeout_ms, range(0.001, 1e6),
            "How long a supermon waits for a mon before it takes it for dead; for a supermon, times its height.",
            "chosen"},
      Field{"retry_ms", &P::retry_ms, range(0.001, 1e6), "Between two looks whether a dead daemon is back.", "chosen"},
      Field{"message_us", &P::message_us, range(0, 1e6),
            "CPU time of a message besides its bytes, at its sender and at its receiver.",
            "chosen: system calls over TCP"},
      Field{"parse_ns", &P::parse_ns, range(0, 1e6), "CPU time of each byte of an s-expression that is parsed.",
            "chosen: 50 MB/s"},
      Field{"print_ns", &P::print_ns, range(0, 1e6), "CPU time of each byte of one that is written.",
            "chosen: 50 MB/s"},
      Field{"kernel_us", &P::kernel_us, range(0, 1e6), "CPU time of reading the kernel's data on a node.",
            "Supermon's site, performance: 3400 to 6000 samples/s from /proc"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e6),
            "Working set of each daemon on a node, where memory is modelled.", "chosen"},
      Field{"writer_waits", &P::writer_waits,
            "Until when a process that writes into the monhole waits. room: until the socket's buffer has room for all "
            "of it. taken: until mon has taken it.",
            "chosen: a stream socket's write"},
      Field{"socket_bytes", &P::socket_bytes, range(1, 1e9),
            "Buffer of a process's socket to the monhole: so many bytes may wait there for mon.",
            "chosen: Linux 2.6's default on 64 bits, 124 KB"},
      Field{"write_us", &P::write_us, range(0, 1e6),
            "CPU time of a process for its connection to the monhole and its write, besides the bytes.",
            "TAU sec. 4: calibrated by 6.83 % at 128 ranks (hypermon study tau --calibrate)"},
      Field{"write_ns", &P::write_ns, range(0, 1e6), "CPU time of a process for each byte that it writes there.",
            "chosen: a copy into the kernel at 1 GB/s"},
      Field{"take_us", &P::take_us, range(0, 1e6),
            "CPU time of mon for each expression that it takes from the monhole, besides its bytes (parse_ns).",
            "chosen"},
      Field{"linger_s", &P::linger_s, range(0, 1e6),
            "Daemons and clients go on for so long after the program's end, so that the last data may come.",
            "chosen: once more at 1 Hz"});
}
static_assert(all_members_described<SupermonParams>());

} // namespace hypermon
