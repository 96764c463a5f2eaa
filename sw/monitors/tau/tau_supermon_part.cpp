// SPDX-License-Identifier: BSD-3-Clause
// TAU with profiles exported through the monhole of the node's mon. It has the parameters of tau_part.cpp and Supermon.
#include "base/parts.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/supermon/design_of.hpp"
#include "sw/monitors/tau/control_params.hpp"
#include "sw/monitors/tau/losses.hpp"
#include "sw/monitors/tau/monhole_result_keys.hpp"
#include "sw/monitors/tau/params.hpp"
#include "sw/monitors/tau/transports.hpp"

#include <iterator>

namespace hypermon {
namespace {

void check_tau_supermon(const Spec& spec) {
  if (!spec.monitor.starts_with("tau") || tau::transport_of(spec) != TauTransport::monhole) return;
  supermon::check_supermon(spec);
  const auto& control = spec.get<TauControlParams>();
  const auto clients = supermon::clients_of(spec);
  const std::string client = "tau_control.client = " + std::to_string(control.client);
  if (control.overhead_percent == 0) return;
  if (control.client >= std::ssize(clients))
    throw UserError(client + ": there are clients 0 to " + std::to_string(std::ssize(clients) - 1));
  const supermon::Query& query = clients[static_cast<std::size_t>(control.client)].setting.query;
  if (!query.monhole || query.combine != supermon::Combining::none)
    throw UserError(client + ": must query the contents of the monholes (monhole = true) without combining them");
  if (spec.get<TauParams>().dump == TauDump::never)
    throw UserError("tau_control.overhead_percent = " + plain_number(control.overhead_percent) +
                    ": needs dumps, and tau.dump is never");
}

} // namespace

Part tau_supermon_part() {
  return {.kind = Part::Kind::monitor,
          .name = "tau_supermon",
          .check = check_tau_supermon,
          .results = keys_of(tau_supermon_keys),
          .monitor = {.ledger_unit = "bytes",
                      .losses = tau::losses_of_monholes(),
                      .takes_samples = true,
                      .sampling_interval = supermon::sampling_interval,
                      .description = "TAU's profiles through Supermon during the run"}};
}

} // namespace hypermon
