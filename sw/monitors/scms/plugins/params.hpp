// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the CMAs' plug-ins.
#pragma once
#include "base/quantity.hpp"

#include <string>

namespace hypermon {

struct ScmsPluginParams {
  std::string loaded = "hardware process";
  std::string available = "mpi";
  std::string own;
  std::string schedule;
  Bytes table_bytes = 11264;
  Seconds restart_s = 1;
};

} // namespace hypermon
