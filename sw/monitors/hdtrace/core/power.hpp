// SPDX-License-Identifier: BSD-3-Clause
// Power of a computer from the states of its parts. It is constant between changes, so energy is exact. A meter sees
// means over periods.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>

namespace hypermon::hdtrace {

/// Power of the parts, in W.
struct Watts {
  double base = 0; ///< board and memory
  double idle = 0; ///< one idle processor
  double computing = 0;
  double waiting = 0;
  double nic_idle = 0;
  double nic = 0;
  double disk_idle = 0;
  double disk = 0;
  double supply = 0; ///< additional loss, as a share of the total power
};

/// Accounts for energy.
enum class Share : std::uint8_t { base, idle, computing, waiting, nic, disk, supply };
inline constexpr std::size_t shares = 7;
inline constexpr std::array share_names{"base", "idle", "computing", "waiting", "nic", "disk", "supply"};

/// The states of a computer's parts and the energy that they have used, in J.
class Computer {
public:
  Computer(const Watts& watts, std::int64_t processors) : watts_(watts), processors_(processors) {}

  // Changes at `now`, which must not decrease.
  void computing(Time now, std::int64_t by) { change(now, computing_, by); }
  void waiting(Time now, std::int64_t by) { change(now, waiting_, by); }
  /// Several parts of a network interface may work at once. It is busy while any of them works.
  void nic(Time now, std::int64_t by) { change(now, nic_, by); }
  void disk(Time now, std::int64_t by) { change(now, disk_, by); }
  void pass(Time now);

  /// Power at this moment.
  double watts() const;
  double joules() const;
  double joules(Share share) const { return joules_[static_cast<std::size_t>(share)]; }
  Time busy(Share share) const { return busy_[static_cast<std::size_t>(share)]; }

private:
  void change(Time now, std::int64_t& state, std::int64_t by) {
    pass(now);
    state += by;
  }
  std::array<double, shares> parts() const;

  Watts watts_;
  std::int64_t processors_;
  std::int64_t computing_ = 0;
  std::int64_t waiting_ = 0;
  std::int64_t nic_ = 0;
  std::int64_t disk_ = 0;
  Time passed_;
  std::array<double, shares> joules_{};
  std::array<Time, shares> busy_{}; ///< of nic and disk; of computing and waiting summed over processors
};

/// An external meter: the mean over each whole period from time 0 on, rounded to its resolution.
class Meter {
public:
  /// `period` must be greater than 0.
  Meter(Time period, double resolution) : period_(period), resolution_(resolution) {}

  /// Time of the next reading.
  Time next() const { return read_ + period_; }
  /// Reads the mean power in W at next(). The computer must have advanced to that time.
  double read(const Computer& computer);
  double joules() const { return joules_; }
  std::int64_t readings() const { return readings_; }

private:
  Time period_;
  double resolution_;
  Time read_;
  double before_ = 0; // energy at the last reading
  double joules_ = 0;
  std::int64_t readings_ = 0;
};

/// Estimate from recorded utilization alone (HDPowerEstimation): linear between idle and full load.
double estimate(const Watts& watts, std::int64_t processors, double cpu, double nic, double disk);

} // namespace hypermon::hdtrace
