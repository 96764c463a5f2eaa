// Each implementation is taken up if it is there: that of the monhole goes with Supermon.
#include "sw/monitors/tau/transports.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/tau/choice_of_transport.hpp"

#if __has_include("sw/monitors/tau/file_transport.hpp")
#include "sw/monitors/tau/file_transport.hpp"
#endif
#if __has_include("sw/monitors/tau/monhole_transport.hpp")
#include "sw/monitors/tau/monhole_transport.hpp"
#endif

namespace hypermon::tau {

std::unique_ptr<Transport> make_transport(const MonitorSetting& setting, [[maybe_unused]] ProfileLog& log) {
  const TauTransport chosen = transport_of(setting.spec);
#if __has_include("sw/monitors/tau/file_transport.hpp")
  if (chosen == TauTransport::file) return make_file_transport(setting, log);
#endif
#if __has_include("sw/monitors/tau/monhole_transport.hpp")
  if (chosen == TauTransport::monhole) return make_monhole_transport(setting, log);
#endif
  if (chosen == TauTransport::none) return nullptr;
  throw UserError("tau.transport = " + std::string(word(chosen)) + ": this hypermon is built without it");
}

} // namespace hypermon::tau
