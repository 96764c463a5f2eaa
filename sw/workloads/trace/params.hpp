// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the interpreter of program scripts.
#pragma once
#include <string>

namespace hypermon {

/// A recorded or imported program (sw/workloads/trace/trace.cpp).
struct TraceParams {
  std::string file;
  double compute_factor = 1;
};

} // namespace hypermon
