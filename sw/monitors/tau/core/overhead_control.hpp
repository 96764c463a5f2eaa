// SPDX-License-Identifier: BSD-3-Clause
// A client that holds the measurement's overhead below a target: it looks at the profiles that come, and says how often
// processes dump and which routines they measure. No simulation kernel, and nothing but what is in profiles.
//
// Seen: between two profiles of a process under the same control, so much time passed, so many timers were started, and
// its dumps took so long (its own clock's word, in the profile's metadata, as is what a timer takes: TAU calibrates
// that). With T and D these times and B all else, the overhead is (T + D) / B, over all processes.
//
// Rule, whenever `interval` has been seen of the processes on the average, and dumps enough: a = T / B is what timers
// take, p the dump points in a second of B, d what a dump takes; dumping at each n-th takes d p / n. Routines are
// switched off, the most often called first, until a leaves room for dumps at each `most_every`-th point; the one
// called least is switched on again as soon as that leaves room, too. Then n = d p / (target - a), rounded up. More
// seldom at once, more often by half the way on a logarithmic scale, and that only if some room is left then: else
// noise would have it change for ever. a, d and p do not depend on n: n comes to rest for any factor between 0 and 2,
// and halves cannot overshoot.
#pragma once
#include "base/time.hpp"
#include "sw/monitors/tau/core/control.hpp"
#include "sw/monitors/tau/core/profile_text.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::tau {

/// What processes say of their measuring, in their profiles' metadata; microseconds of their own clock.
struct OwnCosts {
  static constexpr const char* control = "Control";
  static constexpr const char* timer_us = "Timer Microseconds";
  static constexpr const char* dumps = "Dumps";
  static constexpr const char* dumping_us = "Dump Microseconds";
  static constexpr const char* timestamp = "Timestamp";
};

struct OverheadTarget {
  double share = 0.05; ///< of the time without measuring
  Time interval = 10'000_ms;
  std::int64_t most_every = 1000;
  bool may_switch_off = true; ///< routines; else only dumps change
};

class OverheadControl {
public:
  explicit OverheadControl(const OverheadTarget& target) : target_(target) {}

  /// A profile of the process is at the client. Throws ProfileError if it is none.
  void see(int rank, std::string_view profile, Time now);
  /// What every process is to do; number 0: as it did from the start.
  const Control& control() const { return control_; }
  /// Do all whose profiles were seen do that?
  bool is_obeyed() const;

  struct Judged {
    Time at;
    double overhead; ///< in the interval until then
  };
  /// Of every interval, in order.
  const std::vector<Judged>& judged() const { return judged_; }
  /// It cannot be held: what is left, dumps at each `most_every`-th point and timers that may not be switched off, is
  /// more. As of the last interval.
  bool is_out_of_reach() const { return out_of_reach_; }
  double target() const { return target_.share; }

private:
  struct Seen {
    std::uint64_t control = 0;
    std::int64_t at_us = 0;
    std::uint64_t dumps = 0;
    std::int64_t dumping_us = 0;
    double timer_us = 0;
    std::map<std::string, std::uint64_t> calls;
  };
  /// Sums over processes.
  struct Window {
    double seconds = 0;
    double timing = 0; ///< seconds, of timers
    double dumping = 0;
    std::uint64_t dumps = 0;
    double timer_s = 0; ///< what a timer takes, as the last profile says
    std::map<std::string, std::uint64_t> calls;
  };
  void decide(Time now);
  /// Which routines are to be off, if these are; what the timers of all others take is `timers`.
  std::set<std::string> choose_off(std::set<std::string> off, double dumps_at_least, double& timers) const;

  OverheadTarget target_;
  Control control_;
  std::map<int, Seen> last_;
  Window window_;
  std::map<std::string, double> shares_; ///< of the time without measuring: each routine's timers, when last measured
  std::vector<Judged> judged_;
  bool out_of_reach_ = false;
};

} // namespace hypermon::tau
