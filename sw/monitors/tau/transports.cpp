// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/transports.hpp"
#include "base/user_error.hpp"

namespace hypermon::tau {

std::unique_ptr<Transport> make_transport(const MonitorSetting& setting, ProfileLog& log) {
  const TauTransport chosen = transport_of(setting.spec);
  if (chosen == TauTransport::file) return make_file_transport(setting, log);
#ifdef HYPERMON_HAS_MONHOLE // it is used together with Supermon
  if (chosen == TauTransport::monhole) return make_monhole_transport(setting, log);
#endif
  if (chosen == TauTransport::none) return nullptr;
  throw UserError("tau.transport = " + std::string(word(chosen)) + ": this hypermon is built without it");
}

} // namespace hypermon::tau
