// SPDX-License-Identifier: BSD-3-Clause
// Power of all computers of a run: changes of their states, their meters, and the energy of each phase of the
// processes.
#pragma once
#include "sw/monitors/hdtrace/core/power.hpp"
#include "sw/monitors/hdtrace/params.hpp"
#include "sw/monitors/hdtrace/statistics_file.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::hdtrace {

Watts watts_of(const PowerParams& params);

/// One computer with its periodic readers.
class Metered {
public:
  Metered(const PowerParams& params, std::int64_t processors, std::unique_ptr<StatisticsFile> energy);

  /// Calls `look` after every period, from time 0 on.
  void every(Time period, std::function<void(Time end, const Computer&)> look);
  /// Runs all readers that are due by `now`, and returns the computer. Call it before each change of its state.
  Computer& at(Time now);
  const Computer& computer() const { return computer_; }
  const Meter* meter() const { return meter_ ? meter_.get() : nullptr; }
  StatisticsFile* energy() { return energy_.get(); }

private:
  struct Periodic {
    Time period;
    Time next;
    std::function<void(Time, const Computer&)> look;
  };
  Computer computer_;
  std::unique_ptr<Meter> meter_; // null: no meter
  std::unique_ptr<StatisticsFile> energy_;
  double voltage_;
  std::vector<Periodic> periodic_;
};

/// A phase of a node: at least one process is in the function, or no process is in any function and they compute.
struct Phase {
  Time time; ///< summed over nodes
  double joules = 0;
};

/// Divides the energy among the activities of a node's processes.
class Phases {
public:
  explicit Phases(std::size_t nodes) : nodes_(nodes) {}
  void enter(std::size_t node, const std::string& function, Metered& power, Time now);
  void leave(std::size_t node, const std::string& function, Metered& power, Time now);
  /// A process begins (1) or ends (-1).
  void alive(std::size_t node, int by, Metered& power, Time now);
  /// Includes "computing" and "idle".
  const std::map<std::string, Phase>& all() const { return phases_; }

private:
  struct Node {
    std::map<std::string, int> in;
    int alive = 0;
    Time since;
    double joules = 0;
  };
  void account(Node& node, Metered& power, Time now);

  std::vector<Node> nodes_;
  std::map<std::string, Phase> phases_;
};

} // namespace hypermon::hdtrace
