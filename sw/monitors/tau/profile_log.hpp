// SPDX-License-Identifier: BSD-3-Clause
// Profiles that leave their processes while the program runs, and come, later, to who consumes them. The log knows of
// each what became of it, and writes those that arrived to a file of the run's folder.
#pragma once
#include "base/histogram.hpp"
#include "base/npy_file.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/tau/transport.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hypermon::tau {

/// A row of profiles.npy: a routine of a profile. Calls and times are since the process's begin.
struct ProfileRow {
  std::int64_t arrival_ps;
  std::int64_t taken_ps; ///< true time
  std::int64_t inclusive_ps;
  std::int64_t exclusive_ps;
  std::uint64_t calls;
  std::uint64_t subroutines;
  std::uint32_t number; ///< of the process's dumps
  std::uint32_t rank;
  std::uint32_t thread;
  std::uint32_t routine; ///< which of profiles.json's
};

} // namespace hypermon::tau

namespace hypermon {
template <>
inline constexpr const char* npy_type<tau::ProfileRow> =
    "[('arrival_ps', '<i8'), ('taken_ps', '<i8'), ('inclusive_ps', '<i8'), ('exclusive_ps', '<i8'), ('calls', '<u8'), "
    "('subroutines', '<u8'), ('number', '<u4'), ('rank', '<u4'), ('thread', '<u4'), ('routine', '<u4')]";
} // namespace hypermon

namespace hypermon::tau {

class ProfileLog {
public:
  /// Writes profiles.npy and profiles.json into `folder`, once a profile has arrived.
  explicit ProfileLog(std::string folder) : folder_(std::move(folder)) {}

  /// A process dumps its profile: it is under way from now on.
  void dump(const Dump& dump, std::string_view text);
  /// It is, whole, where it was to go; its text is a profile of TAU's. For the first consumer that has it: who reads
  /// it once more, or beside others, says so here, too, and changes nothing but the count of that.
  void arrive(const Dump& dump, Time now, std::string_view text);
  /// It never will be. Nothing, if it is there.
  void lose(const Dump& dump, const std::string& stage, const std::string& cause);
  /// No profile arrives any more: the files are complete.
  void close();

  /// Unit: bytes; events: profiles.
  Ledger ledger() const;
  std::uint64_t read_again() const { return read_again_; }
  /// From taking to arrival.
  const TimeHistogram& age() const { return age_; }
  /// Of the profiles that arrived: the process's clock less true time.
  const TimestampError& timestamp_error() const { return timestamp_error_; }

private:
  /// The bytes of those of a process that are under way, by their number.
  using UnderWay = std::map<std::uint64_t, std::uint64_t>;
  /// Ends its way; none, if it has ended before.
  bool settle(const Dump& dump, Ledger::Amount& amount);

  std::string folder_;
  std::unique_ptr<NpyFile<ProfileRow>> file_;
  std::vector<std::string> routines_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::map<int, UnderWay> under_way_; // by rank
  Ledger::Amount generated_;
  Ledger::Amount delivered_;
  std::vector<Ledger::Loss> lost_;
  std::uint64_t read_again_ = 0;
  TimeHistogram age_;
  TimestampError timestamp_error_;
};

} // namespace hypermon::tau
