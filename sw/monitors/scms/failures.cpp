#include "sw/monitors/scms/failures.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/scms/params.hpp"

namespace hypermon::scms {

std::vector<Failure> failures_of(const Spec& spec, const Tree& tree) {
  const auto failures = hypermon::failures_of(
      "scms.failures", spec.get<ScmsParams>().failures,
      {{"agent", "nodes", tree.nodes()}, {"node", "nodes", tree.nodes()}, {"sma", "SMAs", tree.smas()}});
  for (const Failure& failure : failures)
    if (mortal(failure) == Mortals::node && spec.workload != "idle")
      throw UserError("scms.failures = " + failure.text +
                      ": a node can only die where no program runs: workload must be idle, not " + spec.workload);
  return failures;
}

} // namespace hypermon::scms
