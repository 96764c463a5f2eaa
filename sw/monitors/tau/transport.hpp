// SPDX-License-Identifier: BSD-3-Clause
// Export of profiles from their processes with calls like those of the standard I/O library (TAU over Supermon sec.
// 3.3, "transport as a first-class entity"). The calls lead to files of a shared file system, or to the monhole of the
// node's mon.
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

/// Identifies a process's profile and the time of its values.
struct Dump {
  int rank = 0;
  std::uint64_t number = 0; ///< among this rank's dumps, from 0 on
  Time taken;               ///< true time at which its values were read
  bool last = false;        ///< the profile at the program's end
  Time stamped{};           ///< the process's clock when its values were read
};

/// The transport of all processes. Each call is made in the rank's actor and returns when the process goes on. It must
/// wait for everything that a real process would wait for.
class Transport {
public:
  virtual ~Transport() = default;
  /// Starts its daemons, before the ranks start.
  virtual void start(Site& site) = 0;
  virtual void make_directory(RankState& rank, const std::string& path) = 0;
  /// Opens a file for writing; it is empty then.
  virtual void open(RankState& rank, const std::string& file) = 0;
  virtual void write(RankState& rank, const std::string& file, std::string_view text) = 0;
  virtual void close(RankState& rank, const std::string& file, const Dump& dump) = 0;
  /// The file `from` becomes `to`, so that readers find only complete files.
  virtual void rename(RankState& rank, const std::string& from, const std::string& to, const Dump& dump) = 0;
  /// The program and the daemons have ended.
  virtual void finish(Time program_end) = 0;

  // --- the reverse channel: commands from clients to running processes -----------------------------------------------
  /// True if there is a reverse channel. Then profiles state the costs of measurement in their metadata.
  virtual bool takes_commands() const { return false; }
  /// Changes whenever a command has arrived for any process.
  std::uint64_t news() const { return news_; }
  /// The most recent command for the process; null: none has arrived.
  virtual const Control* control(const RankState& /*rank*/) const { return nullptr; }

  /// Sets the transport's keys of the result.
  virtual void report(Results& results, Time begin, Time end) const = 0;
  /// The system calls that the transport itself makes, for monitor.system_calls.
  virtual void add_system_calls(ResultRecords& /*calls*/) const {}

protected:
  std::uint64_t news_ = 0;
};

} // namespace hypermon::tau
