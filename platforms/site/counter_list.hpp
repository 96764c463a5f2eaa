// SPDX-License-Identifier: BSD-3-Clause
// Declarations of the counters that the platform's networks and processors keep for monitors.
#pragma once
#include "base/counter.hpp"

#include <array>

namespace hypermon::counter_list {

inline constexpr std::string_view datagrams = "the interfaces to the platform's networks";

/// Kept by NetworkCounters.
inline constexpr std::array of_networks{
    CounterInfo{"network.bytes_sent", "B", CounterKind::rate, CounterOf::interface, CounterBy::whole,
                "Bytes that have left the node for monitors and file servers, also of transfers under way. A node has "
                "an interface to each network: 0 is the program's (its messages: interface.*), then each lan. "
                "Headers of connections are included (tcp.header_bytes).",
                datagrams},
    CounterInfo{"network.bytes_received", "B", CounterKind::rate, CounterOf::interface, CounterBy::whole,
                "Bytes that have arrived at the node for monitors and file servers, also of transfers under way.",
                datagrams},
    CounterInfo{"network.packets_sent", "packets", CounterKind::rate, CounterOf::interface, CounterBy::whole,
                "Messages and data segments that monitors and file servers have sent from the node.", datagrams},
    CounterInfo{"network.packets_received", "packets", CounterKind::rate, CounterOf::interface, CounterBy::whole,
                "Messages and data segments that monitors and file servers have received at the node.", datagrams}};
inline constexpr std::string_view processes = "the processes of each node: program, competitors, daemons";

/// Kept by ProcessCounters.
inline constexpr std::array of_processes{
    CounterInfo{
        "process.cpu", "ps", CounterKind::timer, CounterOf::node, CounterBy::process,
        "CPU time of each process on the node by name: program (its ranks there), competitors (competitor.name) and "
        "monitors' daemons. Where no processes share processors, the daemons' time is also in cpu.kernel.",
        processes},
    CounterInfo{"process.working_set", "B", CounterKind::length, CounterOf::node, CounterBy::process,
                "Part of each process's working set (hypermon_working_set, competitor.memory_mb) that is in memory, by "
                "the process's name.",
                processes},
    CounterInfo{
        "os.runnable", "processes", CounterKind::length, CounterOf::node, CounterBy::whole,
        "Number of processes that run or want a processor: ranks that compute or poll, awake threads of competitors, "
        "busy daemons. It is Linux' load before averaging. The daemon that reads it is not counted.",
        processes}};
enum class ProcessCounter : std::size_t { cpu, working_set, runnable };

enum class NetworkCounter : std::size_t { bytes_sent, bytes_received, packets_sent, packets_received };

} // namespace hypermon::counter_list
