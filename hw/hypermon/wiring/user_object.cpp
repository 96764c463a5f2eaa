// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/user_object.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <hypermon_modules_build.hpp>
#include <string_view>
#include <systemc>

namespace hypermon {

namespace {

std::string is_of_another(const std::string& name, const std::string& what, const std::string& found,
                          const std::string& expected) {
  return name + ": built for " + what + " " + (found.empty() ? "of unknown version" : found) + ", must be " + expected +
         ": build it again";
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

std::string text_at(void* library, const char* symbol) {
  const auto* text = static_cast<const char* const*>(dlsym(library, symbol));
  return text == nullptr ? "" : *text;
}

} // namespace

UserObject::UserObject(const std::string& parameter, const UserInterface& interface) {
  const auto file = file_parameter(parameter);
  if (!file) return;
  name_ = std::string(interface.parameter) + " = " + file->path;
  void* library = dlopen(file->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string message = library == nullptr ? dlerror() : "";
  if (const std::string systemc = systemc_in(message); !systemc.empty())
    throw UserError(is_of_another(name_, "SystemC", systemc, SC_VERSION));
  // An object for another hypermon may need functions that this one lacks, but can still say so.
  if (library == nullptr) library = dlopen(file->path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw UserError(name_ + ": cannot be loaded: " + message);
  function_ = dlsym(library, interface.function);
  if (function_ == nullptr)
    throw UserError(message.empty() ? name_ + ": no " + interface.macro + " in it (" + interface.page + ")"
                                    : name_ + ": cannot be loaded: " + message);
  const std::string build = text_at(library, interface.build_name);
  if (build != HYPERMON_MODULES_BUILD) throw UserError(is_of_another(name_, "hypermon", build, HYPERMON_MODULES_BUILD));
  const std::string systemc = text_at(library, interface.systemc_name);
  if (systemc != SC_VERSION) throw UserError(is_of_another(name_, "SystemC", systemc, SC_VERSION));
  if (!message.empty()) throw UserError(name_ + ": cannot be loaded: " + message);
}

} // namespace hypermon
