// SPDX-License-Identifier: BSD-3-Clause
// What a workload's own code takes, by parameters that know their unit.
#pragma once
#include "base/quantity.hpp"
#include <hypermon.h>

inline void hypermon_charge(double operations, hypermon::Nanoseconds each) { hypermon_charge(operations, each.number); }
