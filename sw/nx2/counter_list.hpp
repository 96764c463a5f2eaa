// SPDX-License-Identifier: BSD-3-Clause
// The counters that the operating system and the MPI layer keep: declared here, once.
#pragma once
#include "base/counter.hpp"

#include <array>

namespace hypermon::counter_list {

using enum CounterKind;
using Of = CounterOf;
using By = CounterBy;
inline constexpr std::string_view ps = "ps";
inline constexpr std::string_view kernel = "each node's kernel";
inline constexpr std::string_view scheduler = "the node's processors, as ranks, daemons and competitors share them";
inline constexpr std::string_view matcher = "NX/2's messages, or SMPI's (machine.messages)";
inline constexpr std::string_view interfaces = "NX/2's messages, SMPI's, or the network of packets (machine.messages)";
inline constexpr std::string_view calls = "the program's MPI calls, whoever carries them out";
inline constexpr std::string_view header = "hypermon.h, called by the program";

/// KernelCounters.
inline constexpr std::array of_kernels{
    CounterInfo{"cpu.user", ps, timer, Of::process, By::whole, "CPU time that the program has computed.", kernel},
    CounterInfo{"cpu.kernel", ps, timer, Of::node, By::whole,
                "CPU time of system calls, messages' software and interrupts, without the emission of events.", kernel},
    CounterInfo{"cpu.emission", ps, timer, Of::node, By::whole, "CPU time that emitting events has taken.", kernel},
    CounterInfo{"cpu.busy", ps, percentage, Of::node, By::whole, "CPU time of programs, kernel and emission together.",
                kernel},
    CounterInfo{"os.context_switches", "switches", rate, Of::processor, By::whole,
                "How often the processor went on with another process than the one that it ran last; 0 where nobody "
                "shares the node's processors.",
                scheduler},
    CounterInfo{"os.waits", "switches", rate, Of::node, By::whole,
                "How often a process gave up the CPU to wait for a message, and how often it came back to it; 0 with "
                "machine.messages = smpi.",
                kernel},
    CounterInfo{"os.system_calls", "calls", rate, Of::node, By::whole,
                "System calls of the program; 0 with machine.messages = smpi, which has none.", kernel},
    CounterInfo{"os.interrupts", "interrupts", rate, Of::node, By::whole,
                "Ticks, and messages that arrived while nobody waited for them.", kernel}};
enum class KernelCounter : std::size_t { user, kernel, emission, busy, switches, waits, system_calls, interrupts };

/// MessageCounters.
inline constexpr std::array of_messages{
    CounterInfo{"messages.sent", "messages", distribution, Of::process, By::size_class,
                "Messages that left, those of global operations included.", matcher},
    CounterInfo{"messages.received", "messages", distribution, Of::process, By::size_class,
                "Messages whose last byte has arrived.", matcher},
    CounterInfo{"messages.bytes_sent", "B", rate, Of::process, By::whole, "Data of the messages that left.", matcher},
    CounterInfo{"messages.bytes_received", "B", rate, Of::process, By::whole, "Data of the messages that have arrived.",
                matcher},
    CounterInfo{"queue.posted", "receives", length, Of::process, By::whole,
                "Receives that wait for a message to be sent.", matcher},
    CounterInfo{
        "queue.unexpected", "messages", length, Of::process, By::whole,
        "Messages, or requests of long ones, that the node knows of and that no receive is posted for. SMPI's are "
        "known at once.",
        matcher},
    CounterInfo{
        "memory.message_buffers", "B", length, Of::node, By::whole,
        "System buffers: messages that have arrived and that no receive is posted for; of SMPI's also those that "
        "wait for one where they were sent, and whose send has returned.",
        matcher},
    CounterInfo{"interface.bytes_sent", "B", rate, Of::interface, By::whole,
                "Bytes that have left the node for others, also of transfers under way. Headers are included, and what "
                "SMPI sends for itself. On a network of packets a packet counts when the interface has served it; data "
                "of the parallel file system are included.",
                interfaces},
    CounterInfo{"interface.bytes_received", "B", rate, Of::interface, By::whole,
                "Bytes that have arrived at the node from others, also of transfers under way.", interfaces},
    CounterInfo{"interface.packets_sent", "packets", rate, Of::interface, By::whole,
                "Transfers that have begun; packets that the interface to a network of packets has served.",
                interfaces},
    CounterInfo{"interface.packets_received", "packets", rate, Of::interface, By::whole,
                "Transfers that have ended; packets from others that the interface to a network of packets has served.",
                interfaces}};
enum class MessageCounter : std::size_t {
  sent,
  received,
  bytes_sent,
  bytes_received,
  posted,
  unexpected,
  buffers,
  interface_bytes_sent,
  interface_bytes_received,
  interface_packets_sent,
  interface_packets_received
};

inline constexpr std::string_view memory = "the node's memory (memory.node_mb)";

/// MemoryCounters.
inline constexpr std::array of_memory{
    CounterInfo{"memory.working_set", "B", length, Of::process, By::whole,
                "What is in memory of that on which the program works (hypermon_working_set).", memory},
    CounterInfo{"memory.page_faults", "faults", rate, Of::process, By::whole,
                "Pages that were touched for the first time, or read from disk.", memory},
    CounterInfo{"memory.pages_read", "pages", rate, Of::process, By::whole,
                "Pages that were read from disk: the program waited for them.", memory},
    CounterInfo{"memory.available", "B", length, Of::node, By::whole, "Memory that is in no working set.", memory}};
enum class MemoryCounter : std::size_t { working_set, page_faults, pages_read, available };

/// ProgramCounters.
inline constexpr std::array of_programs{
    CounterInfo{"mpi.calls", "calls", rate, Of::process, By::mpi_function, "Calls that have begun.", calls},
    CounterInfo{"mpi.time", ps, timer, Of::process, By::mpi_function, "Time in the function.", calls},
    CounterInfo{"mpi.bytes_sent", "B", rate, Of::process, By::mpi_function,
                "What calls have handed over to send, counted when they begin.", calls},
    CounterInfo{"mpi.bytes_received", "B", rate, Of::process, By::mpi_function,
                "What calls have brought, counted when they return.", calls},
    CounterInfo{"mpi.sizes", "calls", distribution, Of::process, By::size_class,
                "Calls that hand over data to send, by how much.", calls},
    CounterInfo{"timer.calls", "calls", rate, Of::process, By::routine,
                "Calls that have begun: of MPI's functions and of what the program brackets with hypermon_timer_start "
                "and _stop.",
                calls},
    CounterInfo{"timer.inclusive", ps, timer, Of::process, By::routine,
                "Time in the routine and in what it called; once, where it called itself.", calls},
    CounterInfo{"timer.exclusive", ps, timer, Of::process, By::routine, "Time in the routine alone.", calls},
    CounterInfo{"user", "", raw, Of::process, By::user,
                "What the program counts itself: hypermon_counter_set and _add.", header}};
enum class ProgramCounter : std::size_t {
  calls,
  time,
  bytes_sent,
  bytes_received,
  sizes,
  routine_calls,
  inclusive,
  exclusive,
  user
};

} // namespace hypermon::counter_list
