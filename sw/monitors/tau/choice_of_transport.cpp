// SPDX-License-Identifier: BSD-3-Clause
// Considers the monitor, the parameter and the program's environment.
#include "base/user_error.hpp"
#include "sw/monitors/tau/transports.hpp"

#include <sstream>
#include <utility>

namespace hypermon::tau {
namespace {

constexpr const char* variable = "TAU_TRANSPORT"; // (chosen) the TAU over Supermon paper does not name it

/// The transport in the program's environment; TauTransport::monitor if there is none.
TauTransport of_environment(const Spec& spec) {
  TauTransport found = TauTransport::monitor;
  spec.for_each_field([&](const std::string& path, const FieldInfo& field, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
      if (!field.allowed.is_assignments) return;
      std::istringstream words(value);
      for (std::string word; words >> word;) {
        const std::string begin = std::string(variable) + "=";
        if (!word.starts_with(begin)) continue;
        const std::string value_text = word.substr(begin.size());
        if (value_text != "file" && value_text != "monhole")
          throw UserError(path + "." + variable + " = " + value_text + ": must be file or monhole");
        found = value_text == "file" ? TauTransport::file : TauTransport::monhole;
      }
    }
  });
  return found;
}

} // namespace

TauTransport transport_of(const Spec& spec) {
  const TauTransport own = spec.monitor == "tau_nfs"        ? TauTransport::file
                           : spec.monitor == "tau_supermon" ? TauTransport::monhole
                                                            : TauTransport::monitor;
  TauTransport chosen = own;
  const auto choose = [&](TauTransport wanted, const std::string& where) {
    if (wanted == TauTransport::monitor) return;
    if (chosen != TauTransport::monitor && chosen != wanted)
      throw UserError(where + " = " + std::string(word(wanted)) + ": contradicts " +
                      (chosen == own ? "monitor = " + spec.monitor : "tau.transport = " + std::string(word(chosen))) +
                      ", whose profiles go " +
                      (chosen == TauTransport::none ? "nowhere" : "to " + std::string(word(chosen))));
    chosen = wanted;
  };
  choose(spec.get<TauParams>().transport, "tau.transport");
  choose(of_environment(spec), std::string("program.environment.") + variable);
  return chosen == TauTransport::monitor ? TauTransport::none : chosen;
}

} // namespace hypermon::tau
