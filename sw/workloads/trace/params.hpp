// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the interpreter of program scripts.
#pragma once
#include "base/field.hpp"

#include <string>

namespace hypermon {

/// A recorded or imported program (sw/workloads/trace/trace.cpp).
struct TraceParams {
  std::string file;
  double compute_factor = 1;
};

constexpr auto fields_of(const TraceParams*) {
  return fields(
      Field{
          "file", &TraceParams::file, hypermon::file(), "",
          "Program script that `hypermon import` or `hypermon run --script-out` wrote (see docs/reference/scripts.md).",
          "chosen"},
      Field{"compute_factor", &TraceParams::compute_factor, range(0, 1e6), "",
            "Factor on the CPU time between the recorded calls. 0.5 models a CPU twice as fast as the recorded one.",
            "chosen"});
}
static_assert(all_members_described<TraceParams>());

} // namespace hypermon
