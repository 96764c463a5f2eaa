// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/tau/control_params.hpp"
#include "sw/monitors/tau/ktau_params.hpp"
#include "sw/monitors/tau/losses.hpp"
#include "sw/monitors/tau/params.hpp"
#include "sw/monitors/tau/result_keys.hpp"
#include "sw/monitors/tau/transports.hpp"

namespace hypermon {
namespace {

/// Checks for all three monitors.
void check_tau(const Spec& spec) {
  if (!spec.monitor.starts_with("tau")) return;
  const auto& params = spec.get<TauParams>();
  if (2 * params.gettimeofday_us.number > params.timer_us.number)
    throw UserError("tau.gettimeofday_us = " + plain_number(params.gettimeofday_us.number) +
                    ": must be at most half of tau.timer_us = " + plain_number(params.timer_us.number));
  if (params.clock_access_us.number > params.gettimeofday_us.number)
    throw UserError("tau.clock_access_us = " + plain_number(params.clock_access_us.number) +
                    ": must be at most tau.gettimeofday_us = " + plain_number(params.gettimeofday_us.number));
  (void)tau::transport_of(spec); // throws on a contradiction
}

} // namespace

Part tau_part() {
  return {.kind = Part::Kind::monitor,
          .name = "tau",
          .sections = {section<TauParams>("tau", "TAU's timers, their clock, and the dumps of profiles."),
                       section<KtauParams>(
                           "ktau", "Attribution of MPI time to system calls, as by KTAU, a kernel that measures them."),
                       section<TauControlParams>(
                           "tau_control", "TAU over Supermon: a client that limits the measurement's overhead.")},
          .check = check_tau,
          .results = keys_of(tau_keys),
          .monitor = {.ledger_unit = "bytes",
                      .losses = tau::losses_of_all_transports(),
                      .description = "TAU's profiles, written when the program ends"}};
}

} // namespace hypermon
