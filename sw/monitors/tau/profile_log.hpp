// SPDX-License-Identifier: BSD-3-Clause
// Profiles that leave their processes while the program runs and reach a consumer later. The log keeps the fate of each
// profile, and writes the profiles that arrived to a file in the run's folder.
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

/// A row of profiles.npy: one routine of one profile. Calls and times are counted from the process's begin.
struct ProfileRow {
  std::int64_t arrival_ps;
  std::int64_t taken_ps; ///< true time
  std::int64_t inclusive_ps;
  std::int64_t exclusive_ps;
  std::uint64_t calls;
  std::uint64_t subroutines;
  std::uint32_t number; ///< among the process's dumps
  std::uint32_t rank;
  std::uint32_t thread;
  std::uint32_t routine; ///< index in profiles.json
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
  /// Writes profiles.npy and profiles.json into `folder` once a profile has arrived.
  explicit ProfileLog(std::string folder) : folder_(std::move(folder)) {}

  /// A process dumps its profile, which is under way from now on.
  void dump(const Dump& dump, std::string_view text);
  /// The profile has arrived completely; `text` is in TAU's format. Only the first arrival counts as delivery. Further
  /// readings by any consumer are also reported here, and are only counted.
  void arrive(const Dump& dump, Time now, std::string_view text);
  /// The profile is lost. Does nothing if it has arrived.
  void lose(const Dump& dump, const std::string& stage, const std::string& cause);
  /// No more profiles arrive: completes the files.
  void close();

  /// The unit is bytes; events are profiles.
  Ledger ledger() const;
  std::uint64_t read_again() const { return read_again_; }
  /// Time from a dump to its arrival.
  const TimeHistogram& age() const { return age_; }
  /// For the profiles that arrived: the process's clock minus true time.
  const TimestampError& timestamp_error() const { return timestamp_error_; }

private:
  /// Sizes of a process's profiles under way, by number.
  using UnderWay = std::map<std::uint64_t, std::uint64_t>;
  /// Removes the profile from those under way. Returns false if it was not among them.
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
