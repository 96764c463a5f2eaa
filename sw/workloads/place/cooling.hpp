// SPDX-License-Identifier: BSD-3-Clause
// Place's cooling schedule. The temperature is not prescribed but controlled (a thermostat similar to Lam's): the
// schedule prescribes the acceptance rate over time, and the temperature follows. So the number of accepted moves is an
// input, and more attempts only add rejected moves.
#pragma once
#include "sw/workloads/place/params.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hypermon::workloads {

class Cooling {
public:
  explicit Cooling(const PlaceParams& p)
      : reheats_(static_cast<double>(p.reheats)), attempts_(static_cast<double>(p.attempts)),
        accepted_(static_cast<double>(p.accepted)), gain_(p.thermostat_gain), mean_rate_(accepted_ / attempts_) {}

  double temperature() const { return std::exp(log_temperature_); }

  /// Call after each attempt of this node, at `progress` (0 to 1) through its attempts.
  void observe(bool accepted, double progress) {
    const double rate = std::min(mean_rate_ * shape(progress), max_rate);
    log_temperature_ = std::clamp(log_temperature_ + gain_ * (rate - (accepted ? 1 : 0)), -limit, limit);
  }

  /// The number of moves accepted by all nodes so far determines the rate for the rest.
  void correct(std::int64_t accepted_so_far, double progress) {
    const double rest = attempts_ * (1 - planned(progress));
    if (rest > 0) mean_rate_ = std::max(accepted_ - static_cast<double>(accepted_so_far), 0.0) / rest;
  }

private:
  static constexpr double max_rate = 0.95;
  static constexpr double limit = 20; // limit of |log(temperature)|, where all or no moves are accepted
  // The rate falls linearly in each cooling, from `first` to `last` times the mean.
  static constexpr double first = 1.6;
  static constexpr double last = 0.4;

  double shape(double progress) const {
    const double x = progress * reheats_;
    return first - (first - last) * (x - std::floor(x));
  }
  /// Integral of `shape` up to `progress`.
  double planned(double progress) const {
    const double x = progress * reheats_;
    const double part = x - std::floor(x);
    return (std::floor(x) + first * part - (first - last) / 2 * part * part) / reheats_;
  }

  double reheats_;
  double attempts_;
  double accepted_;
  double gain_;
  double mean_rate_;
  double log_temperature_ = 2;
};

} // namespace hypermon::workloads
