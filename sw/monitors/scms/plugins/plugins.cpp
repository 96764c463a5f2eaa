// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "base/edit_distance.hpp"
#include "base/file_parameter.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/scms/plugins/built_in.hpp"
#include "sw/monitors/scms/plugins/own_plugin.hpp"
#include "sw/monitors/scms/plugins/result_keys.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace hypermon::scms {
namespace {

std::optional<std::uint32_t> number(const std::string& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::vector<std::string> words(const std::string& text) {
  std::string blanks = text;
  std::replace(blanks.begin(), blanks.end(), ',', ' ');
  std::istringstream stream(blanks);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

std::string numbers(Resource resource) {
  return std::to_string(plugin_of(resource)) + ":" + std::to_string(function_of(resource));
}

} // namespace

Plugins::Plugins(const ScmsPluginParams& params, Site& site) : nodes_(static_cast<std::size_t>(site.nodes())) {
  const auto add_built_in = [&](const std::string& text, bool at_start, const std::string& path) {
    for (const std::string& word : words(text)) {
      const auto& names = built_in_names();
      if (std::find(names.begin(), names.end(), word) == names.end())
        throw UserError(path + " = " + word + ": no such plug-in; did you mean " + nearest_word(word, names) + "?");
      const bool is_there = std::any_of(all_.begin(), all_.end(), [&](const One& one) { return one.name == word; });
      if (!is_there)
        add(built_in(word, site.counters(), static_cast<std::int32_t>(params.table_bytes.number)), at_start, word);
    }
  };
  add_built_in(params.loaded, true, "scms_plugins.loaded");
  add_built_in(params.available, false, "scms_plugins.available");
  for (const FileParameter& file : file_parameters(params.own)) try {
      add(own_plugin(file.path, site), true, file.path);
    } catch (const NoPlugin& error) {
      all_.push_back({.plugin = nullptr, .name = file.path, .error = error.what()});
      all_.back().refused = nodes_;
    }
  for (std::size_t n = 0; n < nodes_; ++n) restart(NodeId{static_cast<std::uint32_t>(n)}, Time{});
}

void Plugins::add(std::unique_ptr<Plugin> plugin, bool at_start, const std::string& value_text) {
  for (const One& one : all_)
    if (one.plugin && (one.plugin->id() == plugin->id() || one.name == plugin->name()))
      throw UserError("scms_plugins.own = " + value_text + ": its id, " + std::to_string(plugin->id()) + ", or name, " +
                      plugin->name() + ", is that of plug-in " + one.name);
  One& one = all_.emplace_back();
  one.name = plugin->name();
  one.at_start = at_start;
  one.loaded.resize(nodes_);
  for (const Function& own : plugin->functions()) {
    one.functions.resize(std::max<std::size_t>(one.functions.size(), own.number + 1));
    one.functions[own.number] = &own;
  }
  one.plugin = std::move(plugin);
}

const Plugins::One* Plugins::find(PluginId plugin) const {
  for (const One& one : all_)
    if (one.plugin && one.plugin->id() == plugin) return &one;
  return nullptr;
}

const Function* Plugins::function(Resource resource) const {
  const One* const one = find(plugin_of(resource));
  return one != nullptr && function_of(resource) < one->functions.size() ? one->functions[function_of(resource)]
                                                                         : nullptr;
}

std::string Plugins::name(Resource resource) const {
  const Function* const own = function(resource);
  return own == nullptr ? numbers(resource) : find(plugin_of(resource))->name + "." + own->name;
}

std::optional<std::uint32_t> Plugins::counter(Resource resource) const {
  return function(resource) == nullptr ? std::nullopt
                                       : find(plugin_of(resource))->plugin->counter(function_of(resource));
}

PluginId Plugins::id(const std::string& name, const std::string& path) const {
  std::vector<std::string> names;
  for (const One& one : all_) {
    if (!one.plugin) continue;
    if (one.name == name || number(name) == one.plugin->id()) return one.plugin->id();
    names.push_back(one.name);
  }
  std::string list;
  for (const std::string& known : names) add_to_list(list, known);
  throw UserError(path + " = " + name + ": no such plug-in; there are " + list);
}

std::vector<std::string> Plugins::names() const {
  std::vector<std::string> all;
  for (const One& one : all_)
    for (const Function* known : one.functions)
      if (known != nullptr) all.push_back(one.name + "." + known->name);
  return all;
}

ResourceVector Plugins::resources(const std::string& text, const std::string& path) const {
  std::vector<Resource> found;
  for (const std::string& word : words(text)) {
    const auto colon = word.find(':');
    const auto plugin = number(word.substr(0, colon));
    const auto own = colon == std::string::npos ? std::nullopt : number(word.substr(colon + 1));
    std::optional<Resource> resource;
    if (plugin && own && function(scms::resource(*plugin, *own)) != nullptr) resource = scms::resource(*plugin, *own);
    for (const One& one : all_)
      for (const Function* known : one.functions)
        if (known != nullptr && one.name + "." + known->name == word)
          resource = scms::resource(one.plugin->id(), known->number);
    std::string list;
    for (const std::string& known : names()) add_to_list(list, known);
    for (const One& one : all_)
      if (!one.plugin) list += "; " + one.name + " cannot be loaded: " + one.error;
    if (!resource) throw UserError(path + " = " + word + ": no plug-in provides this resource; available are " + list);
    if (std::find(found.begin(), found.end(), *resource) == found.end()) found.push_back(*resource);
  }
  if (found.empty()) throw UserError(path + " = \"" + text + "\": must name a resource, like hardware.load");
  return resource_vector(std::move(found));
}

Value Plugins::read(NodeId node, Resource resource, Time now) {
  Value value{.value = 0, .taken = now, .bytes = 0, .state = State::unknown};
  const Function* const own = function(resource);
  One* const one = find(plugin_of(resource));
  if (own == nullptr || !one->loaded[index(node)]) return value;
  value.bytes = own->bytes;
  try {
    value.value = one->plugin->read(node, own->number, now);
    value.state = State::ok;
    ++one->reads;
  } catch (const PluginCrash& what) {
    crash(*one, node, now, what);
    value.state = State::failed;
  }
  return value;
}

std::int32_t Plugins::bytes(NodeId node, Resource resource) const {
  const Function* const own = function(resource);
  return own != nullptr && find(plugin_of(resource))->loaded[index(node)] ? own->bytes : 0;
}

State Plugins::load(NodeId node, PluginId plugin, Time now) {
  One* const one = find(plugin);
  if (one == nullptr) return State::failed;
  if (one->loaded[index(node)]) return State::ok;
  try {
    if (!one->plugin->load(node, now)) {
      ++one->refused;
      return State::failed;
    }
  } catch (const PluginCrash& what) {
    crash(*one, node, now, what);
    return State::failed;
  }
  ++one->loads;
  one->loaded[index(node)] = true;
  return State::ok;
}

State Plugins::unload(NodeId node, PluginId plugin, Time now) {
  One* const one = find(plugin);
  if (one == nullptr || !one->loaded[index(node)]) return State::failed;
  one->loaded[index(node)] = false;
  ++one->unloads;
  try {
    one->plugin->unload(node, now);
  } catch (const PluginCrash& what) {
    crash(*one, node, now, what);
    return State::failed;
  }
  return State::ok;
}

void Plugins::restart(NodeId node, Time now) {
  for (One& one : all_) {
    if (!one.plugin) continue;
    one.plugin->forget(node);
    one.loaded[index(node)] = false;
  }
  for (One& one : all_)
    if (one.plugin && one.at_start) load(node, one.plugin->id(), now);
}

void Plugins::crash(One& one, NodeId node, Time now, const PluginCrash& what) {
  one.loaded[index(node)] = false;
  if (one.crashes++ == 0) {
    one.first_crash = now;
    one.error = what.what;
  }
  if (what.is_signal) crashed_(node);
}

ResultRecords Plugins::report() const {
  const auto& keys = scms_plugin_keys.plugins;
  ResultRecords all(keys.list);
  for (const One& one : all_)
    all.add({keys.name(one.name), keys.id(one.plugin ? std::optional(one.plugin->id()) : std::nullopt),
             keys.loads(one.loads), keys.refused(one.refused), keys.unloads(one.unloads), keys.reads(one.reads),
             keys.crashes(one.crashes), keys.first_crash_s(one.first_crash), keys.error(one.error)});
  return all;
}

} // namespace hypermon::scms
