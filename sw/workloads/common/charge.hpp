// SPDX-License-Identifier: BSD-3-Clause
// Charges the time of a workload's own code, with parameters that have a unit.
#pragma once
#include "base/quantity.hpp"
#include <hypermon.h>

inline void hypermon_charge(double operations, hypermon::Nanoseconds each) { hypermon_charge(operations, each.number); }
