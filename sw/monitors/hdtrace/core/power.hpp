// SPDX-License-Identifier: BSD-3-Clause
// Power of a computer from the states of its parts: constant between changes, so that energy is exact. Who meters it
// sees means over periods.
#pragma once
#include "base/time.hpp"

#include <array>
#include <cstdint>

namespace hypermon::hdtrace {

/// What parts take, in W.
struct Watts {
  double base = 0; ///< board and memory
  double idle = 0; ///< a processor
  double computing = 0;
  double waiting = 0;
  double nic_idle = 0;
  double nic = 0;
  double disk_idle = 0;
  double disk = 0;
  double supply = 0; ///< lost on top of all that, as a share
};

/// What energy is accounted to.
enum class Share : std::uint8_t { base, idle, computing, waiting, nic, disk, supply };
inline constexpr std::size_t shares = 7;
inline constexpr std::array share_names{"base", "idle", "computing", "waiting", "nic", "disk", "supply"};

/// The states of a computer's parts, and what they have taken. J.
class Computer {
public:
  Computer(const Watts& watts, std::int64_t processors) : watts_(watts), processors_(processors) {}

  // From `now` on, which does not go back.
  void computing(Time now, std::int64_t by) { change(now, computing_, by); }
  void waiting(Time now, std::int64_t by) { change(now, waiting_, by); }
  /// Parts of it may work at once: it works while any does.
  void nic(Time now, std::int64_t by) { change(now, nic_, by); }
  void disk(Time now, std::int64_t by) { change(now, disk_, by); }
  void pass(Time now);

  /// As it is now.
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

/// An external meter: the mean over each whole period, from time 0 on, rounded to its resolution.
class Meter {
public:
  /// `period` more than 0.
  Meter(Time period, double resolution) : period_(period), resolution_(resolution) {}

  /// When it reads next.
  Time next() const { return read_ + period_; }
  /// It does, at next(), to which the computer has been passed: W.
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

/// What a tool makes of recorded utilisation alone (HDPowerEstimation): linear between idle and full.
double estimate(const Watts& watts, std::int64_t processors, double cpu, double nic, double disk);

} // namespace hypermon::hdtrace
