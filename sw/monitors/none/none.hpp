// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "sw/monitors/monitor.hpp"

namespace hypermon {

/// No instrumentation: no event is emitted, and nothing costs time.
class NoMonitor : public Monitor {
public:
  bool records() const override { return false; }
  std::optional<Time> emit(const Emission&) override { return Time{}; }
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results& results, Time begin, Time end) const override;
};

} // namespace hypermon
