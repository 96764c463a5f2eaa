// SPDX-License-Identifier: BSD-3-Clause
// Time <-> sc_time at SystemC's default resolution of 1 ps (require_picoseconds()).
#pragma once
#include "base/time.hpp"
#include <systemc>

namespace hypermon {

/// Also valid for negative times (modulo 2^64), so that stamp + (t - stamp) is t for any stamp.
inline sc_core::sc_time to_sc_time(Time t) { return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(t.ps())); }
inline Time to_time(const sc_core::sc_time& t) { return Time::from_ps(static_cast<std::int64_t>(t.value())); }

/// Converts a transaction's timing annotation to absolute time and back. Exact for any SystemC time, so that
/// transactions may also come from outside SystemC processes.
inline Time absolute(const sc_core::sc_time& delay) { return to_time(sc_core::sc_time_stamp()) + to_time(delay); }
inline sc_core::sc_time annotation(Time t) { return to_sc_time(t - to_time(sc_core::sc_time_stamp())); }
/// SystemC's time, for code that every burst executes: reading it through a module takes a third of the work.
inline Time now(const sc_core::sc_object& module) { return to_time(module.simcontext()->time_stamp()); }

/// To be called by the constructor of every module that converts times.
inline void require_picoseconds() {
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_PS))
    SC_REPORT_FATAL("hypermon", "the time resolution must be 1 ps");
}

} // namespace hypermon
