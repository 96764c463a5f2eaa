// SPDX-License-Identifier: BSD-3-Clause
// LU's routines with NPB's names, bracketed for monitors.
#pragma once
#include <hypermon.h>

namespace hypermon::workloads::lu {

/// The routine runs during the lifetime of this object.
class Routine {
public:
  explicit Routine(const char* name) : name_(name) {
    if (bracketed) hypermon_timer_start(name_);
  }
  ~Routine() {
    if (bracketed) hypermon_timer_stop(name_);
  }
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;

  static inline bool bracketed = true; ///< lu.timers

private:
  const char* name_;
};

} // namespace hypermon::workloads::lu
