// SPDX-License-Identifier: BSD-3-Clause
// Results of the calls of one kind of clients.
#pragma once
#include "base/histogram.hpp"
#include "base/results.hpp"
#include "sw/monitors/scms/core/session.hpp"

#include <cstdint>
#include <optional>

namespace hypermon::scms {

class Outcome {
public:
  /// Adds a part of a call's answer, or all of it.
  void add(const Answer& answer);
  /// The call that was due at `date` has been answered.
  void end(Time date, Time now);
  void miss() { ++missed_; }
  /// Quality of a selection. `better`: number of nodes with a smaller true value. `regret`: difference of the selected
  /// node's true value and the smallest one. None: true values are unknown.
  struct Truth {
    std::uint64_t better;
    std::int64_t regret;
  };
  void choose(const std::optional<Truth>& truth);
  void add_to(ResultValues& values) const;

private:
  std::uint64_t calls_ = 0;
  std::uint64_t missed_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t missing_ = 0;
  std::uint64_t unprovided_ = 0;
  std::uint64_t failed_ = 0;
  std::optional<Time> first_;
  Time took_;
  double ages_s_ = 0; // in ps the sum of a long run would overflow
  TimeHistogram latency_;
  TimeHistogram age_;
  std::uint64_t choices_ = 0;
  std::uint64_t judged_ = 0;
  std::uint64_t right_ = 0;
  double better_ = 0;
  double regret_ = 0;
};

} // namespace hypermon::scms
