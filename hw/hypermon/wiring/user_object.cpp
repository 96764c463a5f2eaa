// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/user_object.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>
#include <systemc>

namespace hypermon {

namespace {

std::string systemc_is_another(const std::string& name, const std::string& systemc) {
  return name + ": built for SystemC " + systemc + ", must be " + SC_VERSION + ": build it again";
}

/// SystemC's version in the message of a failed dlopen(); empty if the message is about something else. SystemC puts
/// its version into the name of a symbol that each user of its headers needs.
std::string systemc_in(const std::string& message) {
  constexpr std::string_view symbol = "sc_api_version_";
  const auto found = message.find(symbol);
  if (found == std::string::npos) return "";
  std::string version = message.substr(found + symbol.size());
  version.resize(std::min(version.find_first_not_of("0123456789_"), version.size()));
  while (version.ends_with('_')) version.pop_back();
  std::ranges::replace(version, '_', '.');
  return version;
}

} // namespace

UserObject::UserObject(const std::string& parameter, const UserInterface& interface) {
  const auto file = file_parameter(parameter);
  if (!file) return;
  name_ = std::string(interface.parameter) + " = " + file->path;
  void* const library = dlopen(file->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string message = dlerror();
    const std::string systemc = systemc_in(message);
    throw UserError(systemc.empty() ? name_ + ": cannot be loaded: " + message : systemc_is_another(name_, systemc));
  }
  const auto* version = static_cast<const int*>(dlsym(library, interface.version_name));
  function_ = dlsym(library, interface.function);
  if (version == nullptr || function_ == nullptr)
    throw UserError(name_ + ": no " + interface.macro + " in it (" + interface.page + ")");
  if (*version != interface.version)
    throw UserError(name_ + ": built for version " + std::to_string(*version) + " of " + interface.macro +
                    ", must be " + std::to_string(interface.version) + ": build it again");
  if (interface.systemc_name == nullptr) return;
  const auto* systemc = static_cast<const char* const*>(dlsym(library, interface.systemc_name));
  if (systemc == nullptr || std::string_view(*systemc) != SC_VERSION)
    throw UserError(systemc_is_another(name_, systemc == nullptr ? "of unknown version" : *systemc));
}

} // namespace hypermon
