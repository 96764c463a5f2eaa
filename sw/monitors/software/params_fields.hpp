// What is said of the parameters in software_params.hpp: read where they are described, not where they are used.
#pragma once
#include "hw/core/field.hpp"
#include "sw/monitors/software/params.hpp"

namespace hypermon {

inline auto fields_of(const SoftwareParams*) {
  return std::tuple{Field{"us_per_byte", &SoftwareParams::us_per_byte, range(0, 1000), "us/B",
                          "CPU time of recording, per logged byte.",
                          "calibrated on Table 2 software times of MatMul on 1 node and software times of Place on 2 "
                          "nodes: 36.6 us a "
                          "tick record of 12 B"},
                    Field{"buffer_bytes", &SoftwareParams::buffer_bytes, range(16, 1e12),
                          "Trace buffer of each node; events beyond it are lost.",
                          "assumed: a quarter of a 16 MB node's memory"}};
}
static_assert(all_members_described<SoftwareParams>());

} // namespace hypermon
