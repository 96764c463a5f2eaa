// SPDX-License-Identifier: BSD-3-Clause
// A client that keeps the measurement's overhead below a target: it reads the profiles that arrive, and decides how
// often processes dump and which routines they measure. It uses no simulation kernel, and only data in profiles.
//
// Input: from two profiles of a process under the same command follow the time between them, the number of started
// timers, and the time of its dumps. The profile's metadata contain the dumps' time by the process's clock and the time
// of a timer, which TAU calibrates. With T and D for the time of timers and dumps, and B for all other time, the
// overhead is (T + D) / B, over all processes.
//
// Rule, applied whenever the processes have been observed for `interval` on average and enough dumps have arrived: a =
// T / B is the share of timers, p the number of dump points per second of B, and d the time of a dump. Dumping at every
// n-th point has the share d p / n. Routines are switched off, the most frequent first, until a leaves room for dumps
// at every `most_every`-th point. The least frequent routine is switched on again as soon as there is room for it. Then
// n = d p / (target - a), rounded up. An increase of n is applied at once. A decrease goes half the way on a
// logarithmic scale, and only if some room remains; otherwise noise would change n for ever. Because a, d and p do not
// depend on n, n converges for any factor between 0 and 2, and a factor of one half cannot overshoot.
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

/// Names of the costs that processes state in their profiles' metadata; times are in microseconds of their own clock.
struct OwnCosts {
  static constexpr const char* control = "Control";
  static constexpr const char* timer_us = "Timer Microseconds";
  static constexpr const char* dumps = "Dumps";
  static constexpr const char* dumping_us = "Dump Microseconds";
  static constexpr const char* timestamp = "Timestamp";
};

struct OverheadTarget {
  double share = 0.05; ///< largest overhead, as a share of the time without measurement
  Time interval = 10'000_ms;
  std::int64_t most_every = 1000;
  bool may_switch_off = true; ///< whether it may switch off routines; false: it changes only how often processes dump
};

class OverheadControl {
public:
  explicit OverheadControl(const OverheadTarget& target) : target_(target) {}

  /// A profile of the process has reached the client. Throws ProfileError if it is invalid.
  void see(int rank, std::string_view profile, Time now);
  /// The command for every process. Number 0: no command yet.
  const Control& control() const { return control_; }
  /// True if all processes whose profiles have arrived obey the command.
  bool is_obeyed() const;

  struct Judged {
    Time at;
    double overhead; ///< overhead in the interval that ends at that time
  };
  /// For each interval, in order.
  const std::vector<Judged>& judged() const { return judged_; }
  /// True if the target cannot be reached: dumps at every `most_every`-th point and the timers that must remain exceed
  /// it. Refers to the last interval.
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
    double timing = 0; ///< seconds in timers
    double dumping = 0;
    std::uint64_t dumps = 0;
    double timer_s = 0; ///< time of one timer, according to the last profile
    std::map<std::string, std::uint64_t> calls;
  };
  void decide(Time now);
  /// The routines to switch off, if those in `off` are off now. `timers`: share of the timers of all other routines.
  std::set<std::string> choose_off(std::set<std::string> off, double dumps_at_least, double& timers) const;

  OverheadTarget target_;
  Control control_;
  std::map<int, Seen> last_;
  Window window_;
  /// last known timers of each routine, as a share of the time without measurement
  std::map<std::string, double> shares_;
  std::vector<Judged> judged_;
  bool out_of_reach_ = false;
};

} // namespace hypermon::tau
