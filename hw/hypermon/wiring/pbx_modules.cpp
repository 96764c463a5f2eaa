// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/pbx_modules.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"
#include "hw/hypermon/tlm/pbx_module.hpp"

#include <dlfcn.h>

namespace hypermon {

PbxModules::PbxModules(const std::string& parameter) {
  const auto file = file_parameter(parameter);
  if (!file) return;
  path_ = file->path;
  void* const library = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw UserError("pbx.module = " + path_ + ": cannot be loaded: " + dlerror());
  const auto* version = static_cast<const int*>(dlsym(library, pbx_module_version_name));
  bind_ = dlsym(library, pbx_module_function);
  if (version == nullptr || bind_ == nullptr)
    throw UserError("pbx.module = " + path_ + ": no HYPERMON_PBX_MODULE in it (docs/how-to/own-module.md)");
  if (*version != pbx_module_version)
    throw UserError("pbx.module = " + path_ + ": built for version " + std::to_string(*version) +
                    " of the PBX's modules, must be " + std::to_string(pbx_module_version) + ": build it again");
}

std::unique_ptr<sc_core::sc_module> PbxModules::bind(const PbxPlace& place) const {
  auto* const module = reinterpret_cast<BindPbx*>(bind_)(place);
  if (module == nullptr) throw UserError("pbx.module = " + path_ + ": has made no module");
  return std::unique_ptr<sc_core::sc_module>(module);
}

} // namespace hypermon
