// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/plugins/own_plugin.hpp"
#include "hw/machine/site.hpp"
#include "sw/include/hypermon_cma.h"
#include "sw/monitors/scms/plugins/counter_reader.hpp"
#include "sw/monitors/scms/plugins/guard.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace hypermon::scms {
namespace {

constexpr PluginId first_own = 100;
constexpr std::uint32_t largest_function = 65535;
constexpr std::uint32_t largest_block = 1U << 30;

bool is_word(const char* name) {
  return name != nullptr && *name != '\0' && std::all_of(name, name + std::char_traits<char>::length(name), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
         });
}

class OwnPlugin;

/// A node's CMA as the object sees it.
struct Cma : hypermon_cma {
  OwnPlugin* plugin = nullptr;
  void* state = nullptr;
};

class OwnPlugin final : public Plugin {
public:
  OwnPlugin(const hypermon_cma_plugin& object, Site& site) : object_(object), name_(object.name) {
    for (std::uint32_t f = 0; f < object.function_count; ++f) {
      const hypermon_cma_function& own = object.functions[f];
      functions_.push_back({own.number, own.name, static_cast<std::int32_t>(own.bytes)});
    }
    std::istringstream words(object.counters != nullptr ? object.counters : "");
    for (std::string word; words >> word;)
      if (const auto reader = CounterReader::first(site.counters(), {word.c_str()})) readers_.emplace(word, *reader);
    cmas_.resize(static_cast<std::size_t>(site.nodes()));
    for (std::size_t n = 0; n < cmas_.size(); ++n) {
      cmas_[n].node = static_cast<std::uint32_t>(n);
      cmas_[n].nodes = static_cast<std::uint32_t>(cmas_.size());
      cmas_[n].plugin = this;
      cmas_[n].now_ps = [](const hypermon_cma* cma) { return plugin_of(cma).now_.ps(); };
      cmas_[n].counter = [](const hypermon_cma* cma, const char* name) {
        return plugin_of(cma).counted(cma->node, name);
      };
    }
  }
  PluginId id() const override { return object_.id; }
  const std::string& name() const override { return name_; }
  const std::vector<Function>& functions() const override { return functions_; }
  bool load(NodeId node, Time now) override {
    Cma& cma = at(node, now);
    cma.state = nullptr;
    int refused = 0;
    if (object_.load != nullptr) guarded([&] { refused = object_.load(&cma, &cma.state); });
    return refused == 0;
  }
  void unload(NodeId node, Time now) override {
    Cma& cma = at(node, now);
    void* const state = std::exchange(cma.state, nullptr);
    if (object_.unload != nullptr) guarded([&] { object_.unload(&cma, state); });
  }
  void forget(NodeId node) override { cmas_[index(node)].state = nullptr; }
  std::int64_t read(NodeId node, std::uint32_t function, Time now) override {
    Cma& cma = at(node, now);
    std::int64_t value = 0;
    guarded([&] { value = object_.read(&cma, cma.state, function); });
    return value;
  }

private:
  static OwnPlugin& plugin_of(const hypermon_cma* cma) { return *static_cast<const Cma*>(cma)->plugin; }
  Cma& at(NodeId node, Time now) {
    now_ = now;
    return cmas_[index(node)];
  }
  std::int64_t counted(std::uint32_t node, const char* name) const {
    const auto reader = readers_.find(name);
    return reader == readers_.end() ? 0 : reader->second.read(NodeId{node}, now_);
  }

  const hypermon_cma_plugin& object_;
  std::string name_;
  std::vector<Function> functions_;
  std::map<std::string, CounterReader, std::less<>> readers_;
  std::vector<Cma> cmas_; // by node
  Time now_;
};

/// Throws NoPlugin if the object's description is invalid.
void check(const hypermon_cma_plugin* object) {
  const auto refuse = [](const std::string& why) { throw NoPlugin(why); };
  if (object == nullptr) refuse("hypermon_cma_describe() returns no plug-in");
  if (object->version != HYPERMON_CMA_VERSION)
    refuse("is of version " + std::to_string(object->version) + " of hypermon_cma.h, this is " +
           std::to_string(HYPERMON_CMA_VERSION) + ": build it again");
  if (object->id < first_own) refuse("its id is " + std::to_string(object->id) + ": 1 to 99 are hypermon's own");
  if (!is_word(object->name)) refuse("its name must be of letters, digits and _");
  if (object->read == nullptr || object->functions == nullptr || object->function_count == 0)
    refuse("has no function to read");
  for (std::uint32_t f = 0; f < object->function_count; ++f) {
    const hypermon_cma_function& own = object->functions[f];
    const std::string which = "its function " + std::to_string(own.number);
    if (own.number == 0 || own.number > largest_function) refuse(which + ": numbers are 1 to 65535");
    if (!is_word(own.name)) refuse(which + ": its name must be of letters, digits and _");
    if (own.bytes == 0 || own.bytes > largest_block) refuse(which + ": a value has 1 byte to 1 GiB");
    for (std::uint32_t other = 0; other < f; ++other)
      if (object->functions[other].number == own.number || std::string_view(object->functions[other].name) == own.name)
        refuse(which + ": its number or name is another's, too");
  }
}

} // namespace

std::unique_ptr<Plugin> own_plugin(const std::string& file, Site& site) {
  void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) throw NoPlugin(dlerror());
  const auto describe = reinterpret_cast<const hypermon_cma_plugin* (*)()>(dlsym(object, "hypermon_cma_describe"));
  if (describe == nullptr) throw NoPlugin("has no hypermon_cma_describe() (hypermon_cma.h)");
  const hypermon_cma_plugin* plugin = nullptr;
  try {
    guarded([&] { plugin = describe(); });
  } catch (const PluginCrash& crash) {
    throw NoPlugin("hypermon_cma_describe() crashed: " + crash.what);
  }
  check(plugin);
  return std::make_unique<OwnPlugin>(*plugin, site);
}

} // namespace hypermon::scms
