// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/failures.hpp"
#include "sw/monitors/scms/params.hpp"

namespace hypermon::scms {

std::vector<Failure> failures_of(const Spec& spec, const Tree& tree) {
  const std::string program = spec.workload == "idle" ? "" : spec.workload;
  return hypermon::failures_of(
      "scms.failures", spec.get<ScmsParams>().failures,
      {{"agent", "nodes", tree.nodes()}, {"node", "nodes", tree.nodes(), program}, {"sma", "SMAs", tree.smas()}});
}

} // namespace hypermon::scms
