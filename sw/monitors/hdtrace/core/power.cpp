// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/core/power.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hypermon::hdtrace {

std::array<double, shares> Computer::parts() const {
  // If there are more processes than processors, those that compute have precedence.
  const std::int64_t computing = std::min(computing_, processors_);
  const std::int64_t waiting = std::min(waiting_, processors_ - computing);
  std::array<double, shares> watts{};
  const auto set = [&](Share share, double value) { watts[static_cast<std::size_t>(share)] = value; };
  set(Share::base, watts_.base);
  set(Share::idle, watts_.idle * static_cast<double>(processors_ - computing - waiting));
  set(Share::computing, watts_.computing * static_cast<double>(computing));
  set(Share::waiting, watts_.waiting * static_cast<double>(waiting));
  set(Share::nic, nic_ > 0 ? watts_.nic : watts_.nic_idle);
  set(Share::disk, disk_ > 0 ? watts_.disk : watts_.disk_idle);
  set(Share::supply, watts_.supply * std::accumulate(watts.begin(), watts.end(), 0.0));
  return watts;
}

void Computer::pass(Time now) {
  if (now <= passed_) return;
  const Time length = now - passed_;
  const auto watts = parts();
  for (std::size_t s = 0; s < shares; ++s) joules_[s] += watts[s] * length.seconds();
  const auto add = [&](Share share, std::int64_t times) { busy_[static_cast<std::size_t>(share)] += length * times; };
  add(Share::computing, std::min(computing_, processors_));
  add(Share::waiting, std::min(waiting_, processors_ - std::min(computing_, processors_)));
  add(Share::nic, nic_ > 0 ? 1 : 0);
  add(Share::disk, disk_ > 0 ? 1 : 0);
  passed_ = now;
}

double Computer::watts() const {
  const auto watts = parts();
  return std::accumulate(watts.begin(), watts.end(), 0.0);
}

double Computer::joules() const { return std::accumulate(joules_.begin(), joules_.end(), 0.0); }

double Meter::read(const Computer& computer) {
  const double all = computer.joules();
  const double mean = (all - before_) / period_.seconds();
  const double shown = resolution_ > 0 ? std::round(mean / resolution_) * resolution_ : mean;
  before_ = all;
  read_ += period_;
  joules_ += shown * period_.seconds();
  ++readings_;
  return shown;
}

double estimate(const Watts& watts, std::int64_t processors, double cpu, double nic, double disk) {
  const auto between = [](double idle, double full, double part) {
    return idle + (full - idle) * std::clamp(part, 0.0, 1.0);
  };
  const double direct = watts.base + static_cast<double>(processors) * between(watts.idle, watts.computing, cpu) +
                        between(watts.nic_idle, watts.nic, nic) + between(watts.disk_idle, watts.disk, disk);
  return direct * (1 + watts.supply);
}

} // namespace hypermon::hdtrace
