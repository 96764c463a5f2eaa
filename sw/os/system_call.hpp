// SPDX-License-Identifier: BSD-3-Clause
// Steps of NX/2's system calls: their events and costs.
#pragma once
#include "sw/instrumentation/system_calls.hpp"
#include "sw/os/execution.hpp"

namespace hypermon::system_call {

using Call = SystemCall;

inline void enter(NodeKernel& k, Call call) {
  k.emit(Point::syscall_entry, {.call = static_cast<std::uint32_t>(call)});
}
inline void leave(NodeKernel& k, Call call) { k.emit(Point::syscall_exit, {.call = static_cast<std::uint32_t>(call)}); }
inline void switch_out(NodeKernel& k) { k.emit(Point::switch_out, {.process = index(k.node())}); }
inline void switch_in(NodeKernel& k) { k.emit(Point::switch_in, {.process = index(k.node())}); }

/// Begins a system call that waits for a message.
inline void begin_wait(RankState& self, Call call) {
  execution().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.spend(execution().syscall_cost());
  });
}

/// A complete system call that moves no data.
inline void plain_call(RankState& self, Call call) {
  execution().kernel_work(self, [&](NodeKernel& k) {
    enter(k, call);
    k.spend(execution().syscall_cost());
    leave(k, call);
  });
}

/// NX/2's mclock. Every read of a clock is such a system call.
inline void read_clock(RankState& self) { plain_call(self, Call::mclock); }

} // namespace hypermon::system_call
