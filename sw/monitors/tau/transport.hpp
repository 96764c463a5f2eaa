// SPDX-License-Identifier: BSD-3-Clause
// How profiles leave their processes: with the calls of the standard I/O library, whatever is behind them (TAU over
// Supermon sec. 3.3, "transport as a first-class entity"): files of a shared file system, or the monhole of the node's
// mon.
#pragma once
#include "base/results.hpp"
#include "base/time.hpp"
#include "sw/monitors/tau/core/control.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hypermon {
struct RankState; // sw/os/operating_system.hpp
class Site;
} // namespace hypermon

namespace hypermon::tau {

/// A process's profile as it leaves: which one, and when it was true.
struct Dump {
  int rank = 0;
  std::uint64_t number = 0; ///< of this rank's, from 0 on
  Time taken;               ///< true time at which its numbers were read
  bool last = false;        ///< at the program's end
  Time stamped{};           ///< what the process's clock showed when they were read
};

/// Of all processes. Each call comes from the rank's actor and returns when its process goes on; it must not return
/// before the machine has done what a process would wait for.
class Transport {
public:
  virtual ~Transport() = default;
  /// Before the ranks start: its daemons.
  virtual void start(Site& site) = 0;
  virtual void make_directory(RankState& rank, const std::string& path) = 0;
  /// For writing, empty.
  virtual void open(RankState& rank, const std::string& file) = 0;
  virtual void write(RankState& rank, const std::string& file, std::string_view text) = 0;
  virtual void close(RankState& rank, const std::string& file, const Dump& dump) = 0;
  /// From now on `to` is what was `from`: who reads finds whole files only.
  virtual void rename(RankState& rank, const std::string& from, const std::string& to, const Dump& dump) = 0;
  /// The program has ended, and so have the daemons.
  virtual void finish(Time program_end) = 0;

  // --- the reverse channel: what clients say to processes while they run ---------------------------------------------
  /// Has it one? Then profiles say in their metadata what measuring takes.
  virtual bool takes_commands() const { return false; }
  /// Another number whenever something has come for any process.
  std::uint64_t news() const { return news_; }
  /// The newest that has come for the process; null: nothing has.
  virtual const Control* control(const RankState& /*rank*/) const { return nullptr; }

  /// Its keys of the result.
  virtual void report(Results& results, Time begin, Time end) const = 0;
  /// The system calls that the transport itself makes, for monitor.system_calls.
  virtual void add_system_calls(ResultRecords& /*calls*/) const {}

protected:
  std::uint64_t news_ = 0;
};

} // namespace hypermon::tau
