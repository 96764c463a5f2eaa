// Parameters of the interpreter of program scripts.
#pragma once
#include "hw/core/field.hpp"

namespace hypermon {

/// A recorded or imported program (sw/workloads/trace.cpp).
struct TraceParams {
  std::string file;
  double compute_factor = 1;
  static constexpr auto fields() {
    return std::tuple{
        Field{
            "file", &TraceParams::file, hypermon::file(), "",
            "Program script: what `hypermon import` or `hypermon run --script-out` wrote (docs/reference/scripts.md).",
            "chosen"},
        Field{"compute_factor", &TraceParams::compute_factor, range(0, 1e6), "",
              "Times the computing between its calls; 0.5: a CPU twice as fast as the one that was recorded.",
              "chosen"}};
  }
};
static_assert(all_members_described<TraceParams>());

} // namespace hypermon
