// SPDX-License-Identifier: BSD-3-Clause
// Declares each counter that the operating system and the MPI layer keep, in one place.
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
inline constexpr std::string_view calls = "the program's MPI calls, under every machine.messages";
inline constexpr std::string_view header = "hypermon.h, called by the program";

/// Counters of the class KernelCounters.
inline constexpr std::array of_kernels{
    CounterInfo{"cpu.user", ps, timer, Of::process, By::whole, "CPU time of the program's own code.", kernel},
    CounterInfo{"cpu.kernel", ps, timer, Of::node, By::whole,
                "CPU time of system calls, message software and interrupts, without the emission of events.", kernel},
    CounterInfo{"cpu.emission", ps, timer, Of::node, By::whole, "CPU time of emitting events.", kernel},
    CounterInfo{"cpu.busy", ps, percentage, Of::node, By::whole,
                "CPU time of the program, the kernel and the emission of events together.", kernel},
    CounterInfo{"os.context_switches", "switches", rate, Of::processor, By::whole,
                "Number of times that the processor switched to a process other than the last one. 0 where no "
                "processes share the node's processors.",
                scheduler},
    CounterInfo{"os.waits", "switches", rate, Of::node, By::whole,
                "Number of times that a process left the CPU to wait for a message or returned to it. 0 with "
                "machine.messages = smpi.",
                kernel},
    CounterInfo{"os.system_calls", "calls", rate, Of::node, By::whole,
                "Number of the program's system calls. 0 with machine.messages = smpi, which models none.", kernel},
    CounterInfo{"os.interrupts", "interrupts", rate, Of::node, By::whole,
                "Number of interrupts: ticks, and messages for which no process waited when they arrived.", kernel}};
enum class KernelCounter : std::size_t { user, kernel, emission, busy, switches, waits, system_calls, interrupts };

/// Counters of the class MessageCounters.
inline constexpr std::array of_messages{
    CounterInfo{"messages.sent", "messages", distribution, Of::process, By::size_class,
                "Number of sent messages by size, those of collective operations included.", matcher},
    CounterInfo{"messages.received", "messages", distribution, Of::process, By::size_class,
                "Number of messages by size whose last byte has arrived.", matcher},
    CounterInfo{"messages.bytes_sent", "B", rate, Of::process, By::whole, "Data of the sent messages.", matcher},
    CounterInfo{"messages.bytes_received", "B", rate, Of::process, By::whole,
                "Data of the messages that have arrived completely.", matcher},
    CounterInfo{"queue.posted", "receives", length, Of::process, By::whole,
                "Number of posted receives that wait for a message.", matcher},
    CounterInfo{"queue.unexpected", "messages", length, Of::process, By::whole,
                "Number of messages, or of requests of long messages, for which no receive is posted. With "
                "machine.messages = smpi a message counts as soon as it is sent.",
                matcher},
    CounterInfo{"memory.message_buffers", "B", length, Of::node, By::whole,
                "Memory of system buffers for arrived messages without a posted receive. With machine.messages = smpi "
                "it includes messages that still wait at their sender although the send has returned.",
                matcher},
    CounterInfo{"interface.bytes_sent", "B", rate, Of::interface, By::whole,
                "Bytes that have left the node for others, also of transfers under way. Headers and SMPI's own control "
                "messages are included. On a network of packets a packet counts when the interface has served it; data "
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

/// Counters of the class MemoryCounters.
inline constexpr std::array of_memory{
    CounterInfo{"memory.working_set", "B", length, Of::process, By::whole,
                "Part of the program's working set (hypermon_working_set) that is in memory.", memory},
    CounterInfo{"memory.page_faults", "faults", rate, Of::process, By::whole,
                "Number of pages that were touched for the first time or read from disk.", memory},
    CounterInfo{"memory.pages_read", "pages", rate, Of::process, By::whole,
                "Number of pages that were read from disk while the program waited.", memory},
    CounterInfo{"memory.available", "B", length, Of::node, By::whole,
                "Memory of the node that belongs to no working set.", memory}};
enum class MemoryCounter : std::size_t { working_set, page_faults, pages_read, available };

/// Counters of the class ProgramCounters.
inline constexpr std::array of_programs{
    CounterInfo{"mpi.calls", "calls", rate, Of::process, By::mpi_function,
                "Number of begun calls of each MPI function.", calls},
    CounterInfo{"mpi.time", ps, timer, Of::process, By::mpi_function, "Time in each MPI function.", calls},
    CounterInfo{"mpi.bytes_sent", "B", rate, Of::process, By::mpi_function,
                "Bytes that calls of each MPI function send, counted when a call begins.", calls},
    CounterInfo{"mpi.bytes_received", "B", rate, Of::process, By::mpi_function,
                "Bytes that calls of each MPI function have received, counted when a call returns.", calls},
    CounterInfo{"mpi.sizes", "calls", distribution, Of::process, By::size_class,
                "Number of MPI calls that send data, by the size of the data.", calls},
    CounterInfo{"timer.calls", "calls", rate, Of::process, By::routine,
                "Number of begun calls of each routine: MPI functions, and sections between hypermon_timer_start and "
                "hypermon_timer_stop.",
                calls},
    CounterInfo{"timer.inclusive", ps, timer, Of::process, By::routine,
                "Inclusive time: time in a routine and in the routines that it calls. Recursive calls count once.",
                calls},
    CounterInfo{"timer.exclusive", ps, timer, Of::process, By::routine,
                "Exclusive time: time in a routine without the routines that it calls.", calls},
    CounterInfo{"user", "", raw, Of::process, By::user,
                "Counters of the program itself (hypermon_counter_set, hypermon_counter_add).", header}};
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
