// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/plugins.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/object_file.hpp"
#include "platforms/worker/registry.hpp"
#include "sw/monitors/plugin.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

namespace hypermon {
namespace {

/// The text at the object's symbol of that name; none if there is no such symbol.
std::optional<std::string> text_of(const ObjectFile& object, std::string_view wanted) {
  std::optional<std::string> text;
  object.for_each_symbol([&](std::string_view name, const Elf64_Sym& symbol) {
    const auto sections = object.sections();
    if (name != wanted || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= sections.size()) return;
    const Elf64_Shdr& section = sections[symbol.st_shndx];
    const auto bytes = object.contents<char>(section);
    const std::uint64_t at = symbol.st_value - section.sh_addr;
    if (at < bytes.size()) text.emplace(&bytes[at], strnlen(&bytes[at], bytes.size() - at));
  });
  return text;
}

std::optional<std::string> build_of(const std::string& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) throw UserError("--plugin " + file + ": cannot be read: " + std::strerror(errno));
  const ObjectFile object(opened);
  close(opened);
  return text_of(object, "hypermon_plugin_build");
}

} // namespace

void load_plugin(const std::string& file) {
  const auto refuse = [&](const std::string& why) { throw UserError("--plugin " + file + ": " + why); };
  const auto build = build_of(file);
  if (!build) refuse("is not a monitor for hypermon: a shared object with HYPERMON_PLUGIN (sw/monitors/plugin.hpp)");
  if (*build != HYPERMON_BUILD)
    refuse("was built against hypermon " + *build + ", this is hypermon " HYPERMON_BUILD "; build it again");
  void* const object = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) refuse(dlerror());
  const auto make = reinterpret_cast<void (*)(Plugin*)>(dlsym(object, "hypermon_plugin"));
  if (make == nullptr) refuse(dlerror());
  Plugin plugin;
  make(&plugin);
  if (plugin.part.kind != Part::Kind::monitor || plugin.monitor.make == nullptr ||
      plugin.part.name != plugin.monitor.name)
    refuse("brings no monitor: its Part and its MonitorKind must be of the same name");
  try {
    add_part(std::move(plugin.part));
  } catch (const UserError& error) {
    refuse(error.what());
  }
  add_monitor(std::move(plugin.monitor));
}

} // namespace hypermon
